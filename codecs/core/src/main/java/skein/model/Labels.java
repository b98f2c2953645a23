package skein.model;

import org.jspecify.annotations.Nullable;

/** The names of an instance for people and other systems, and its parent. */
public record Labels(
    @Nullable String name, @Nullable String correlationId, @Nullable Parent parent) {
  public static final Labels NONE = new Labels(null, null, null);

  public @Nullable InstanceId parentId() {
    return parent == null ? null : parent.id();
  }
}
