package skein.http;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.model.StimulusHash;

/**
 * A part of an answer, where the workflow allows for parts by {@code Accept-Ranges: bytes} and the
 * request asks for one (RFC 9110, 14). Several parts at once are not cut out: the answer is then
 * whole, as the RFC permits.
 */
final class EndpointRanges {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  private EndpointRanges() {}

  /** The headers of a request about ranges; values as sent. */
  record Wanted(
      String method,
      @Nullable String range,
      @Nullable String ifRange,
      @Nullable String ifNoneMatch) {
    static Wanted of(Call call) {
      return new Wanted(
          call.method(),
          call.header("Range"),
          call.header("If-Range"),
          call.header("If-None-Match"));
    }
  }

  static Answer of(Wanted wanted, Answer whole) {
    if (whole.status() != 200 || !"bytes".equals(header(whole, "Accept-Ranges"))) {
      return whole;
    }
    var given = header(whole, "ETag");
    var tag = given == null ? tag(whole.body()) : given;
    var tagged = given == null ? whole.with("ETag", tag) : whole;
    if (known(wanted.ifNoneMatch(), tag)) {
      return new Answer(304, tagged.headers(), null, Buffer.buffer());
    }
    var range = wanted.range();
    var condition = wanted.ifRange();
    boolean get = wanted.method().equals("GET");
    return !get || range == null || (condition != null && !condition.strip().equals(tag))
        ? tagged
        : part(tagged, range.strip());
  }

  private static Answer part(Answer whole, String range) {
    var matcher = RANGE.matcher(range);
    if (!matcher.matches() || (matcher.group(1).isEmpty() && matcher.group(2).isEmpty())) {
      return whole;
    }
    int length = whole.body().length();
    long from;
    long to;
    if (matcher.group(1).isEmpty()) {
      from = Math.max(0, length - Long.parseLong(matcher.group(2)));
      to = length - 1L;
    } else {
      from = Long.parseLong(matcher.group(1));
      to =
          matcher.group(2).isEmpty()
              ? length - 1L
              : Math.min(length - 1L, Long.parseLong(matcher.group(2)));
      if (!matcher.group(2).isEmpty() && Long.parseLong(matcher.group(2)) < from) {
        return whole; // Not a range: to be ignored.
      }
    }
    if (from >= length || to < from) {
      return Answer.empty(416)
          .with("Content-Range", "bytes */" + length)
          .with("Accept-Ranges", "bytes");
    }
    return new Answer(
            206,
            whole.headers(),
            whole.contentType(),
            whole.body().getBuffer((int) from, (int) to + 1))
        .with("Content-Range", "bytes " + from + "-" + to + "/" + length);
  }

  /** Follows from the content, so that a part never continues another content. */
  private static String tag(Buffer body) {
    var text = new String(body.getBytes(), StandardCharsets.ISO_8859_1);
    return "\"" + StimulusHash.sha256(text).substring(0, 32) + "\"";
  }

  private static boolean known(@Nullable String condition, String tag) {
    if (condition == null) {
      return false;
    }
    var weak = tag.startsWith("W/") ? tag.substring(2) : tag;
    for (var item : condition.split(",", -1)) {
      var other = item.strip();
      if (other.equals("*") || (other.startsWith("W/") ? other.substring(2) : other).equals(weak)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String header(Answer answer, String name) {
    for (var header : answer.headers().entrySet()) {
      if (header.getKey().equalsIgnoreCase(name)) {
        return header.getValue();
      }
    }
    return null;
  }
}
