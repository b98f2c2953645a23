package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;

class ChainTest {
  private static final InstanceId ID = new InstanceId("i1");

  @Test
  void what_is_made_and_burnt_within_is_not_made_and_all_that_is_burnt_is_removed() {
    var chain =
        chain(
            transition(2, List.of(bookmark(5), bookmark(6)), List.of(id(1))),
            transition(3, List.of(bookmark(7)), List.of(id(5), id(2))));

    assertThat(chain.made().stream().map(made -> made.bookmark().id()))
        .containsExactly(id(6), id(7));
    assertThat(chain.burnt()).containsExactly(id(1), id(5), id(2));
  }

  @Test
  void of_a_bookmark_that_is_made_again_the_later_one_counts() {
    var again = Samples.bookmark("i1", 5).withToken(null);

    var chain =
        chain(
            transition(2, List.of(bookmark(5)), List.of()),
            transition(3, List.of(again), List.of()));

    assertThat(chain.made()).hasSize(1);
    assertThat(chain.made().getFirst().bookmark()).isSameAs(again);
  }

  @Test
  void a_bookmark_keeps_the_correlation_id_of_when_it_was_made() {
    var labelled = Samples.instance("i1", 2, new Labels(null, "before", null));
    var first = transition(labelled, List.of(bookmark(5)), List.of());

    var chain = chain(first, transition(3, List.of(bookmark(6)), List.of()));

    assertThat(chain.made().stream().map(Chain.Made::correlationId))
        .containsExactly("before", null);
  }

  @Test
  void timers_are_netted_as_bookmarks_are() {
    var first =
        Samples.transition("i1", 2)
            .withTimersMade(List.of(timer("a"), timer("b")))
            .withTimersDone(List.of("old"));
    var second = Samples.transition("i1", 3).withTimersDone(List.of("a", "older"));

    var chain = chain(first, second);

    assertThat(chain.timersMade()).containsExactly(timer("b"));
    assertThat(chain.timersDone()).containsExactly("old", "a", "older");
  }

  @Test
  void only_the_next_revision_of_a_row_that_is_there_may_follow() {
    var second = Samples.transition("i1", 2);

    assertThat(mayFollow(List.of(second), Samples.transition("i1", 3))).isTrue();
    assertThat(mayFollow(List.of(second), Samples.transition("i1", 4))).isFalse();
    assertThat(mayFollow(List.of(second), Samples.transition("i1", 2))).isFalse();
    assertThat(mayFollow(List.of(Samples.transition("i1", 1)), second)).isFalse();
  }

  @Test
  void nothing_that_was_removed_before_may_be_made() {
    var burns = transition(2, List.of(), List.of(id(5)));
    var fires = Samples.transition("i1", 2).withTimersDone(List.of("t"));
    var third = Samples.transition("i1", 3);

    assertThat(mayFollow(List.of(burns), transition(3, List.of(bookmark(5)), List.of()))).isFalse();
    assertThat(mayFollow(List.of(fires), third.withTimersMade(List.of(timer("t"))))).isFalse();
  }

  @Test
  void a_timer_that_is_only_being_made_cannot_be_demanded() {
    var makes = Samples.transition("i1", 2).withTimersMade(List.of(timer("t")));
    var third = Samples.transition("i1", 3);

    assertThat(mayFollow(List.of(makes), third.withGuard(Transition.Guard.consumes("t"))))
        .isFalse();
    assertThat(mayFollow(List.of(makes), third.withGuard(Transition.Guard.consumes("u")))).isTrue();
  }

  @Test
  void a_timer_that_one_has_done_cannot_be_demanded_by_the_next() {
    var does =
        Samples.transition("i1", 2)
            .withTimersDone(List.of("t"))
            .withGuard(Transition.Guard.consumes("t"));
    var third = Samples.transition("i1", 3).withTimersDone(List.of("t"));

    assertThat(mayFollow(List.of(does), third.withGuard(Transition.Guard.consumes("t")))).isFalse();
  }

  private static boolean mayFollow(List<Transition> before, Transition next) {
    return Chain.mayFollow(before.stream().map(Samples::proposal).toList(), Samples.proposal(next));
  }

  @Test
  void what_was_decided_on_another_state_of_the_same_revision_may_not_follow() {
    var second = Samples.proposal(Samples.transition("i1", 2));
    var third = Samples.transition("i1", 3);

    var other = new Proposal(third, UUID.randomUUID(), UUID.randomUUID(), null);

    assertThat(Chain.mayFollow(List.of(second), other)).isFalse();
    assertThatThrownBy(() -> new Chain(List.of(second, other), Buffer.buffer()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Chain chain(Transition... transitions) {
    return new Chain(Arrays.stream(transitions).map(Samples::proposal).toList(), Buffer.buffer());
  }

  private static Transition transition(long revision, List<Bookmark> made, List<BookmarkId> burnt) {
    return transition(Samples.instance("i1", revision), made, burnt);
  }

  private static Transition transition(
      WorkflowInstance next, List<Bookmark> made, List<BookmarkId> burnt) {
    var plain = Samples.transition(next);
    return new Transition(
        plain.next(),
        plain.commitId(),
        plain.guard(),
        made,
        burnt,
        List.of(),
        List.of(),
        plain.journal(),
        List.of(),
        List.of());
  }

  private static Bookmark bookmark(int number) {
    return Samples.bookmark("i1", number);
  }

  private static BookmarkId id(int number) {
    return new BookmarkId(ID, number);
  }

  private static Timer timer(String id) {
    return new Timer(id, Samples.NOW, ID, Timer.Kind.Bookmark, null);
  }
}
