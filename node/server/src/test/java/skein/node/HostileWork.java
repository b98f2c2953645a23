package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import skein.node.Http.Answer;

/** What callers who may publish and start do to a node, by work that never ends or is too large. */
enum HostileWork {
  SCRIPTS("scripts that want all time and memory", 8, 10) {
    @Override
    void prepare(Api api) {
      for (int i = 0; i < SCRIPTS_OF_ALL_KINDS.size(); i++) {
        var script = new JsonObject().put("type", "Elsa.RunJavaScript").put("id", "s");
        script.put("script", SCRIPTS_OF_ALL_KINDS.get(i));
        api.publish(definition("hostile-script-" + i, script));
      }
    }

    @Override
    Answer once(Api api, int number) {
      var id = "hostile-script-" + number % SCRIPTS_OF_ALL_KINDS.size();
      return api.start(new JsonObject().put("definitionId", id));
    }
  },
  FORMS("forms whose answers take long to check", 8, 10) {
    @Override
    void prepare(Api api) {
      for (int i = 0; i < FORMS_AND_ANSWERS.size(); i++) {
        var form = new JsonObject(FORMS_AND_ANSWERS.get(i).getFirst().replace('\'', '"'));
        var task = new JsonObject().put("type", "Skein.UserTask").put("id", "t").put("title", "T");
        api.publish(definition("hostile-form-" + i, task.put("form", form)));
      }
    }

    @Override
    Answer once(Api api, int number) {
      int kind = number % FORMS_AND_ANSWERS.size();
      var started = api.start(new JsonObject().put("definitionId", "hostile-form-" + kind));
      if (started.status() >= 300) {
        return started;
      }
      var waiting = "/elsa/api/user-tasks?pageSize=20&definitionId=hostile-form-" + kind;
      var found = api.http().get(waiting);
      if (found.status() >= 300 || found.json().getJsonArray("items").isEmpty()) {
        return found;
      }
      var items = found.json().getJsonArray("items");
      var path =
          "/elsa/api/user-tasks/" + items.getJsonObject(number % items.size()).getString("taskId");
      var body = "{\"user\":\"ann\",\"result\":" + FORMS_AND_ANSWERS.get(kind).getLast() + "}";
      return api.http().postText(path + "/complete", body.replace('\'', '"'));
    }
  },
  STARTS("a workflow that dispatches itself twice", 6, 6) {
    @Override
    void prepare(Api api) {
      var activities = new JsonArray();
      for (var id : List.of("one", "two")) {
        activities.add(
            new JsonObject()
                .put("type", "Elsa.DispatchWorkflow")
                .put("id", id)
                .put("workflowDefinitionId", literal("String", BOMB)));
      }
      var both = new JsonObject().put("type", "Elsa.Sequence").put("id", "both");
      api.publish(definition(BOMB, both.put("activities", activities)));
    }

    @Override
    Answer once(Api api, int number) {
      return api.start(new JsonObject().put("definitionId", BOMB));
    }

    @Override
    void end(Api api) {
      api.http().post("/elsa/api/workflow-definitions/" + BOMB + "/retract", new JsonObject());
    }
  },
  DEPTH("a workflow that executes itself and waits for it", 6, 6) {
    @Override
    void prepare(Api api) {
      api.publish(
          definition(
              CHAIN,
              new JsonObject()
                  .put("type", "Elsa.ExecuteWorkflow")
                  .put("id", "child")
                  .put("workflowDefinitionId", literal("String", CHAIN))
                  .put("waitForCompletion", literal("Boolean", "true"))));
    }

    @Override
    Answer once(Api api, int number) {
      return api.start(new JsonObject().put("definitionId", CHAIN));
    }
  },
  ROWS("a thousand rows of a million bytes each, from a database", 6, 2) {
    @Override
    void prepare(Api api) {
      var query = "select repeat('x', 1000000) from generate_series(1, 1000)";
      api.publish(
          definition(
              "hostile-rows",
              new JsonObject()
                  .put("type", "Elsa.SqlQuery")
                  .put("id", "q")
                  .put("connectionString", literal("String", DATA_SOURCE))
                  .put("query", expression("String", "Sql", query))));
    }

    @Override
    Answer once(Api api, int number) {
      return api.start(new JsonObject().put("definitionId", "hostile-rows"));
    }
  },
  ARCHIVES("small archives with 60 MiB in each", 8, 10) {
    @Override
    void prepare(Api api) {}

    @Override
    Answer once(Api api, int number) {
      return api.http()
          .upload("/elsa/api/bulk-actions/import/workflow-instances", BOUNDARY, UPLOAD);
    }
  },
  EVENT("an event that thousands of instances wait for", 6, 1) {
    @Override
    void prepare(Api api) {
      api.publish(Workflows.event("hostile-event", "Hostile"));
      Together.call(RECEIVERS, 16, _ -> api.start("hostile-event"));
    }

    @Override
    Answer once(Api api, int number) {
      return api.http().post("/elsa/api/events/Hostile/trigger", new JsonObject());
    }
  };

  static final String DATA_SOURCE = "hostile";
  private static final String BOMB = "hostile-bomb";
  private static final String CHAIN = "hostile-chain";
  private static final int RECEIVERS = Integer.getInteger("skein.siege.receivers", 2_000);
  private static final int UNPACKED_MIB = 60;
  private static final String BOUNDARY = "hostile";

  private static final byte[] UPLOAD = upload();

  private static final List<String> SCRIPTS_OF_ALL_KINDS =
      List.of(
          "Object.keys(new String('a'.repeat(16000000))).length",
          "for (;;) {}",
          "var all = []; for (;;) { all.push(new Array(100000).fill(all.length)); }",
          "var it = {[Symbol.iterator]() { return {next() { return {done: false, value: 1}}}}};"
              + " Array.from(it).length",
          "/^(a|a)*$/.test('a'.repeat(40) + '!')",
          "var f = n => n === 0 ? 0 : 1 + f(n - 1); f(1e9)");

  private static final List<List<String>> FORMS_AND_ANSWERS =
      List.of(
          List.of("{'pattern':'^(a|a)*$'}", "'" + "a".repeat(32) + "!'"),
          List.of("{'pattern':'^(.*)(.*)(.*)(.*)(.*)c$'}", "'" + "a".repeat(200) + "'"),
          List.of("{'uniqueItems':true}", numbers(90_000)),
          List.of("{'format':'uri'}", "'http://" + "a".repeat(60_000) + "'"),
          List.of("{'pattern':'([a-z]{1,400}){1,4}[A-Z]$'}", "'" + "a".repeat(500_000) + "'"));

  private final String what;
  private final int callers;
  private final int callsMin;

  HostileWork(String what, int callers, int callsMin) {
    this.what = what;
    this.callers = callers;
    this.callsMin = callsMin;
  }

  /** Publishes what the calls need. */
  abstract void prepare(Api api);

  /** One call, the first of which has number 0. */
  abstract Answer once(Api api, int number);

  /** What it has begun comes to its end. */
  void end(Api api) {}

  /** At a time. */
  int callers() {
    return callers;
  }

  /** With fewer answers it was no attack. */
  int callsMin() {
    return callsMin;
  }

  @Override
  public String toString() {
    return what;
  }

  private static JsonObject literal(String typeName, String value) {
    return expression(typeName, "Literal", value);
  }

  private static JsonObject expression(String typeName, String language, String value) {
    var expression = new JsonObject().put("type", language).put("value", value);
    return new JsonObject().put("typeName", typeName).put("expression", expression);
  }

  private static JsonObject definition(String id, JsonObject root) {
    return new JsonObject().put("definitionId", id).put("name", id).put("root", root);
  }

  private static String numbers(int count) {
    return IntStream.range(0, count)
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static byte[] upload() {
    var out = new ByteArrayOutputStream();
    var head =
        "--"
            + BOUNDARY
            + "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.zip\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n";
    out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
    try (var zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("large.json"));
      for (int i = 0; i < UNPACKED_MIB; i++) {
        zip.write(new byte[1 << 20]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.writeBytes(("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }
}
