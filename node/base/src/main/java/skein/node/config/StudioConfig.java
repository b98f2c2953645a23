package skein.node.config;

/** Elsa's designer. */
public record StudioConfig(boolean enabled) {
  static StudioConfig from(Settings s) {
    return new StudioConfig(s.flag("studio.enabled", "false"));
  }
}
