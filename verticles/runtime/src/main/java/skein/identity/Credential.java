package skein.identity;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The credential of a request. */
public sealed interface Credential {
  record None() implements Credential {}

  /** RFC 6750. */
  record Bearer(String token) implements Credential {
    @Override
    public String toString() {
      return "Bearer";
    }
  }

  /** Elsa's. */
  record ApiKey(String key) implements Credential {
    @Override
    public String toString() {
      return "ApiKey";
    }
  }

  /**
   * What the other end of the connection has proved to be.
   *
   * @param name the common name of its subject
   * @param end after which it is taken no more
   */
  record Certificate(String name, Instant end) implements Credential {}

  /** Of an unsupported kind, or more than one. */
  record Unusable() implements Credential {}

  /** {@code headers}: all values of {@code Authorization}. */
  static Credential of(List<String> headers) {
    if (headers.isEmpty()) {
      return new None();
    }
    if (headers.size() > 1) {
      return new Unusable();
    }
    var text = headers.getFirst().strip();
    int space = text.indexOf(' ');
    if (space < 0) {
      return new Unusable();
    }
    var value = text.substring(space + 1).strip();
    if (value.isEmpty()) {
      return new Unusable();
    }
    return switch (text.substring(0, space).toLowerCase(Locale.ROOT)) {
      case "bearer" -> new Bearer(value);
      case "apikey" -> new ApiKey(value);
      default -> new Unusable();
    };
  }
}
