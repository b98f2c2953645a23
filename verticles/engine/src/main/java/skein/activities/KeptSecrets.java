package skein.activities;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which credentials of an HTTP message become part of the instance: none but those that the
 * definition names. What receives a message puts its credentials beside the other {@code headers}
 * and {@code query} parameters, in {@code secrets}; this is the last that sees them.
 */
public record KeptSecrets(Set<String> names) {
  /** The member of a message that holds {@code headers} and {@code query} of its own. */
  public static final String MEMBER = "secrets";

  /** The names of what was not kept; there only if there are some. */
  static final String WITHHELD = "withheld";

  /** Not an input of Elsa's. */
  static final Input INPUT =
      Input.of("KeepSecrets", "String[]")
          .described(
              "Names of headers and query parameters that hold credentials and are stored with the"
                  + " instance all the same.")
          .grouped("Security")
          .ordered(7);

  private static final List<String> PARTS = List.of("headers", "query");

  static KeptSecrets of(ActivityContext context) {
    return new KeptSecrets(
        context.texts(INPUT).stream()
            .map(name -> name.strip().toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** The message with those credentials that are kept, and the names of the others. */
  Map<String, @Nullable Object> in(Map<String, @Nullable Object> message) {
    var kept = new LinkedHashMap<String, @Nullable Object>(message);
    var secrets = Json.object(kept.remove(MEMBER));
    if (secrets == null) {
      return kept;
    }
    var withheld = new ArrayList<String>();
    for (var part : PARTS) {
      var values = Json.object(secrets.get(part));
      if (values != null) {
        var others = Json.object(message.get(part));
        var all = new LinkedHashMap<String, @Nullable Object>(others == null ? Map.of() : others);
        values.forEach((name, value) -> {
          if (names.contains(name.toLowerCase(Locale.ROOT))) {
            all.put(name, value);
          } else {
            withheld.add(name);
          }
        });
        kept.put(part, all);
      }
    }
    if (!withheld.isEmpty()) {
      kept.put(WITHHELD, List.copyOf(withheld));
    }
    return kept;
  }

  /** The address of the page before may have had some. */
  private static @Nullable Object withoutSecrets(
      String name, @Nullable Object value, SecretNames names) {
    return name.equalsIgnoreCase("Referer") && value instanceof String url
        ? names.hideInUrl(url)
        : value;
  }

  /**
   * Moves credentials of a message from its {@code headers} and {@code query} to {@link #MEMBER};
   * changes the message.
   */
  public static void setApart(Map<String, @Nullable Object> message, SecretNames names) {
    var secrets = new LinkedHashMap<String, @Nullable Object>();
    for (var part : PARTS) {
      var values = Json.object(message.get(part));
      if (values == null) {
        continue;
      }
      var open = new LinkedHashMap<String, @Nullable Object>();
      var secret = new LinkedHashMap<String, @Nullable Object>();
      values.forEach((name, value) -> {
        boolean hidden = part.equals("query") ? names.isParameter(name) : names.isHeader(name);
        (hidden ? secret : open).put(name, withoutSecrets(name, value, names));
      });
      if (!secret.isEmpty()) {
        message.put(part, open);
        secrets.put(part, secret);
      }
    }
    if (!secrets.isEmpty()) {
      message.put(MEMBER, secrets);
    }
  }
}
