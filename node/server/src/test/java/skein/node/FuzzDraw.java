package skein.node;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Draws requests: the same seed draws the same request, as long as the program is the same. */
final class FuzzDraw {
  private static final Pattern PARAMETER = Pattern.compile(":([A-Za-z]+)");
  private static final String BOUNDARY = "fuzz7boundary";
  private static final List<String> METHODS =
      List.of(
          "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get",
          "X-Y");
  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/json; charset=utf-16",
          "application/problem+json",
          "text/json",
          "text/plain",
          "text/html",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
          "multipart/form-data; boundary=" + BOUNDARY,
          "multipart/form-data; boundary=\"\"",
          "application/zip",
          "application/octet-stream",
          "*/*",
          ";",
          "application/json, text/html");
  private static final List<String> ESCAPED =
      List.of(
          "%00",
          "%0a",
          "%20",
          "%25",
          "%2f",
          "%5c",
          "%2e%2e",
          "%c3%28",
          "%ed%a0%80",
          "%f0%9f%98%80",
          "%c0%80",
          "%ff",
          "%zz",
          "%",
          "%u0041",
          ";a=b",
          "+",
          "..",
          ".",
          "~",
          "'",
          "\"",
          "<",
          "|",
          "\u00e9",
          "%e2%80%8b",
          "%CC%81",
          "%0d%0aX:%201",
          ":",
          "@",
          "*",
          "{}",
          "$",
          "&",
          "=",
          "!");

  private final List<String> routes;
  private final FuzzWords words;
  private final FuzzWorld world;
  private final FuzzJson json;

  /** {@code routes}: as {@code GET /elsa/api/x/:id}; the method {@code *} is any. */
  FuzzDraw(List<String> routes, FuzzWords words, FuzzWorld world) {
    this.routes = List.copyOf(routes);
    this.words = words;
    this.world = world;
    this.json = new FuzzJson(words);
  }

  private static boolean one(Random random, int of) {
    return random.nextInt(of) == 0;
  }

  private static <T> T of(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  FuzzRequest draw(long seed) {
    var random = new Random(seed * 0x9E3779B97F4A7C15L);
    var route = of(routes, random);
    int blank = route.indexOf(' ');
    var method = route.substring(0, blank);
    if (method.equals("*") || one(random, 12)) {
      method = of(METHODS, random);
    }
    var path = path(route, route.substring(blank + 1), random);
    var headers = new ArrayList<String>();
    headers.add(one(random, 100) ? "Host: " + words.name(random) : "Host: 127.0.0.1");
    headers.add("User-Agent: fuzz/" + seed);
    boolean bodied = List.of("POST", "PUT", "PATCH").contains(method) || one(random, 12);
    byte[] body = bodied ? body(route, headers, random) : new byte[0];
    if (one(random, 3)) {
      more(headers, random);
    }
    var sending =
        one(random, 5)
            ? of(Arrays.asList(FuzzRequest.Sending.values()), random)
            : FuzzRequest.Sending.WHOLE;
    return new FuzzRequest(
        seed, route, method, path + query(route, random), headers, Buffer.buffer(body), sending);
  }

  private String path(String route, String pattern, Random random) {
    var path =
        PARAMETER
            .matcher(pattern)
            .replaceAll(
                found -> Matcher.quoteReplacement(parameter(route, found.group(1), random)));
    if (path.endsWith("*")) {
      path = path.substring(0, path.length() - 1) + endpoint(random);
    }
    return switch (random.nextInt(60)) {
      case 0 -> path + "/";
      case 1 -> path.replaceFirst("/", "//");
      case 2 -> path + "/" + of(ESCAPED, random);
      case 3 -> path.toUpperCase(Locale.ROOT);
      case 4 -> path.substring(0, 1 + random.nextInt(path.length()));
      case 5 -> "http://127.0.0.1" + path;
      case 6 -> path.replace("/elsa/", "/%65lsa/");
      default -> path;
    };
  }

  private String endpoint(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> world.anyId(random);
      case 1 -> escaped(words.text(random), random);
      case 2 -> "resume/" + world.parameter("", "token", random);
      default -> "fuzz/answer/" + (one(random, 3) ? of(ESCAPED, random) : "7");
    };
  }

  private String parameter(String route, String name, Random random) {
    if (route.endsWith("/drain")) {
      return "n9"; // it would go: the last one may be stopped
    }
    var valid = world.parameter(route, name, random);
    return switch (random.nextInt(20)) {
      case 0 -> valid.toUpperCase(Locale.ROOT);
      case 1 -> valid + of(ESCAPED, random);
      case 2 -> of(ESCAPED, random) + valid;
      case 3 -> escaped(words.text(random), random);
      case 4 -> world.anyId(random);
      case 5 -> "x".repeat(one(random, 5) ? 5_000 : 254 + random.nextInt(4));
      case 6 -> valid + "-1";
      case 7 -> valid.substring(0, valid.length() / 2);
      default -> valid;
    };
  }

  /** So that it is one segment; seldom as it is, as far as a line can have it. */
  private static String escaped(String text, Random random) {
    var cut = text.length() > 1_500 ? text.substring(0, 1_500) : text;
    return one(random, 10)
        ? cut.replaceAll("[\\s?#\\x00-\\x1f]", "_")
        : URLEncoder.encode(cut, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String query(String route, Random random) {
    if (!one(random, 2)) {
      return "";
    }
    var query = new StringBuilder("?");
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      query
          .append(query.length() > 1 ? "&" : "")
          .append(escaped(words.name(route, random), random));
      query.append('=');
      query.append(escaped(one(random, 3) ? world.anyId(random) : words.text(random), random));
    }
    if (one(random, 20)) {
      query.append(of(ESCAPED, random));
    }
    return query.toString();
  }

  private void more(List<String> headers, Random random) {
    var value = words.text(random).replaceAll("[\\r\\n\\x00]", "?");
    var cut = value.length() > 6_000 ? value.substring(0, 6_000) : value;
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> headers.add("Idempotency-Key: key-" + random.nextInt(30));
      case 3 -> headers.add("Idempotency-Key: " + cut);
      case 4 -> headers.add("If-Match: " + cut);
      case 5 -> headers.add("Accept: " + (one(random, 2) ? "text/html" : cut));
      case 6 -> headers.add("Content-Encoding: " + (one(random, 2) ? "gzip" : cut));
      case 7 -> headers.add("Range: " + (one(random, 2) ? "bytes=0-1" : cut));
      case 8 ->
          headers.add("X-Workflow-Instance-ID: " + (one(random, 2) ? world.anyId(random) : cut));
      case 9 -> headers.add("X-Correlation-ID: " + cut);
      case 10 -> headers.add("X-Forwarded-For: " + cut);
      case 11 -> headers.add("X-Skein-User: " + cut);
      case 12 -> headers.add("Origin: " + (one(random, 2) ? "http://127.0.0.1" : cut));
      case 13 -> headers.add("Expect: " + (one(random, 2) ? "100-continue" : cut));
      case 14 -> headers.add("X-" + words.name(random) + ": " + cut);
      default -> headers.add("Cookie: " + cut);
    }
  }

  private byte[] body(String route, List<String> headers, Random random) {
    if (one(random, 25)) {
      headers.add("Content-Type: " + of(TYPES, random));
      return of(List.of("", "null", "[]", "\"a\"", "1", "a=b&c=%zz", "\u0000", "{"), random)
          .getBytes(StandardCharsets.UTF_8);
    }
    var valid = one(random, 15) ? json.any(random) : world.body(route, random);
    var text = json.broken(valid, random.nextInt(4), random);
    boolean takesFiles = route.contains("import");
    if ((takesFiles && one(random, 2)) || one(random, 60)) {
      headers.add("Content-Type: multipart/form-data; boundary=" + BOUNDARY);
      return mangled(multipart(text, random), random);
    }
    headers.add("Content-Type: " + (one(random, 25) ? of(TYPES, random) : "application/json"));
    return mangled(text.getBytes(encoding(random)), random);
  }

  private static Charset encoding(Random random) {
    return switch (random.nextInt(60)) {
      case 0 -> StandardCharsets.UTF_16;
      case 1 -> StandardCharsets.UTF_16LE;
      case 2 -> StandardCharsets.ISO_8859_1;
      case 3 -> Charset.forName("UTF-32");
      default -> StandardCharsets.UTF_8;
    };
  }

  private byte[] multipart(String text, Random random) {
    var out = new ByteArrayOutputStream();
    for (int i = random.nextInt(3); i >= 0; i--) {
      boolean zip = one(random, 2);
      var name = one(random, 6) ? words.text(random).replaceAll("[\\r\\n]", "") : "a" + i;
      var cut = name.length() > 3_000 ? name.substring(0, 3_000) : name;
      out.writeBytes(
          ("--"
                  + BOUNDARY
                  + "\r\nContent-Disposition: form-data; name=\"files\"; filename=\""
                  + cut
                  + (zip ? ".zip" : ".json")
                  + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
              .getBytes(StandardCharsets.UTF_8));
      out.writeBytes(zip ? zip(text, random) : text.getBytes(StandardCharsets.UTF_8));
      out.writeBytes(new byte[] {'\r', '\n'});
    }
    out.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  private static byte[] zip(String text, Random random) {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        zip.putNextEntry(new ZipEntry(one(random, 5) ? "../../" + i + ".json" : "e" + i + ".json"));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        if (one(random, 20)) { // small here, large when unpacked
          for (int more = 0; more < 80; more++) {
            zip.write(new byte[1 << 20]);
          }
        }
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] mangled(byte[] body, Random random) {
    return switch (random.nextInt(40)) {
      case 0 -> Arrays.copyOf(body, random.nextInt(body.length + 1));
      case 1 -> flipped(body, random);
      case 2 -> gzipped(body);
      case 3 -> joined(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, body);
      case 4 -> joined(body, body);
      default -> body;
    };
  }

  private static byte[] flipped(byte[] body, Random random) {
    var copy = body.clone();
    for (int i = 0; i < 3 && copy.length > 0; i++) {
      copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
    }
    return copy;
  }

  private static byte[] gzipped(byte[] body) {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    var all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
