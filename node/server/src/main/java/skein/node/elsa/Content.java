package skein.node.elsa;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/** What a document of a definition says, whichever version of it and on whichever server it is. */
final class Content {
  /** The members that a server writes. */
  private static final Set<String> OF_VERSIONS =
      Set.of(
          "id",
          "version",
          "isLatest",
          "isPublished",
          "createdAt",
          "links",
          "toolVersion",
          "isReadonly",
          "isSystem",
          "tenantId",
          "$schema");

  /** A member of activities that follows from the ids around it. */
  private static final String OF_PLACES = "nodeId";

  private Content() {}

  /** Equal for documents that say the same; members that are null are as none. */
  static String of(Map<?, ?> document) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    document.forEach((name, value) -> {
      if (!OF_VERSIONS.contains(String.valueOf(name))) {
        members.put(String.valueOf(name), value);
      }
    });
    return JsonText.canonical(plain(members));
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var plain = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, member) -> {
          if (member != null && !OF_PLACES.equals(name)) {
            plain.put(String.valueOf(name), plain(member));
          }
        });
        yield plain;
      }
      case List<?> list -> {
        var plain = new ArrayList<@Nullable Object>();
        list.forEach(item -> plain.add(plain(item)));
        yield plain;
      }
      case null, default -> value;
    };
  }
}
