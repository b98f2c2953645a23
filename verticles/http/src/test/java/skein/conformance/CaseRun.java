package skein.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** One performance of a case: imports what it needs, starts, takes its steps, and looks. */
final class CaseRun {
  private static final Duration SETTLE = Duration.ofSeconds(5);
  private static final long STEP_SECONDS = 10;
  private static final Duration PAUSE = Duration.ofMillis(15);

  private final Path root;
  private final Map<?, ?> json;
  private final Server server;
  private final Looking looking;
  private final String unique;

  /** Ids of the definitions imported so far. */
  private final Set<String> imported = new LinkedHashSet<>();

  /** Instances that were there before the start, by definition. */
  private final Map<String, List<String>> before = new HashMap<>();

  /** The instance that is looked at; empty when there is none. */
  private String instanceId = "";

  private String definitionId = "";
  private Server.@Nullable Answer response;

  /** {@code unique}: a text that no other run has. */
  CaseRun(Path root, Map<?, ?> json, Server server, String unique) {
    this.root = root;
    this.json = json;
    this.server = server;
    this.looking = new Looking(server);
    this.unique = unique;
  }

  /** Throws an {@link AssertionError} where the server does not do what the case expects. */
  void perform() {
    try {
      list(json, "definitions").forEach(this::load);
      start();
      list(json, "steps").forEach(step -> take((Map<?, ?>) filled(step)));
      var seconds = object(json, "expect").get("timeoutSeconds");
      var expectations = new Expectations(looking, this::made);
      eventually(
          seconds instanceof Number number ? Duration.ofSeconds(number.longValue()) : SETTLE,
          () -> expectations.differences(object(filled(json), "expect"), instanceId));
    } finally {
      imported.forEach(this::delete);
    }
  }

  private void delete(String id) {
    server.api("DELETE", "/workflow-definitions/" + Server.encoded(id), null);
  }

  /**
   * Imports a file, without what an earlier run left of it, and publishes unless told otherwise.
   */
  private void load(@Nullable Object given) {
    var entry = object(filled(given instanceof String file ? Map.of("file", file) : given));
    var model =
        new LinkedHashMap<String, @Nullable Object>(read(String.valueOf(entry.get("file"))));
    object(entry, "set").forEach((name, value) -> model.put(String.valueOf(name), value));
    if (model.get("definitionId") instanceof String id && !imported.contains(id)) {
      delete(id);
    }
    var answer = server.api("POST", "/workflow-definitions/import", model);
    assertThat(answer.status()).as("import: " + answer.body()).isIn(200, 201);
    var id = Pattern.dig(answer.json(), "definitionId");
    definitionId = String.valueOf(id == null ? model.get("definitionId") : id);
    imported.add(definitionId);
    var publish = entry.get("publish");
    if (Boolean.TRUE.equals(publish == null ? json.get("publish") : publish)) {
      publish(list(entry, "publishErrors"));
    }
  }

  private void publish(List<?> errors) {
    var answer =
        server.api(
            "POST", "/workflow-definitions/" + Server.encoded(definitionId) + "/publish", Map.of());
    assertThat(answer.status())
        .as("publish: " + answer.body())
        .isEqualTo(errors.isEmpty() ? 200 : 400);
    assertThat(Pattern.differences(Map.of("$contains", errors), answer.body(), "errors")).isEmpty();
  }

  private Map<String, @Nullable Object> read(String file) {
    try {
      var text = Files.readString(root.resolve(file));
      return JsonText.parseObject(
          text.startsWith("\uFEFF") ? text.substring(1) : text, JsonLimits.DEFAULT);
    } catch (IOException e) {
      throw new AssertionError("There is no " + root.resolve(file), e);
    }
  }

  private void start() {
    var start = object(filled(json), "start");
    var kind = String.valueOf(start.get("kind"));
    var definition = start.get("definitionId") instanceof String id ? id : "";
    remember(definition);
    imported.forEach(this::remember);
    switch (kind) {
      case "execute", "dispatch" -> execute(start, kind, definition);
      case "http" -> response = server.workflow(object(start, "http"));
      case "event" -> trigger(start, null);
      default -> assertThat(kind).isEqualTo("none");
    }
    var expect = object(filled(json), "expect");
    var answer = response;
    for (var name : List.of("http", "error")) {
      if (answer != null && expect.containsKey(name)) {
        assertThat(Expectations.differences(object(expect, name), answer)).isEmpty();
      }
    }
    if (!definition.isEmpty() && (kind.equals("http") || kind.equals("event"))) {
      adopt(definition, 1, STEP_SECONDS);
    }
  }

  private void remember(String definition) {
    if (!definition.isEmpty()) {
      before.put(definition, looking.instances(definition));
    }
  }

  private void execute(Map<?, ?> start, String kind, String definition) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    for (var name : List.of("input", "correlationId", "name")) {
      if (start.containsKey(name)) {
        body.put(name, start.get(name));
      }
    }
    var answer =
        server.api(
            "POST", "/workflow-definitions/" + Server.encoded(definition) + "/" + kind, body);
    response = answer;
    var header = answer.headers().get("x-elsa-workflow-instance-id");
    var inState = Pattern.dig(answer.json(), "workflowState.id");
    var alone = Pattern.dig(answer.json(), "workflowInstanceId");
    var id = header != null ? header : inState != null ? inState : alone;
    if (!object(json, "expect").containsKey("error")) {
      assertThat(id).as(kind + ": " + answer.status() + " " + answer.body()).isNotNull();
    }
    instanceId = id == null ? "" : String.valueOf(id);
  }

  /** Instances of the definition since the start, oldest first. */
  private List<String> made(String definition) {
    var ids = new ArrayList<>(looking.instances(definition));
    ids.removeAll(before.getOrDefault(definition, List.of()));
    return ids;
  }

  private void adopt(String definition, long count, long seconds) {
    eventually(
        Duration.ofSeconds(seconds),
        () ->
            made(definition).size() >= count
                ? List.of()
                : List.of("fewer than " + count + " new instances of " + definition));
    instanceId = made(definition).getLast();
  }

  private void trigger(Map<?, ?> event, @Nullable String instance) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("input", event.get("payload"));
    body.put("correlationId", event.get("correlationId"));
    body.put("workflowInstanceId", instance);
    var name = Server.encoded(String.valueOf(event.get("event")));
    var answer = server.api("POST", "/events/" + name + "/trigger", body);
    assertThat(answer.status()).as("event: " + answer.body()).isEqualTo(200);
  }

  private void take(Map<?, ?> step) {
    var seconds = step.get("timeoutSeconds") instanceof Number n ? n.longValue() : STEP_SECONDS;
    if (step.containsKey("event")) {
      trigger(step, Boolean.TRUE.equals(step.get("global")) ? null : instanceId);
    } else if (step.containsKey("http")) {
      assertThat(
              Expectations.differences(
                  object(step, "expect"), server.workflow(object(step, "http"))))
          .isEmpty();
    } else if (step.containsKey("api")) {
      ask(object(step, "api"), object(step, "expect"));
    } else if (step.containsKey("import")) {
      load(step.get("import"));
    } else if (step.get("task") instanceof String name) {
      complete(name, step.get("result"), seconds);
    } else if (step.get("pause") instanceof Number pause) {
      LockSupport.parkNanos((long) (pause.doubleValue() * 1e9));
    } else {
      await(String.valueOf(step.get("wait")), step, seconds);
    }
  }

  /** A question is repeated until its answer fits; what may change something is sent once. */
  private void ask(Map<?, ?> api, Map<?, ?> expect) {
    var asks = !api.containsKey("method");
    eventually(
        asks ? SETTLE : Duration.ZERO,
        () -> {
          var method = asks ? "GET" : String.valueOf(api.get("method"));
          var path = String.valueOf(api.get("path"));
          return Expectations.differences(expect, server.api(method, path, api.get("body")))
              .stream()
              .map(difference -> path + ": " + difference)
              .toList();
        });
  }

  private void complete(String task, @Nullable Object result, long seconds) {
    eventually(
        Duration.ofSeconds(seconds),
        () -> looking.task(instanceId, task) == null ? List.of("no task " + task) : List.of());
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("result", result);
    var answer = server.api("POST", "/tasks/" + looking.task(instanceId, task) + "/complete", body);
    assertThat(answer.status()).as("task: " + answer.body()).isEqualTo(200);
  }

  private void await(String what, Map<?, ?> step, long seconds) {
    var time = Duration.ofSeconds(seconds);
    var count = step.get("count") instanceof Number number ? number.longValue() : 1;
    switch (what) {
      case "suspended" -> eventually(time, () -> lacks(Map.of("subStatus", "Suspended")));
      case "finished" -> eventually(time, () -> lacks(Map.of("status", "Finished")));
      case "instance" -> adopt(String.valueOf(step.get("definitionId")), count, seconds);
      case "lines" ->
          eventually(
              time,
              () ->
                  looking.lines(instanceId).size() >= count
                      ? List.of()
                      : List.of("fewer than " + count + " lines"));
      default -> throw new AssertionError("There is no step " + step);
    }
  }

  private List<String> lacks(Map<String, String> facts) {
    return Expectations.compare(facts, looking.facts(instanceId), "after waiting, ");
  }

  /** Asks again and again, since what is written beside the answer may take a moment. */
  private static void eventually(Duration time, Supplier<List<String>> differences) {
    var end = System.nanoTime() + time.toNanos();
    var found = differences.get();
    while (!found.isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(PAUSE.toNanos());
      found = differences.get();
    }
    assertThat(found).isEmpty();
  }

  /** With the placeholders of every text replaced. */
  private @Nullable Object filled(@Nullable Object value) {
    return switch (value) {
      case String text ->
          text.replace("${unique}", unique)
              .replace("${instanceId}", instanceId)
              .replace("${definitionId}", definitionId);
      case List<?> list -> {
        var items = new ArrayList<@Nullable Object>();
        list.forEach(item -> items.add(filled(item)));
        yield items;
      }
      case Map<?, ?> map -> {
        var members = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, member) -> members.put(String.valueOf(name), filled(member)));
        yield members;
      }
      case null, default -> value;
    };
  }

  private static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> object ? object : Map.of();
  }

  private static Map<?, ?> object(@Nullable Object value, String name) {
    return object(object(value).get(name));
  }

  private static List<?> list(Map<?, ?> value, String name) {
    return value.get(name) instanceof List<?> list ? list : List.of();
  }
}
