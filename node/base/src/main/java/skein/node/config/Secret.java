package skein.node.config;

/** A text that must not be printed. */
public record Secret(String value) {
  @Override
  public String toString() {
    return value.isEmpty() ? "" : "***";
  }
}
