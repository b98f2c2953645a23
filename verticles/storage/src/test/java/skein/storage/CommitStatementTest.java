package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.model.Transition;

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

  /** The highest number of a parameter. */
  private static int count(String sql) {
    int count = 0;
    while (sql.contains("$" + (count + 1))) {
      count++;
    }
    return count;
  }
}
