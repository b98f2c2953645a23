package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import skein.model.AuditEntry;
import skein.model.Timer;
import skein.model.Transition;
import skein.storage.CommitStatement.Part;

class CommitStatementTest {
  private static final Chain PLAIN =
      Chain.of(Samples.proposal(Samples.transition("i-1", 2)), Buffer.buffer("state"));
  private static final Chain KEYED =
      Chain.of(
          Samples.proposal(
              Samples.transition("i-2", 2)
                  .withKept(new Transition.Kept("key", new byte[] {1}, true))),
          Buffer.buffer("state"));

  @Test
  void a_commit_without_keys_has_nothing_to_do_with_them() {
    var parts = CommitStatement.parts(List.of(PLAIN));

    assertThat(parts)
        .doesNotContain(CommitStatement.Part.KEYS_HELD, CommitStatement.Part.KEYS_ANSWERED);
    assertThat(CommitStatement.sql(parts)).doesNotContain("idempotency", "unheld");
  }

  @Test
  void one_transition_with_a_key_adds_the_demand_and_the_answer() {
    var parts = CommitStatement.parts(List.of(PLAIN, KEYED));

    assertThat(parts).contains(CommitStatement.Part.KEYS_HELD, CommitStatement.Part.KEYS_ANSWERED);
    assertThat(CommitStatement.sql(parts))
        .contains(
            "and i.state_id is not distinct from n.built_on"
                + " and (n.id in (select id from unheld)) is not true");
    assertThat(CommitParameters.of(parts, List.of(PLAIN, KEYED), "n1", JournalText.CLEAR).size())
        .isEqualTo(count(CommitStatement.sql(parts)));
  }

  @Test
  void a_batch_has_the_parts_that_one_of_its_transitions_needs() {
    var plain = Samples.transition("i-3", 2);
    var timer = new Timer("t-1", Samples.NOW, plain.next().id(), Timer.Kind.Start, null);
    var entry = new AuditEntry("action", "ok", "i-3", null, null);

    assertThat(parts(plain)).containsExactly(Part.UPDATES, Part.JOURNAL);
    assertThat(parts(Samples.transition("i-3", 1))).containsExactly(Part.INSERTS, Part.JOURNAL);
    assertThat(parts(plain.withGuard(Transition.Guard.consumes("t-1"))))
        .containsExactly(Part.GUARDS, Part.UPDATES, Part.JOURNAL);
    assertThat(parts(plain.withTimersMade(List.of(timer))))
        .containsExactly(Part.UPDATES, Part.JOURNAL, Part.TIMERS_MADE);
    assertThat(parts(plain.withTimersDone(List.of("t-1"))))
        .containsExactly(Part.UPDATES, Part.JOURNAL, Part.TIMERS_DONE);
    assertThat(parts(plain.withAudit(List.of(entry))))
        .containsExactly(Part.UPDATES, Part.JOURNAL, Part.AUDIT);
    assertThat(parts(withBookmarks(plain, 1, 0)))
        .containsExactly(Part.UPDATES, Part.JOURNAL, Part.BOOKMARKS_MADE);
    assertThat(parts(withBookmarks(plain, 0, 1)))
        .containsExactly(Part.UPDATES, Part.JOURNAL, Part.BOOKMARKS_BURNT);
    assertThat(CommitStatement.parts(List.of(PLAIN, KEYED)))
        .containsExactly(Part.KEYS_HELD, Part.UPDATES, Part.JOURNAL, Part.KEYS_ANSWERED);
  }

  private static Set<Part> parts(Transition transition) {
    var chain = Chain.of(Samples.proposal(transition), Buffer.buffer("state"));
    return CommitStatement.parts(List.of(chain));
  }

  private static Transition withBookmarks(Transition transition, int made, int burnt) {
    var bookmark = Samples.bookmark(transition.next().id().value(), 1);
    return new Transition(
        transition.next(),
        transition.commitId(),
        transition.guard(),
        Collections.nCopies(made, bookmark),
        Collections.nCopies(burnt, bookmark.id()),
        List.of(),
        List.of(),
        transition.journal(),
        List.of(),
        List.of());
  }

  /** The highest number of a parameter. */
  private static int count(String sql) {
    int count = 0;
    while (sql.contains("$" + (count + 1))) {
      count++;
    }
    return count;
  }
}
