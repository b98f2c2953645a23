package skein.model;

import org.jspecify.annotations.Nullable;

/** What people and other systems know an instance by, and whose child it is. */
public record Labels(
    @Nullable String name, @Nullable String correlationId, @Nullable Parent parent) {
  public static final Labels NONE = new Labels(null, null, null);

  public @Nullable InstanceId parentId() {
    return parent == null ? null : parent.id();
  }
}
