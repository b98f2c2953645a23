package skein.model;

import org.jspecify.annotations.Nullable;

/** What people and other systems know an instance by. */
public record Labels(
    @Nullable String name, @Nullable String correlationId, @Nullable InstanceId parentId) {
  public static final Labels NONE = new Labels(null, null, null);
}
