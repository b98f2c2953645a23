package skein.work;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretNames;
import skein.activities.SecretUses;

/**
 * Headers with secrets, looked up for one attempt of one request.
 *
 * @param byName whole headers
 * @param values the secrets in them
 */
record SecretHeaders(Map<String, String> byName, Set<String> values) {
  static final SecretHeaders NONE = new SecretHeaders(Map.of(), Set.of());

  /** Shorter ones would be found in answers that do not contain them. */
  private static final int HIDDEN_CHARS_MIN = 6;

  /**
   * May block.
   *
   * @param written by name, with {@code ${name}} for each secret
   * @throws WorkRefusedException one is not there
   */
  static SecretHeaders of(@Nullable Map<String, @Nullable Object> written, SecretSource source) {
    if (written == null || written.isEmpty()) {
      return NONE;
    }
    var headers = new LinkedHashMap<String, String>();
    var values = new LinkedHashSet<String>();
    written.forEach((header, value) ->
        headers.put(
            header,
            SecretUses.IN_HEADER
                .matcher(String.valueOf(value))
                .replaceAll(found -> {
                  var secret = secret(found.group(1), source);
                  values.add(secret);
                  return Matcher.quoteReplacement(secret);
                })));
    return new SecretHeaders(headers, values);
  }

  private static String secret(String name, SecretSource source) {
    try {
      return source.secret(name);
    } catch (SecretSource.MissingException e) {
      throw new WorkRefusedException(
          "SecretMissing", "The secret \"" + name + "\" cannot be used: " + e.getMessage());
    }
  }

  boolean isHeader(String name) {
    return byName.keySet().stream().anyMatch(name::equalsIgnoreCase);
  }

  /** An answer may repeat what was sent, and is kept. */
  HttpAnswer hiddenIn(HttpAnswer answer) {
    if (values.isEmpty()) {
      return answer;
    }
    var headers = MultiMap.caseInsensitiveMultiMap();
    answer.headers().forEach((name, value) -> headers.add(name, hidden(value)));
    var bytes = answer.body().toString(StandardCharsets.ISO_8859_1);
    var hidden = hidden(bytes);
    var body =
        hidden.equals(bytes)
            ? answer.body()
            : Buffer.buffer(hidden.getBytes(StandardCharsets.ISO_8859_1));
    return new HttpAnswer(answer.from(), answer.status(), headers, body);
  }

  private String hidden(String text) {
    var rest = text;
    for (var value : values) {
      if (value.length() >= HIDDEN_CHARS_MIN) {
        rest = rest.replace(value, SecretNames.HIDDEN);
      }
    }
    return rest;
  }

  @Override
  public String toString() {
    return "SecretHeaders" + byName.keySet();
  }
}
