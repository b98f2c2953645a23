package skein.work;

import io.vertx.core.MultiMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretUses;

/**
 * Headers with secrets, looked up for one attempt of one request.
 *
 * @param byName whole headers
 * @param used the secrets in them
 */
record SecretHeaders(Map<String, String> byName, UsedSecrets used) {
  static final SecretHeaders NONE = new SecretHeaders(Map.of(), UsedSecrets.NONE);

  /**
   * May block.
   *
   * @param written by name, with {@code ${name}} for each secret
   * @throws WorkRefusedException one is missing
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
                  var secret = WorkRefusedException.secret(source, found.group(1));
                  values.add(secret);
                  return Matcher.quoteReplacement(secret);
                })));
    return new SecretHeaders(headers, UsedSecrets.of(values));
  }

  boolean isHeader(String name) {
    return byName.keySet().stream().anyMatch(name::equalsIgnoreCase);
  }

  /** An answer may repeat what was sent, and is kept. */
  HttpAnswer hiddenIn(HttpAnswer answer) {
    if (used.isNone()) {
      return answer;
    }
    var headers = MultiMap.caseInsensitiveMultiMap();
    answer.headers().forEach((name, value) -> headers.add(name, used.hiddenIn(value)));
    return new HttpAnswer(answer.from(), answer.status(), headers, used.hiddenIn(answer.body()));
  }

  @Override
  public String toString() {
    return "SecretHeaders" + byName.keySet();
  }
}
