package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.StepJson.activity;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Activities;
import skein.activities.Json;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Transition;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowStatus;

/**
 * Definitions that are made to hurt end in a refusal or an incident, within a budget of the
 * processor's time and of the bytes that one thread allocates.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class HostileDefinitionTest {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final long MEGABYTE = 1 << 20;

  private static <T> T within(Duration cpu, long megabytes, Supplier<T> work) {
    var time = THREADS.getCurrentThreadCpuTime();
    var bytes = THREADS.getCurrentThreadAllocatedBytes();
    var result = work.get();
    var took = Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - time);
    var allocated = (THREADS.getCurrentThreadAllocatedBytes() - bytes) / MEGABYTE;
    System.out.printf("  %d ms, %d MiB allocated%n", took.toMillis(), allocated);
    assertThat(took).isLessThan(cpu);
    assertThat(allocated).isLessThan(megabytes);
    return result;
  }

  private static Graph compile(Object root, String mode) {
    var json =
        Json.members(
            "customProperties", Json.members("Flowchart:ExecutionMode", mode), "root", root);
    return GraphCompiler.compile(
        new WorkflowDefinition(
            new DefinitionRef("d1", "d1-v1", 1), "D", null, true, true, Workflows.NOW, json),
        Activities.builtIn());
  }

  private static Graph compile(Object root) {
    return compile(root, "CounterBased");
  }

  private static Map<String, @Nullable Object> sequence(Object... activities) {
    return activity("Sequence", "seq", "activities", List.of(activities));
  }

  private static Map<String, @Nullable Object> line(String id) {
    return activity("WriteLine", id, "text", id);
  }

  private static Object javaScript(String source) {
    return Json.members(
        "typeName", "Object", "expression", Json.members("type", "JavaScript", "value", source));
  }

  private static Object way(String from, String to) {
    return Json.members("source", from, "target", to);
  }

  private static Object flowchart(String start, List<Object> activities, List<Object> ways) {
    return activity(
        "Flowchart", "flow", "start", start, "activities", activities, "connections", ways);
  }

  private static void assertIncident(Transition transition, String type) {
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents()).anyMatch(incident -> incident.type().equals(type));
  }

  @Test
  void text_nested_ten_thousand_deep_is_refused() {
    var text = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);

    for (var limits : List.of(JsonLimits.DEFAULT, JsonLimits.STORED)) {
      assertThatThrownBy(() -> JsonText.parse(text, limits))
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_DEEP));
    }
  }

  @Test
  void activities_nested_ten_thousand_deep_are_a_finding() {
    Object nested = line("bottom");
    for (var i = 0; i < 10_000; i++) {
      nested = activity("Sequence", "s" + i, "activities", List.of(nested));
    }
    var root = nested;

    var graph = within(SHORT, 200, () -> compile(root));

    assertThat(graph.problems()).anyMatch(problem -> problem.contains("nested deeper than"));
  }

  @Test
  void a_million_activities_are_compiled_up_to_a_limit_and_stopped_at_that_of_steps() {
    var many = new ArrayList<Object>();
    for (var i = 0; i < 1_000_000; i++) {
      many.add(line("a" + i));
    }

    var graph =
        within(
            Duration.ofSeconds(30),
            4_000,
            () -> compile(activity("Sequence", "seq", "activities", many)));
    var transition = within(Duration.ofSeconds(15), 500, () -> Workflows.start(graph));

    assertThat(graph.nodes()).hasSize(20_000);
    assertThat(graph.problems())
        .singleElement()
        .asString()
        .contains("more than 20000 activities", "definitions.activities-max");
    assertIncident(transition, "StepLimit");
  }

  @Test
  void of_twenty_thousand_activities_of_one_id_a_thousand_are_told() {
    var many = new ArrayList<Object>();
    for (var i = 0; i < 20_000; i++) {
      many.add(line("same"));
    }

    var graph = within(SHORT, 200, () -> compile(activity("Sequence", "seq", "activities", many)));

    assertThat(graph.problems()).hasSize(1_001).last().asString().contains("more than 1000 errors");
  }

  @Test
  void twenty_thousand_handlers_that_are_not_there_are_looked_for_in_time() {
    var many = new ArrayList<Object>();
    for (var i = 0; i < 20_000; i++) {
      var line = line("a" + i);
      line.put("customProperties", Map.of("onFault", "nobody", "compensatedBy", "a" + i));
      many.add(line);
    }

    var graph = within(SHORT, 300, () -> compile(activity("Sequence", "seq", "activities", many)));

    assertThat(graph.problems()).hasSize(1_001);
  }

  /** Of so many elements, each of which is one byte, each finding would repeat a long path. */
  @Test
  void what_is_no_activity_deep_below_is_told_a_thousand_times() {
    Object nested =
        activity("Sequence", "x".repeat(255), "activities", Collections.nCopies(90_000, 0L));
    for (var level = 0; level < 98; level++) {
      nested = activity("Sequence", level + "x".repeat(250), "activities", List.of(nested));
    }
    var root = nested;

    var graph = within(SHORT, 300, () -> compile(root));

    assertThat(graph.problems()).hasSize(1_001);
  }

  @Test
  void paths_have_a_bound_together() {
    var leaves = IntStream.range(0, 15_000).<Object>mapToObj(i -> line("a" + i)).toList();
    Object nested = activity("Sequence", "x".repeat(255), "activities", leaves);
    for (var level = 0; level < 97; level++) {
      nested = activity("Sequence", level + "x".repeat(250), "activities", List.of(nested));
    }
    var root = nested;

    var graph = within(SHORT, 300, () -> compile(root));

    assertThat(graph.problems())
        .singleElement()
        .asString()
        .contains("ids of activities", "16777216 characters");
    assertThat(graph.nodes()).hasSizeBetween(500, 1_000);
  }

  private static Map<String, @Nullable Object> formOfTenPatterns(String title) {
    var patterns = Collections.<Object>nCopies(10, Map.of("pattern", "[a-z]{900}"));
    return Json.members("title", title, "type", "string", "allOf", patterns);
  }

  private static Object tasks(int count, IntFunction<Object> form) {
    var tasks =
        IntStream.range(0, count)
            .<Object>mapToObj(
                i -> Json.members("type", "Skein.UserTask", "id", "t" + i, "form", form.apply(i)))
            .toList();
    return activity("Sequence", "seq", "activities", tasks);
  }

  @Test
  void forms_have_a_bound_together() {
    var root = tasks(2_000, i -> formOfTenPatterns("form " + i));

    var graph = within(SHORT, 1_000, () -> compile(root));

    assertThat(graph.problems())
        .hasSize(1_001)
        .first()
        .asString()
        .contains("one too many", "forms.pattern-size-max");
  }

  @Test
  void equal_forms_count_once_against_the_bound_of_all() {
    var root =
        tasks(
            2_000,
            i ->
                i % 2 == 0 ? formOfTenPatterns("form") : JsonText.print(formOfTenPatterns("form")));

    var graph = within(SHORT, 1_000, () -> compile(root));

    assertThat(graph.problems()).isEmpty();
  }

  @Test
  void a_form_that_is_wrong_is_told_of_each_task_that_has_it() {
    var root = tasks(3, _ -> Json.members("type", "strnig"));

    assertThat(compile(root).problems())
        .hasSize(3)
        .allSatisfy(problem -> assertThat(problem).asString().contains("its form is wrong"));
  }

  @Test
  void ids_as_long_as_books_do_not_multiply() {
    Object nested = null;
    for (var level = 0; level < 60; level++) {
      var children = new ArrayList<Object>();
      for (var i = 0; nested == null && i < 5_000; i++) {
        children.add(line("leaf" + i));
      }
      if (nested != null) {
        children.add(nested);
      }
      nested = activity("Sequence", level + "x".repeat(10_000), "activities", children);
    }
    var root = nested;

    var graph = within(SHORT, 500, () -> compile(Objects.requireNonNull(root)));

    assertThat(graph.problems()).anyMatch(problem -> problem.contains("longer than"));
  }

  @Test
  void ids_with_what_separates_paths_stay_apart() {
    var graph =
        compile(
            sequence(
                activity("Sequence", "a", "activities", List.of(line("b:c"))),
                activity("Sequence", "a:b", "activities", List.of(line("c"))),
                line("$compensation"),
                line("__proto__"),
                line("with \u0000")));

    assertThat(graph.nodes()).hasSize(8);
    assertThat(Workflows.linesOf(Workflows.start(graph)))
        .containsExactly("b:c", "c", "$compensation", "__proto__", "with \u0000");
  }

  @Test
  void endless_loops_end_at_the_limit_of_steps() {
    var loops =
        List.<Object>of(
            flowchart("a", List.of(line("a")), List.of(way("a", "a"))),
            flowchart(
                "a",
                List.of(line("a"), line("b"), line("c")),
                List.of(way("a", "b"), way("b", "c"), way("c", "a"))),
            activity("While", "while", "condition", true, "body", line("a")),
            activity("For", "for", "start", 0L, "end", 5L, "step", 0L, "body", line("a")),
            activity(
                "For", "huge", "start", 0L, "end", (long) Integer.MAX_VALUE, "body", line("a")));
    for (var mode : List.of("CounterBased", "TokenBased")) {
      for (var loop : loops) {
        var transition = within(SHORT, 500, () -> Workflows.start(compile(loop, mode)));

        assertIncident(transition, "StepLimit");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while (true) {}",
        "/(a+)+$/.test('a'.repeat(60) + 'b')",
        "var s = 'x'; for (;;) s += s",
        "'x'.repeat(1 << 30).repeat(1)",
        "new Array(10000000).fill(0)",
        "Packages.java.lang.Runtime.getRuntime().exec('true')",
        "java.lang.System.exit(1)",
        "(function f() { f() })()",
        "var a = []; a[0] = a; a",
        "setVariable('v', getVariable('v').constructor.constructor('return java')())"
      })
  void a_hostile_script_is_an_incident(String source) {
    var root =
        sequence(
            activity("SetVariable", "set", "variable", "v", "value", javaScript(source)),
            line("never"));
    root.put("variables", List.of(Map.of("id", "v", "name", "v", "value", "text")));

    var transition = within(SHORT, 500, () -> Workflows.start(compile(root)));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(Workflows.linesOf(transition)).isEmpty();
  }

  @Test
  void what_a_script_does_to_prototypes_ends_with_the_script() {
    var pollute = "Object.prototype.hurt = 1; ({}).__proto__.hurt2 = 1; Array.prototype.push = 2";
    var first = sequence(activity("SetName", "first", "value", javaScript(pollute)));
    var look = "String(({}).hurt) + String([].hurt2) + typeof [].push";
    var root =
        sequence(
            activity("SetVariable", "set", "variable", "__proto__", "value", javaScript(look)));
    root.put("variables", List.of(Map.of("id", "__proto__", "name", "__proto__")));

    Workflows.start(compile(first));
    var transition = Workflows.start(compile(root));

    assertThat(transition.next().executions().getFirst().variables())
        .containsEntry("__proto__", "undefinedundefinedfunction");
  }

  @Test
  void ten_million_items_are_stopped() {
    var items = Collections.nCopies(10_000_000, 1L);
    var root = activity("ForEach", "each", "body", line("a"));
    root.put(
        "items",
        Json.members(
            "typeName", "Object", "expression", Json.members("type", "Literal", "value", items)));

    var transition = within(Duration.ofSeconds(20), 4_000, () -> Workflows.start(compile(root)));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
  }
}
