package skein.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One version of a graph of activities, as Elsa 3 JSON.
 *
 * @param json the whole document as it was given, unknown members and activities included; the
 *     members that are also components here are overwritten from them when it is written out
 */
public record WorkflowDefinition(
    DefinitionRef ref,
    @Nullable String name,
    @Nullable String description,
    boolean latest,
    boolean published,
    Instant createdAt,
    Map<String, @Nullable Object> json) {
  /** The same definition as one of a tenant. */
  public WorkflowDefinition of(String tenant) {
    return ref.tenant().equals(tenant)
        ? this
        : new WorkflowDefinition(
            ref.of(tenant), name, description, latest, published, createdAt, json);
  }
}
