package skein.expressions;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import skein.codecs.WebText;

/** Filters that make text of text. What may be longer than its parts is bounded before. */
final class LiquidTextFilters {
  /** The longest of what one character may become. */
  private static final int ESCAPED_CHARS = 6;

  private static final int ENCODED_CHARS = 9;

  private static final int HASHED_PER_INSTRUCTION = 16;

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final Pattern NEWLINE = Pattern.compile("\r\n|\n");
  private static final Pattern SPACES = Pattern.compile("\\s++");
  private static final Pattern ENTITY =
      Pattern.compile("&(?!(?:[a-zA-Z]{1,10}|#[0-9]{1,8}|#x[0-9A-Fa-f]{1,8});)");

  private LiquidTextFilters() {}

  static void addTo(Map<String, LiquidFilter> filters) {
    addCases(filters);
    addSpaces(filters);
    addReplacements(filters);
    addEncodings(filters);
    filters.put("append", call -> glued(call, call.text(), call.text(0, "")));
    filters.put("prepend", call -> glued(call, call.text(0, ""), call.text()));
    filters.put("slice", LiquidTextFilters::slice);
    filters.put("split", LiquidTextFilters::split);
    filters.put("truncate", LiquidTextFilters::truncate);
    filters.put("truncatewords", LiquidTextFilters::truncateWords);
    filters.put("md5", call -> hashed(call, "MD5"));
    filters.put("sha1", call -> hashed(call, "SHA-1"));
    filters.put("sha256", call -> hashed(call, "SHA-256"));
    filters.put("handle", LiquidTextFilters::handle);
    filters.put("handleize", LiquidTextFilters::handle);
  }

  private static void addCases(Map<String, LiquidFilter> filters) {
    filters.put("downcase", call -> call.text().toLowerCase(Locale.ROOT));
    filters.put("upcase", call -> call.text().toUpperCase(Locale.ROOT));
    filters.put(
        "capitalize",
        call -> {
          var text = call.text();
          return text.isEmpty()
              ? text
              : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
        });
  }

  private static void addSpaces(Map<String, LiquidFilter> filters) {
    filters.put("strip", call -> call.text().strip());
    filters.put("lstrip", call -> call.text().stripLeading());
    filters.put("rstrip", call -> call.text().stripTrailing());
    filters.put("strip_newlines", call -> NEWLINE.matcher(call.text()).replaceAll(""));
    filters.put("newline_to_br", call -> grown(call, NEWLINE, "<br />\n"));
    filters.put("strip_html", LiquidTextFilters::stripHtml);
  }

  private static void addReplacements(Map<String, LiquidFilter> filters) {
    filters.put("replace", call -> replaced(call, call.text(1, "")));
    filters.put("remove", call -> replaced(call, ""));
    filters.put("replace_first", call -> replacedOnce(call, call.text(1, ""), false));
    filters.put("remove_first", call -> replacedOnce(call, "", false));
    filters.put("replace_last", call -> replacedOnce(call, call.text(1, ""), true));
    filters.put("remove_last", call -> replacedOnce(call, "", true));
  }

  private static void addEncodings(Map<String, LiquidFilter> filters) {
    filters.put("escape", call -> escaped(call, call.text().replace("&", "&amp;")));
    filters.put("escape_once", call -> escaped(call, grown(call, ENTITY, "&amp;")));
    filters.put("url_encode", LiquidTextFilters::urlEncoded);
    filters.put("url_decode", LiquidTextFilters::urlDecoded);
    filters.put("base64", LiquidTextFilters::base64);
    filters.put("base64_encode", call -> Base64.getEncoder().encodeToString(bytes(call)));
    filters.put("base64_decode", call -> decoded(Base64.getDecoder(), call));
    filters.put(
        "base64_url_safe_encode", call -> Base64.getUrlEncoder().encodeToString(bytes(call)));
    filters.put("base64_url_safe_decode", call -> decoded(Base64.getUrlDecoder(), call));
  }

  /** As forms have it: a space becomes a plus. */
  private static String urlEncoded(LiquidCall call) {
    var encoded = new StringBuilder();
    for (var b : bounded(call, ENCODED_CHARS).getBytes(StandardCharsets.UTF_8)) {
      var c = (char) Byte.toUnsignedInt(b);
      if (c == ' ') {
        encoded.append('+');
      } else if (c < 0x80 && (Character.isLetterOrDigit(c) || "-_.!*()".indexOf(c) >= 0)) {
        encoded.append(c);
      } else {
        encoded.append('%').append(HEX.toHexDigits(b));
      }
    }
    return encoded.toString();
  }

  private static String urlDecoded(LiquidCall call) {
    var encoded = call.text().getBytes(StandardCharsets.UTF_8);
    var decoded = new ByteArrayOutputStream(encoded.length);
    for (var i = 0; i < encoded.length; i++) {
      if (encoded[i] != '%') {
        decoded.write(encoded[i] == '+' ? ' ' : encoded[i]);
      } else if (i + 2 < encoded.length
          && HexFormat.isHexDigit(encoded[i + 1])
          && HexFormat.isHexDigit(encoded[i + 2])) {
        decoded.write(
            16 * HexFormat.fromHexDigit(encoded[i + 1]) + HexFormat.fromHexDigit(encoded[i + 2]));
        i += 2;
      } else {
        throw new IllegalArgumentException("not URL encoded: a % needs two hexadecimal digits");
      }
    }
    return decoded.toString(StandardCharsets.UTF_8);
  }

  /** Elsa's own: lists and objects are JSON. */
  private static Object base64(LiquidCall call) {
    var json =
        switch (call.input()) {
          case Collection<?> list -> JsonText.print(list);
          case Object[] list -> JsonText.print(Arrays.asList(list));
          case LiquidScope.Outputs _ -> null;
          case Map<?, ?> map -> JsonText.print(map);
          case null, default -> null;
        };
    if (json == null) {
      return Base64.getEncoder().encodeToString(bytes(call));
    }
    call.budget().string(json.length());
    return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  /** Nothing has no hash, as in Elsa. */
  private static String hashed(LiquidCall call, String algorithm) {
    var bytes = bytes(call);
    call.budget().spend(bytes.length / HASHED_PER_INSTRUCTION);
    return bytes.length == 0 ? "" : WebText.hash(algorithm, bytes);
  }

  /** {@code HelloWorld} is {@code hello-world}; all but letters and digits is left out. */
  private static String handle(LiquidCall call) {
    var text = call.text();
    var handle = new StringBuilder();
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (!Character.isLetterOrDigit(c)) {
        continue;
      }
      var inside = i > 0 && i < text.length() - 1;
      var next = inside ? text.charAt(i + 1) : ' ';
      var begins =
          inside
              && isCapital(c)
              && !isCapital(next)
              && !Character.isDigit(next)
              && !handle.isEmpty()
              && handle.charAt(handle.length() - 1) != '-';
      handle.append(begins ? "-" : "").append(c);
      if (inside && isCapital(next) && !isCapital(c) && !Character.isDigit(c)) {
        handle.append('-');
      }
    }
    call.budget().string(handle.length());
    return handle.toString().toLowerCase(Locale.ROOT);
  }

  private static boolean isCapital(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static byte[] bytes(LiquidCall call) {
    return call.text().getBytes(StandardCharsets.UTF_8);
  }

  private static String decoded(Base64.Decoder decoder, LiquidCall call) {
    try {
      return new String(decoder.decode(call.text()), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not Base64", e);
    }
  }

  private static String bounded(LiquidCall call, int factor) {
    var text = call.text();
    call.budget().string((long) text.length() * factor);
    return text;
  }

  private static String grown(LiquidCall call, Pattern pattern, String replacement) {
    return pattern.matcher(bounded(call, replacement.length())).replaceAll(replacement);
  }

  private static String escaped(LiquidCall call, String text) {
    call.budget().string((long) text.length() * ESCAPED_CHARS);
    return text.replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private static String glued(LiquidCall call, String one, String other) {
    call.budget().string((long) one.length() + other.length());
    return one + other;
  }

  private static String replaced(LiquidCall call, String replacement) {
    var text = call.text();
    var sought = call.text(0, "");
    if (sought.isEmpty()) {
      return text;
    }
    searched(call, text, sought);
    var growth = (double) replacement.length() / sought.length();
    call.budget().string((long) (text.length() * Math.max(1, growth)));
    return text.replace(sought, replacement);
  }

  private static String replacedOnce(LiquidCall call, String replacement, boolean last) {
    var text = call.text();
    var sought = call.text(0, "");
    searched(call, text, sought);
    var at = last ? text.lastIndexOf(sought) : text.indexOf(sought);
    if (at < 0 || sought.isEmpty()) {
      return text;
    }
    call.budget().string((long) text.length() + replacement.length());
    return text.substring(0, at) + replacement + text.substring(at + sought.length());
  }

  private static void searched(LiquidCall call, String text, String sought) {
    call.budget().spend((long) text.length() * sought.length() / 100);
  }

  /** A negative start counts from the end. */
  private static Object slice(LiquidCall call) {
    var list = call.isList() ? call.list() : null;
    var text = list == null ? call.text() : "";
    var size = list == null ? text.length() : list.size();
    var given = call.integer(0, 0);
    var from = given < 0 ? given + size : given;
    var length = Math.max(0, call.integer(1, 1));
    if (from < 0 || from > size) {
      return list == null ? "" : List.of();
    }
    var to = (int) Math.min(size, (long) from + length);
    return list == null ? text.substring(from, to) : List.copyOf(list.subList(from, to));
  }

  /** Empty parts at the end are left out. */
  private static List<String> split(LiquidCall call) {
    var text = call.text();
    var separator = call.text(0, "");
    searched(call, text, separator);
    var parts = new ArrayList<String>();
    var from = 0;
    while (from < text.length()) {
      var next = separator.isEmpty() ? from + 1 : text.indexOf(separator, from);
      var to = next < 0 ? text.length() : next;
      parts.add(text.substring(from, to));
      call.budget().elements(1);
      from = to + separator.length();
    }
    while (!parts.isEmpty() && parts.getLast().isEmpty()) {
      parts.removeLast();
    }
    return parts;
  }

  private static String truncate(LiquidCall call) {
    var text = call.text();
    var end = call.text(1, "...");
    var length = Math.max(0, call.integer(0, 50));
    return length >= text.length()
        ? text
        : text.substring(0, Math.max(0, length - end.length())) + end;
  }

  private static String truncateWords(LiquidCall call) {
    var text = call.text();
    var words = SPACES.split(text.strip());
    var length = Math.max(1, call.integer(0, 15));
    call.budget().elements(words.length);
    return length >= words.length
        ? text
        : String.join(" ", List.of(words).subList(0, length)) + call.text(1, "...");
  }

  /** Scripts, styles and comments go with what is in them. */
  private static String stripHtml(LiquidCall call) {
    var html = call.text();
    var plain = new StringBuilder();
    var at = 0;
    for (var open = html.indexOf('<'); open >= 0; open = html.indexOf('<', at)) {
      plain.append(html, at, open);
      var close = end(html, open);
      if (close < 0) {
        return plain.append(html, open, html.length()).toString();
      }
      at = close;
      call.budget().spend(1);
    }
    return plain.append(html, at, html.length()).toString();
  }

  private static int end(String html, int open) {
    var closing =
        html.startsWith("<!--", open)
            ? "-->"
            : html.startsWith("<script", open)
                ? "</script>"
                : html.startsWith("<style", open) ? "</style>" : ">";
    var at = html.indexOf(closing, open);
    return at < 0 ? -1 : at + closing.length();
  }
}
