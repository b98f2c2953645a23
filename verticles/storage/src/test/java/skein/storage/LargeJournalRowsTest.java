package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;

class LargeJournalRowsTest {
  private static final InstanceId ONE = new InstanceId("one");
  private static final InstanceId OTHER = new InstanceId("other");
  private static final int LARGE = LargeJournalRows.LARGE_CHARS;

  private final LargeJournalRows rows = new LargeJournalRows(3 * LARGE);

  private static LargeJournalRows.Key key(int revision) {
    return new LargeJournalRows.Key(new UUID(0, revision), revision);
  }

  private JournalJson.Lines keep(InstanceId id, int revision, int chars) {
    var lines =
        JournalJson.lines(JournalJson.print(List.of(), JournalText.VALUES), JournalText.VALUES);
    rows.keep(id, key(revision), lines, chars);
    return lines;
  }

  @Test
  void large_rows_are_kept_for_their_instance() {
    var kept = keep(ONE, 1, LARGE);
    keep(OTHER, 2, LARGE);

    assertThat(rows.of(ONE)).containsOnlyKeys(key(1)).containsValue(kept);
    assertThat(rows.of(new InstanceId("third"))).isEmpty();
  }

  @Test
  void small_rows_and_those_beyond_the_bound_are_not() {
    keep(ONE, 1, LARGE - 1);
    keep(ONE, 2, 3 * LARGE + 1);

    assertThat(rows.of(ONE)).isEmpty();
    assertThat(rows.chars()).isZero();
  }

  @Test
  void those_that_were_used_longest_ago_make_room() {
    keep(ONE, 1, LARGE);
    keep(OTHER, 2, LARGE);
    keep(ONE, 3, LARGE);
    assertThat(rows.of(ONE)).containsOnlyKeys(key(1), key(3));

    keep(ONE, 4, LARGE);

    assertThat(rows.of(OTHER)).isEmpty();
    assertThat(rows.of(ONE)).containsOnlyKeys(key(1), key(3), key(4));
    assertThat(rows.chars()).isEqualTo(3 * LARGE);
  }

  @Test
  void a_row_that_is_kept_twice_counts_once() {
    keep(ONE, 1, LARGE);
    keep(ONE, 1, LARGE);

    assertThat(rows.chars()).isEqualTo(LARGE);
  }
}
