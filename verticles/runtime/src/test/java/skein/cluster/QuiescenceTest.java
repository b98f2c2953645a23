package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import skein.messages.Command;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.RuntimePause;
import skein.model.StartRequest;
import skein.model.Timer;

class QuiescenceTest {
  private static final Instant NOW = Instant.parse("2026-11-01T10:00:00Z");
  private static final RuntimePause PAUSE = new RuntimePause(NOW, "a move", "user:kim");
  private static final InstanceId INSTANCE = new InstanceId("i");
  private static final BookmarkId BOOKMARK = BookmarkId.parse("i-1");

  private static final List<Command> RUNNING =
      List.of(
          new Command.Start(
              INSTANCE,
              "d",
              null,
              new StartRequest(Map.of(), new Labels(null, null, null), null, null, null),
              false,
              false),
          new Command.Fork(
              INSTANCE,
              "d-v1",
              new StartRequest(Map.of(), new Labels(null, null, null), null, null, null),
              new InstanceId("source"),
              1,
              Map.of(),
              null),
          new Command.Resume(INSTANCE, BOOKMARK, Map.of(), new Command.Via.Work(), false),
          new Command.Fire(new Timer("i-1", NOW, INSTANCE, Timer.Kind.Bookmark, null)),
          new Command.Alter(INSTANCE, List.of(), null),
          task(new Command.TaskAction.Complete(Map.of())));

  private static final List<Command> OTHERS =
      List.of(
          new Command.Cancel(INSTANCE),
          new Command.Delete(INSTANCE),
          new Command.MintToken(BOOKMARK, Duration.ofHours(1), null, null),
          new Command.RevokeToken(BOOKMARK, null),
          new Command.ChangeDue(BOOKMARK, NOW, null),
          task(new Command.TaskAction.Claim()),
          task(new Command.TaskAction.Unclaim()),
          task(new Command.TaskAction.Assign(List.of("kim"), List.of())));

  private static Command task(Command.TaskAction action) {
    return new Command.Task(BOOKMARK, action, "kim", List.of(), null);
  }

  private final Quiescence quiescence = new Quiescence();

  @Test
  void at_first_everything_may_begin() {
    assertThat(quiescence.acceptsNewWork()).isTrue();
    assertThat(quiescence.refusal()).isNull();
    assertThat(RUNNING).allSatisfy(each -> assertThat(quiescence.refusal(each)).isNull());
  }

  @Test
  void a_pause_refuses_what_runs_activities_and_nothing_else() {
    assertThat(quiescence.follow(PAUSE)).isTrue();

    assertThat(RUNNING)
        .allSatisfy(each -> {
          var refusal = Objects.requireNonNull(quiescence.refusal(each));
          assertThat(refusal.code()).isEqualTo(ErrorCode.RUNTIME_PAUSED);
          assertThat(refusal.code().isTransient()).isTrue();
        });
    assertThat(OTHERS).allSatisfy(each -> assertThat(quiescence.refusal(each)).isNull());
  }

  @Test
  void whoever_is_refused_does_not_learn_who_has_paused_and_why() {
    quiescence.follow(PAUSE);

    assertThat(Objects.requireNonNull(quiescence.refusal()).getMessage())
        .doesNotContain("kim", "a move");
  }

  @Test
  void a_pause_ends_when_the_database_says_so() {
    quiescence.follow(PAUSE);
    assertThat(quiescence.follow(PAUSE)).as("nothing new").isFalse();

    assertThat(quiescence.follow(null)).isTrue();

    assertThat(quiescence.acceptsNewWork()).isTrue();
    assertThat(quiescence.follow(null)).as("nothing new").isFalse();
  }

  @Test
  void a_forced_drain_does_not_end_and_counts_from_the_first_time() {
    assertThat(quiescence.drain(NOW)).isEqualTo(NOW);
    assertThat(quiescence.drain(NOW.plusSeconds(5))).isEqualTo(NOW);

    quiescence.follow(PAUSE);
    quiescence.follow(null);

    assertThat(quiescence.acceptsNewWork()).isFalse();
    assertThat(RUNNING).allSatisfy(each -> assertThat(quiescence.refusal(each)).isNotNull());
  }
}
