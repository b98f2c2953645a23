package skein.graph;

/** How literals of types that people get wrong are written. */
final class LiteralForms {
  private LiteralForms() {}

  /** The correct form, after a semicolon; empty for types that need no explanation. */
  static String hint(String typeName) {
    return switch (typeName) {
      case "TimeSpan" -> "; write 00:00:20 or PT20S";
      case "Boolean" -> "; write true or false";
      case "DateTime", "DateTimeOffset" -> "; write 2026-01-31T12:00:00Z";
      case "DateOnly" -> "; write 2026-01-31";
      case "TimeOnly" -> "; write 12:00:00";
      case "Guid" -> "; write 6f9619ff-8b86-d011-b42d-00c04fc964ff";
      default -> "";
    };
  }
}
