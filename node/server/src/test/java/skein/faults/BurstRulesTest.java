package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import skein.faults.CheckerTest.Run;
import skein.faults.Operation.Contest;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Operation.Span;
import skein.faults.Operation.Target;
import skein.faults.Rows.Commit;
import skein.faults.Rows.Entry;
import skein.faults.Rows.Instance;
import skein.faults.Rows.Open;
import skein.node.Http.Answer;

/**
 * Several bookmarks, several callers and several answers: what adds up passes, the rest does not.
 */
class BurstRulesTest {
  private static final String FORK = "f";

  /**
   * A fork whose first two branches are over and whose third one waits: one was resumed by an id
   * among two callers, one by an event among three publishers. Its task was claimed, its key asked
   * twice.
   */
  private static Run run() {
    var run = new Run();
    run.operations.add(operation("s2", Kind.START, null, Outcome.OK, 0));
    run.operations.add(operation("a1", Kind.RESUME, "w1", Outcome.OK, 0));
    run.operations.add(operation("a2", Kind.RESUME, "w1", Outcome.FAIL, 0));
    run.operations.add(event("e1", 1, Outcome.OK));
    run.operations.add(event("e2", 0, Outcome.OK));
    run.operations.add(event("e3", 0, Outcome.OK));
    run.operations.add(operation("c1", Kind.CLAIM, "user", Outcome.OK, 0));
    run.operations.add(operation("c2", Kind.CLAIM, "user", Outcome.FAIL, 0));
    run.operations.add(completion("u2", Outcome.FAIL, false));
    run.instances.add(new Instance(FORK, "fork", 1, "Suspended", "s2", null, 3));
    for (long revision = 1; revision <= 3; revision++) {
      run.commits.add(new Commit(FORK, revision, revision == 3));
    }
    complete(run, 2, 10, "w1", "a1");
    complete(run, 3, 12, "w2", "e1");
    run.open.add(new Open(FORK + "-3", FORK, "Skein.UserTask"));
    run.kept.put(FORK, List.of("a1", "e1"));
    run.keyed.add(answer("a1", 20, 21, 200, "{'revision':2}"));
    run.keyed.add(answer("a1", 22, 23, 200, "{'revision':2}"));
    return run;
  }

  /** A wait of a branch, and what keeps its value. */
  private static void complete(Run run, int revision, int sequence, String step, String by) {
    run.entries.add(
        new Entry(FORK, revision, sequence, sequence, step, "Elsa.Event", "Completed", by));
    run.entries.add(
        new Entry(
            FORK,
            revision,
            sequence + 1,
            sequence + 1,
            Definitions.keeper(step),
            "Elsa.SetVariable",
            "Completed",
            null));
  }

  private static Operation operation(
      String id, Kind kind, @Nullable String step, Outcome outcome, int number) {
    var target = new Target("fork", FORK, step, number, true);
    return new Operation(id, kind, target, new Span(0, 0, 4, 6, ""), outcome);
  }

  private static Operation event(String id, int told, Outcome outcome) {
    var target = new Target("fork", FORK, null, told, 0, true, new Contest("contest", 1));
    return new Operation(id, Kind.EVENT, target, new Span(0, 0, 4, 6, ""), outcome);
  }

  private static Operation completion(String id, Outcome outcome, boolean genuine) {
    var target = new Target("fork", FORK, "user", 0, genuine);
    return new Operation(id, Kind.COMPLETE, target, new Span(0, 0, 5, 6, ""), outcome);
  }

  private static KeyedAnswer answer(
      String key, long fromSeconds, long untilSeconds, int status, String body) {
    return answer(key, Kind.RESUME, fromSeconds, untilSeconds, status, body);
  }

  private static KeyedAnswer answer(
      String key, Kind kind, long fromSeconds, long untilSeconds, int status, String body) {
    var attempt = Attempt.of(() -> new Answer(status, body.replace('\'', '"'), ""));
    return new KeyedAnswer(
        key,
        kind,
        Duration.ofSeconds(fromSeconds).toNanos(),
        Duration.ofSeconds(untilSeconds).toNanos(),
        attempt);
  }

  private static void replace(Run run, Operation other) {
    run.operations.replaceAll(each -> each.id().equals(other.id()) ? other : each);
  }

  @Test
  void a_run_whose_answers_add_up_is_valid() {
    assertThat(run().verdict().anomalies()).isEmpty();
  }

  @Test
  void an_event_may_resume_several_bookmarks_of_one_instance() {
    var run = run();
    var two = new Target("fork", FORK, null, 2, 0, true, new Contest("contest", 2));
    replace(run, new Operation("e1", Kind.EVENT, two, new Span(0, 0, 4, 6, ""), Outcome.OK));
    complete(run, 3, 14, "w3", "e1");
    run.kept.put(FORK, List.of("a1", "e1", "e1"));
    assertThat(run.verdict().anomalies()).doesNotContainKey("B1 resume-applied-twice");
    assertThat(run.verdict().anomalies()).doesNotContainKey("V2 state-is-not-its-journal");
  }

  @Test
  void an_event_whose_answer_nobody_knows_may_have_resumed_what_the_others_did_not() {
    var run = run();
    replace(run, event("e1", 0, Outcome.UNKNOWN));
    assertThat(run.verdict().anomalies()).isEmpty();
  }

  @Test
  void an_event_may_resume_later_what_it_was_said_to_resume_later() {
    var run = run();
    var pending = new Target("fork", FORK, null, 0, 1, true, new Contest("contest", 1));
    replace(run, new Operation("e1", Kind.EVENT, pending, new Span(0, 0, 4, 6, ""), Outcome.OK));
    assertThat(run.verdict().anomalies()).isEmpty();
  }

  @Test
  void answers_that_pass_need_not_be_alike() {
    var run = run();
    run.keyed.add(answer("a2", 20, 21, 503, "{'code':'STORAGE_UNAVAILABLE'}"));
    run.keyed.add(answer("a2", 22, 23, 409, "{'code':'IDEMPOTENCY_KEY_IN_USE'}"));
    run.keyed.add(answer("a2", 24, 25, 409, "{'code':'ALREADY_RESUMED'}"));
    run.keyed.add(answer("m", Kind.MINT, 24, 25, 201, "{'token':'one'}"));
    run.keyed.add(answer("m", Kind.MINT, 26, 27, 201, "{'token':'two'}"));
    run.keyed.add(answer("m", Kind.MINT, 28, 29, 404, "{'code':'BOOKMARK_NOT_FOUND'}"));
    assertThat(run.verdict().anomalies()).isEmpty();
  }

  @Test
  void what_the_key_says_in_the_end_counts_for_who_gave_up() {
    var run = run();
    replace(run, operation("a1", Kind.RESUME, "w1", Outcome.UNKNOWN, 0));
    run.entries.removeIf(entry -> "a1".equals(entry.by()));
    assertThat(run.verdict().anomalies()).containsKey("B1 resume-lost");
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        broken("V2 state-is-not-its-journal", run -> run.kept.put(FORK, List.of("a1"))),
        broken("V2 state-is-not-its-journal", run -> run.kept.put(FORK, List.of("e1", "a1"))),
        broken("V2 state-is-not-its-journal", run -> run.kept.put(FORK, List.of("a1", "a1"))),
        broken("V2 state-is-not-its-journal", run -> run.kept.put(FORK, List.of("a2", "e1"))),
        broken("V3 state-without-an-answered-burst", run -> run.kept.put(FORK, List.of("e1"))),
        broken("V3 state-without-an-answered-burst", run -> run.kept.put(FORK, List.of("a1"))),
        broken(
            "V3 state-without-an-answered-burst",
            run -> replace(run, completion("u2", Outcome.OK, true))),
        broken(
            "V4 state-with-a-refused-burst", run -> run.kept.put(FORK, List.of("a1", "e1", "a2"))),
        broken(
            "B1 several-were-told-ok",
            run -> replace(run, operation("a2", Kind.RESUME, "w1", Outcome.OK, 0))),
        broken("B1 resume-lost", run -> replace(run, event("e2", 1, Outcome.OK))),
        broken("B1 event-counted-wrong", run -> replace(run, event("e1", 0, Outcome.OK))),
        broken("B4 event-answers-add-up-to-more", run -> replace(run, event("e2", 1, Outcome.OK))),
        broken("B4 event-answers-add-up-to-less", run -> replace(run, event("e1", 0, Outcome.OK))),
        broken(
            "U1 task-claimed-by-several",
            run -> replace(run, operation("c2", Kind.CLAIM, "user", Outcome.OK, 0))),
        broken(
            "U2 another-user-answered-ok",
            run -> replace(run, completion("u2", Outcome.OK, false))),
        broken("U2 another-user-accepted", run -> complete(run, 3, 14, "user", "u2")),
        broken(
            "K1 keyed-answers-differ",
            run -> run.keyed.add(answer("a1", 24, 25, 200, "{'revision':4}"))),
        broken(
            "K1 keyed-answers-differ",
            run -> run.keyed.add(answer("a1", 24, 25, 409, "{'code':'ALREADY_RESUMED'}"))),
        broken(
            "K1 keyed-answers-differ",
            run -> {
              run.keyed.add(answer("e1", Kind.EVENT, 20, 21, 200, "{'resumed':1}"));
              run.keyed.add(answer("e1", Kind.EVENT, 22, 23, 200, "{'resumed':0}"));
            }),
        broken(
            "K2 key-in-use-for-too-long",
            run -> {
              run.keyed.add(answer("a2", 20, 21, 503, "{'code':'STORAGE_UNAVAILABLE'}"));
              run.keyed.add(answer("a2", 37, 38, 409, "{'code':'IDEMPOTENCY_KEY_IN_USE'}"));
              run.keyed.add(answer("a2", 39, 40, 409, "{'code':'ALREADY_RESUMED'}"));
            }),
        broken(
            "K3 key-never-ended",
            run -> run.keyed.add(answer("a2", 20, 21, 503, "{'code':'STORAGE_UNAVAILABLE'}"))),
        broken(
            "B1 resume-refused-but-happened",
            run -> {
              run.keyed.clear();
              replace(run, operation("a1", Kind.RESUME, "w1", Outcome.UNKNOWN, 0));
              run.keyed.add(answer("a1", 20, 21, 409, "{'code':'ALREADY_RESUMED'}"));
            }));
  }

  private static Arguments broken(String name, Consumer<Run> how) {
    return Arguments.of(name, how);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void a_burst_that_is_lost_doubled_or_told_wrongly_is_found(String name, Consumer<Run> how) {
    var run = run();
    how.accept(run);
    assertThat(run.verdict().anomalies()).containsKey(name);
    assertThat(run.verdict().isValid()).isFalse();
  }
}
