package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.http.ElsaClientTable.Method;

/**
 * Sends requests as Elsa's client library for .NET does by means of Refit 9, and reads the answers
 * as it does: paths and queries are escaped, names of the query are those of properties or
 * parameters, null parameters are left out but in the route, true is {@code True}, lists are
 * repeated, bodies are JSON in chunks, and files come without a type.
 */
final class ElsaClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");
  private static final String BOUNDARY = "----MyGreatBoundary";

  private final ElsaClientTable table;
  private final ElsaClientJson json;
  private final URI api;
  private final String authorization;
  private final Set<String> answered = new HashSet<>();

  /** {@code authorization}: the header of that name. */
  ElsaClient(ElsaClientTable table, URI api, String authorization) {
    this.table = table;
    this.json = new ElsaClientJson(table);
    this.api = api;
    this.authorization = authorization;
  }

  record Answered(Method method, HttpResponse<byte[]> response) {
    byte[] bytes() {
      return response.body();
    }

    int status() {
      return response.statusCode();
    }

    String text() {
      return new String(bytes(), UTF_8);
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    Map<String, @Nullable Object> json() {
      return JsonText.parseObject(text(), JsonLimits.STORED);
    }

    /** The name that the client gives a download. */
    String fileName() {
      for (var part : header("Content-Disposition").split(";", -1)) {
        if (part.strip().startsWith("filename=")) {
          return part.strip().substring("filename=".length()).replaceAll("^[\"']|[\"']$", "");
        }
      }
      return "";
    }
  }

  /** Succeeds with an answer that the client can read. */
  Answered call(String key, @Nullable Object... namesAndValues)
      throws IOException, InterruptedException {
    var answer = send(key, namesAndValues);
    var method = answer.method();
    assertThat(answer.status()).as("%s: %s", key, answer.text()).isBetween(200, 299);
    switch (method.answer()) {
      case "-", "message" -> {}
      case "stream" -> assertThat(answer.bytes()).as(key).isNotEmpty();
      default ->
          assertThat(
                  json.violations(
                      method.answer(), JsonText.parse(answer.text(), JsonLimits.STORED)))
              .as("%s: %s", key, answer.text())
              .isEmpty();
    }
    answered.add(key);
    return answer;
  }

  /** Whether {@link #call} has succeeded with that method. */
  boolean wasAnswered(String key) {
    return answered.contains(key);
  }

  /** Fails as an exception whose problem details the client can read. */
  Answered refused(String key, int status, @Nullable Object... namesAndValues)
      throws IOException, InterruptedException {
    var answer = send(key, namesAndValues);
    assertThat(answer.status()).as("%s: %s", key, answer.text()).isEqualTo(status);
    assertThat(Call.mediaType(answer.header("Content-Type"))).isEqualTo("application/problem+json");
    var problem = answer.json();
    assertThat(problem).containsEntry("status", (long) status);
    for (var text : List.of("type", "title", "detail")) {
      assertThat(problem.get(text)).as("%s of %s", text, answer.text()).isInstanceOf(String.class);
    }
    if (problem.containsKey("errors")) {
      assertThat(problem.get("errors")).isInstanceOf(Map.class);
      var errors = (Map<?, ?>) problem.get("errors");
      assertThat(requireNonNull(errors).values())
          .allSatisfy(all -> assertThat(json.violations("text[]", all)).isEmpty());
    }
    return answer;
  }

  /**
   * {@code namesAndValues}: parameters of the method, in which a type of the table is a map of its
   * members, and files are a map of their names and bytes.
   */
  private Answered send(String key, @Nullable Object... namesAndValues)
      throws IOException, InterruptedException {
    var method = requireNonNull(table.methods.get(key), key);
    var values = values(namesAndValues);
    var sends = method.sends();
    var request =
        HttpRequest.newBuilder(URI.create(api + target(method, values)))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", authorization);
    var type = sends.body();
    var header = sends.header();
    if (header != null) {
      request.header(header, String.valueOf(values.get(header)));
    }
    BodyPublisher body = BodyPublishers.noBody();
    if (sends.files()) {
      request.header("Content-Type", "multipart/form-data; boundary=\"" + BOUNDARY + "\"");
      body = BodyPublishers.ofByteArray(files((Map<?, ?>) requireNonNull(values.get("files"))));
    } else if (type != null) {
      request.header("Content-Type", "application/json; charset=utf-8");
      var sent = body(type, values.get("body"));
      body = BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(JsonText.printBytes(sent)));
    }
    var response =
        HTTP.send(request.method(method.verb(), body).build(), BodyHandlers.ofByteArray());
    return new Answered(method, response);
  }

  /** Null is sent as such where there is no body. */
  private @Nullable Object body(String type, @Nullable Object given) {
    return given instanceof Map<?, ?> map ? json.written(type, map) : null;
  }

  private static Map<String, @Nullable Object> values(@Nullable Object... namesAndValues) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return values;
  }

  /** Path and query. */
  String target(Method method, Map<String, @Nullable Object> values) {
    var filled =
        PARAMETER
            .matcher(method.route())
            .replaceAll(found -> escaped(formatted(values.get(found.group(1)))));
    int mark = filled.indexOf('?');
    var query = new ArrayList<String>();
    if (mark >= 0) {
      for (var pair : filled.substring(mark + 1).split("&", -1)) {
        int equals = pair.indexOf('=');
        add(query, pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), UTF_8));
      }
    }
    var type = method.sends().query();
    if (type != null) {
      json.written(type, members(values.get("query")))
          .forEach((name, value) -> add(query, name, isJoined(type, name) ? joined(value) : value));
    }
    method.sends().parameters().forEach(name -> add(query, name, values.get(name)));
    var path = mark < 0 ? filled : filled.substring(0, mark);
    return query.isEmpty() ? path : path + "?" + String.join("&", query);
  }

  private static Map<?, ?> members(@Nullable Object given) {
    return given instanceof Map<?, ?> map ? map : Map.of();
  }

  private boolean isJoined(String type, String name) {
    return requireNonNull(table.types.get(type)).stream()
        .anyMatch(member -> member.name().equals(name) && member.kind().startsWith("joined"));
  }

  private static @Nullable Object joined(@Nullable Object value) {
    return value instanceof List<?> list
        ? list.stream().map(ElsaClient::formatted).collect(Collectors.joining(","))
        : value;
  }

  private static void add(List<String> query, String name, @Nullable Object value) {
    if (value instanceof List<?> list) {
      list.forEach(item -> add(query, name, item));
    } else if (value != null) {
      query.add(escaped(name) + "=" + escaped(formatted(value)));
    }
  }

  private static String formatted(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Boolean flag -> flag ? "True" : "False";
      case Object other -> String.valueOf(other);
    };
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static byte[] files(Map<?, ?> files) {
    var body = new ByteArrayOutputStream();
    files.forEach((name, bytes) -> {
      body.writeBytes(
          "--%s\r\nContent-Disposition: form-data; name=files; filename=%s; filename*=utf-8''%s\r\n\r\n"
              .formatted(BOUNDARY, name, name)
              .getBytes(UTF_8));
      body.writeBytes((byte[]) bytes);
      body.writeBytes("\r\n".getBytes(UTF_8));
    });
    body.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(UTF_8));
    return body.toByteArray();
  }
}
