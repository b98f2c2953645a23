package skein.reference;

/** Types of inputs and outputs in words that need no .NET. */
final class TypeNames {
  private TypeNames() {}

  /** {@code System.Uri, System.Private.Uri} is "Uri". */
  static String shown(String typeName) {
    int comma = typeName.indexOf(',');
    var name = comma < 0 ? typeName : typeName.substring(0, comma);
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
