package skein.work;

import io.vertx.core.buffer.Buffer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretNames;
import skein.activities.WorkResult;

/**
 * The secrets that one piece of work was done with. A server may repeat its input, and its answer
 * is kept: {@link SecretNames#HIDDEN} takes the place of secrets in it. Immutable.
 */
final class UsedSecrets {
  static final UsedSecrets NONE = new UsedSecrets(List.of());

  /** Shorter ones would be found in answers that do not contain them. */
  private static final int CHARS_MIN = 6;

  /** A header that begins with a word for what follows, as {@code Bearer}. */
  private static final Pattern SCHEME = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9-]*+)\\s++(.+)");

  /** The longest first: one may be part of another. */
  private final List<String> texts;

  private UsedSecrets(Collection<String> texts) {
    this.texts =
        texts.stream()
            .filter(text -> text.length() >= CHARS_MIN)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  static UsedSecrets of(Collection<String> values) {
    var texts = new LinkedHashSet<String>();
    for (var value : values) {
      addForms(value.strip(), texts);
      var header = SCHEME.matcher(value.strip());
      if (header.matches()) {
        addForms(header.group(2), texts);
        if (header.group(1).equalsIgnoreCase("Basic")) {
          addPassword(header.group(2), texts);
        }
      }
    }
    return texts.isEmpty() ? NONE : new UsedSecrets(texts);
  }

  /** As it is, in JSON, in a URL, in Base64, and its bytes taken for characters. */
  private static void addForms(String value, Set<String> texts) {
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    texts.add(value);
    texts.add(value.replace("\\", "\\\\").replace("\"", "\\\""));
    texts.add(URLEncoder.encode(value, StandardCharsets.UTF_8));
    texts.add(URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    texts.add(Base64.getEncoder().encodeToString(bytes));
    texts.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    texts.add(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  private static void addPassword(String basic, Set<String> texts) {
    try {
      var both = new String(Base64.getDecoder().decode(basic.strip()), StandardCharsets.UTF_8);
      addForms(both, texts);
      addForms(both.substring(both.indexOf(':') + 1), texts);
    } catch (IllegalArgumentException _) {
      // it is not Base64, and nothing else is in it
    }
  }

  UsedSecrets and(UsedSecrets others) {
    var all = new LinkedHashSet<>(texts);
    all.addAll(others.texts);
    return new UsedSecrets(all);
  }

  boolean isNone() {
    return texts.isEmpty();
  }

  String hiddenIn(String text) {
    var rest = text;
    for (var secret : texts) {
      rest = rest.replace(secret, SecretNames.HIDDEN);
    }
    return rest;
  }

  /** The same buffer where there is nothing to hide. */
  Buffer hiddenIn(Buffer bytes) {
    var text = bytes.toString(StandardCharsets.ISO_8859_1);
    var hidden = hiddenIn(text);
    return hidden.equals(text)
        ? bytes
        : Buffer.buffer(hidden.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Hides them in the texts and names of a JSON value. */
  @Nullable Object hiddenInJson(@Nullable Object value) {
    return switch (value) {
      case String text -> hiddenIn(text);
      case Map<?, ?> object -> {
        var hidden = new LinkedHashMap<String, @Nullable Object>();
        object.forEach(
            (name, item) -> hidden.put(hiddenIn(String.valueOf(name)), hiddenInJson(item)));
        yield hidden;
      }
      case List<?> list -> {
        var hidden = new ArrayList<@Nullable Object>(list.size());
        list.forEach(item -> hidden.add(hiddenInJson(item)));
        yield hidden;
      }
      case null -> null;
      default -> value;
    };
  }

  /** Hides them in the message of a failure; a success is not changed. */
  WorkResult hiddenInFailure(WorkResult result) {
    return result instanceof WorkResult.Failed(var type, var message, var passing)
        ? new WorkResult.Failed(type, hiddenIn(message), passing)
        : result;
  }

  @Override
  public String toString() {
    return "UsedSecrets[" + texts.size() + "]";
  }
}
