package skein.expressions;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The conversion that an alias or CLR name requires of a value. An unknown name requires none, and
 * so does an array of an unknown type.
 *
 * @param element of a list, else null
 */
record TypeName(Kind kind, @Nullable TypeName element) {
  enum Kind {
    ANY,
    TEXT,
    BOOLEAN,
    BYTE,
    SBYTE,
    INT16,
    UINT16,
    INT32,
    UINT32,
    INT64,
    UINT64,
    REAL,
    DECIMAL,
    GUID,
    DATE_TIME,
    DATE_TIME_OFFSET,
    DATE,
    TIME,
    DURATION,
    HTTP_STATUS,
    BYTES,
    JSON,
    MAP,
    LIST
  }

  private static final TypeName ANY = new TypeName(Kind.ANY, null);

  private static final Map<String, Kind> KINDS =
      Map.<String, Kind>ofEntries(
          Map.entry("string", Kind.TEXT),
          Map.entry("uri", Kind.TEXT),
          Map.entry("char", Kind.TEXT),
          Map.entry("boolean", Kind.BOOLEAN),
          Map.entry("bool", Kind.BOOLEAN),
          Map.entry("byte", Kind.BYTE),
          Map.entry("sbyte", Kind.SBYTE),
          Map.entry("int16", Kind.INT16),
          Map.entry("short", Kind.INT16),
          Map.entry("uint16", Kind.UINT16),
          Map.entry("int32", Kind.INT32),
          Map.entry("int", Kind.INT32),
          Map.entry("uint32", Kind.UINT32),
          Map.entry("int64", Kind.INT64),
          Map.entry("long", Kind.INT64),
          Map.entry("uint64", Kind.UINT64),
          Map.entry("single", Kind.REAL),
          Map.entry("float", Kind.REAL),
          Map.entry("double", Kind.REAL),
          Map.entry("decimal", Kind.DECIMAL),
          Map.entry("guid", Kind.GUID),
          Map.entry("datetime", Kind.DATE_TIME),
          Map.entry("datetimeoffset", Kind.DATE_TIME_OFFSET),
          Map.entry("dateonly", Kind.DATE),
          Map.entry("timeonly", Kind.TIME),
          Map.entry("timespan", Kind.DURATION),
          Map.entry("httpstatuscode", Kind.HTTP_STATUS),
          Map.entry("bytearray", Kind.BYTES),
          Map.entry("json", Kind.JSON),
          Map.entry("expandoobject", Kind.JSON),
          Map.entry("jsonelement", Kind.JSON),
          Map.entry("jsonnode", Kind.JSON),
          Map.entry("jsonobject", Kind.MAP),
          Map.entry("jsonarray", Kind.LIST),
          Map.entry("httpheaders", Kind.MAP),
          Map.entry("httprequestheaders", Kind.MAP),
          Map.entry("httpresponseheaders", Kind.MAP),
          Map.entry("objectdictionary", Kind.MAP),
          Map.entry("stringdictionary", Kind.MAP),
          Map.entry("variablesdictionary", Kind.MAP),
          Map.entry("dictionary", Kind.MAP),
          Map.entry("idictionary", Kind.MAP),
          Map.entry("ireadonlydictionary", Kind.MAP),
          Map.entry("list", Kind.LIST),
          Map.entry("ilist", Kind.LIST),
          Map.entry("icollection", Kind.LIST),
          Map.entry("ienumerable", Kind.LIST),
          Map.entry("ireadonlycollection", Kind.LIST),
          Map.entry("ireadonlylist", Kind.LIST),
          Map.entry("hashset", Kind.LIST),
          Map.entry("iset", Kind.LIST));

  /** A longer one names no type that is known. */
  private static final int CHARS_MAX = 1_000;

  private static final int KNOWN_MAX = 1_000;
  private static final Map<String, TypeName> KNOWN = new ConcurrentHashMap<>();

  static TypeName of(String text) {
    if (text.length() > CHARS_MAX) {
      return ANY;
    }
    var known = KNOWN.get(text);
    if (known != null) {
      return known;
    }
    var parsed = parse(text.strip());
    if (KNOWN.size() < KNOWN_MAX) {
      KNOWN.put(text, parsed);
    }
    return parsed;
  }

  private static TypeName parse(String text) {
    var open = firstOf(text, '<', '`');
    if (open >= 0) {
      return generic(text, open);
    }
    // An array of a type that is named with its assembly: the brackets follow the assembly.
    var array = text.indexOf(',') >= 0 && text.endsWith("[]");
    var name = withoutAssembly(text) + (array ? "[]" : "");
    if (name.endsWith("?")) {
      name = name.substring(0, name.length() - 1);
    }
    if (name.endsWith("[]")) {
      var elementName = name.substring(0, name.length() - 2);
      var element = parse(elementName);
      if (element.kind == Kind.ANY && !elementName.toLowerCase(Locale.ROOT).endsWith("object")) {
        return ANY;
      }
      return element.kind == Kind.BYTE
          ? new TypeName(Kind.BYTES, null)
          : new TypeName(Kind.LIST, element);
    }
    return simple(name);
  }

  /** {@code List<String>}, and {@code System.Collections.Generic.List`1[[System.String, …]]}. */
  private static TypeName generic(String text, int open) {
    var outer = text.substring(0, open);
    var inner = text.substring(open).replaceFirst("^`\\d+", "");
    var opened = inner.replaceFirst("^(<|\\[\\[|\\[)", "");
    int close = firstOf(opened, '>', ']');
    var arguments = close < 0 ? opened : opened.substring(0, close);
    var type = simple(outer);
    if (outer.endsWith("Nullable")) {
      return parse(arguments);
    }
    var nested = firstOf(arguments, '<', '`') >= 0;
    return type.kind == Kind.LIST && !nested
        ? new TypeName(Kind.LIST, parse(arguments))
        : type.kind == Kind.LIST ? new TypeName(Kind.LIST, ANY) : type;
  }

  private static TypeName simple(String name) {
    var last = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    var kind = KINDS.get(last);
    if (kind == null) {
      return ANY;
    }
    return kind == Kind.LIST ? new TypeName(Kind.LIST, ANY) : new TypeName(kind, null);
  }

  private static String withoutAssembly(String text) {
    var comma = text.indexOf(',');
    return comma < 0 ? text : text.substring(0, comma).strip();
  }

  private static int firstOf(String text, char one, char other) {
    for (var i = 0; i < text.length(); i++) {
      if (text.charAt(i) == one || text.charAt(i) == other) {
        return i;
      }
    }
    return -1;
  }
}
