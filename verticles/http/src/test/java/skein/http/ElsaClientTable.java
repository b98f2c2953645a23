package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * The methods of Elsa's client library for .NET (Elsa.Api.Client 3.8), and the types that they send
 * and read, as {@code elsa-client.txt} declares them:
 *
 * <pre>
 * [enum WorkflowStatus] Running Finished
 *
 * [type ListActivityExecutionsRequest]
 * WorkflowInstanceId text null
 *
 * [IActivityExecutionsApi]
 * ListAsync | GET /activity-executions/list | query=ListActivityExecutionsRequest | ListResponse&lt;X> | answered
 * </pre>
 *
 * <p>A member has a name, a kind, and in requests the value that is sent where the program says
 * nothing. Kinds are {@code text}, {@code int}, {@code long}, {@code number}, {@code bool}, {@code
 * date}, {@code span}, {@code version}, {@code object}, {@code map}, {@code map<text>}, {@code
 * any}, and the names of types and enums; {@code []} makes a list of them. {@code ?} may be null or
 * absent; {@code =} may be absent, since the client's class has a value of its own then; {@code ~}
 * is what Elsa's server does not send, either.
 *
 * <p>A method has its name, verb and route; what it sends beside the parameters in its route; what
 * it reads: a type, {@code -} for nothing, {@code stream} or {@code message} for an answer that the
 * program reads by itself; and what it is here: {@code answered}, or {@code off} with the feature
 * that is not there.
 */
final class ElsaClientTable {
  private static final String FILE = "/skein/http/elsa-client.txt";

  /** {@code fallback}: what is sent where the program says nothing. */
  record Member(String name, String kind, @Nullable Object fallback) {}

  /**
   * @param body type of the body; null for none
   * @param query type whose members are parameters of the query; null for none
   * @param header name of a header that is a parameter; null for none
   * @param files whether files are sent
   * @param parameters of the query
   */
  record Sends(
      @Nullable String body,
      @Nullable String query,
      @Nullable String header,
      boolean files,
      List<String> parameters) {
    private static Sends parse(String text) {
      String body = null;
      String query = null;
      String header = null;
      boolean files = false;
      var parameters = new ArrayList<String>();
      for (var word : words(text)) {
        int equals = word.indexOf('=');
        var value = word.substring(equals + 1);
        switch (equals < 0 ? word : word.substring(0, equals)) {
          case "body" -> body = value;
          case "query" -> query = value;
          case "header" -> header = value;
          case "files" -> files = true;
          default -> parameters.add(value);
        }
      }
      return new Sends(body, query, header, files, List.copyOf(parameters));
    }
  }

  /**
   * @param api name of the interface
   * @param route below the address of the API, with its query
   * @param answer type of the answer
   * @param here "answered", or "off: feature"
   */
  record Method(
      String api, String name, String verb, String route, Sends sends, String answer, String here) {
    String key() {
      return api + "." + name;
    }

    boolean isAnswered() {
      return here.equals("answered");
    }

    /** As {@link ElsaRoutes.Route#key}. */
    String routeKey() {
      var path = route.contains("?") ? route.substring(0, route.indexOf('?')) : route;
      return verb + " " + path.replaceAll("\\{[^}]+}", ":");
    }
  }

  final Map<String, List<String>> enums = new LinkedHashMap<>();
  final Map<String, List<Member>> types = new LinkedHashMap<>();
  final Map<String, Method> methods = new LinkedHashMap<>();

  private ElsaClientTable() {}

  static ElsaClientTable read() throws IOException {
    try (var in = requireNonNull(ElsaClientTable.class.getResourceAsStream(FILE))) {
      var table = new ElsaClientTable();
      var section = "";
      for (var line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        if (line.startsWith("[")) {
          section = table.section(line);
        } else if (!line.isEmpty()) {
          table.add(section, line);
        }
      }
      return table;
    }
  }

  private String section(String line) {
    int end = line.indexOf(']');
    var name = line.substring(1, end);
    if (name.startsWith("enum ")) {
      enums.put(name.substring("enum ".length()), words(line.substring(end + 1)));
    } else if (name.startsWith("type ")) {
      types.put(name.substring("type ".length()), new ArrayList<>());
    }
    return name;
  }

  private void add(String section, String line) {
    if (section.startsWith("type ")) {
      requireNonNull(types.get(section.substring("type ".length()))).add(member(line));
      return;
    }
    var cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
    int space = cells.get(1).indexOf(' ');
    var method =
        new Method(
            section,
            cells.get(0),
            cells.get(1).substring(0, space),
            cells.get(1).substring(space + 1),
            Sends.parse(cells.get(2)),
            cells.get(3),
            cells.get(4));
    if (methods.put(method.key(), method) != null) {
      throw new IllegalArgumentException("Twice: " + line);
    }
  }

  private static Member member(String line) {
    var cells = line.split(" ", 3);
    return new Member(
        cells[0], cells[1], cells.length < 3 ? null : JsonText.parse(cells[2], JsonLimits.DEFAULT));
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.strip().split(" ", -1)).filter(word -> !word.isEmpty()).toList();
  }
}
