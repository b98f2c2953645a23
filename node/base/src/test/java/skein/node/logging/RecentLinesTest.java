package skein.node.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecentLinesTest {
  private static final int ALL = 1_000_000;

  private final RecentLines recent = new RecentLines(40);

  private void write(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    recent.write(bytes, 0, bytes.length);
  }

  @Test
  void who_goes_on_reading_gets_each_line_once() {
    write("one\ntwo\n");
    var first = recent.after(-1, ALL);
    write("three\n");
    var second = recent.after(first.next(), ALL);

    assertThat(first.lines()).containsExactly("one", "two");
    assertThat(second.lines()).containsExactly("three");
    assertThat(second.skipped()).isZero();
    assertThat(recent.after(second.next(), ALL).lines()).isEmpty();
  }

  @Test
  void what_is_no_longer_kept_is_counted_and_a_part_of_a_line_is_not_shown() {
    write("the first line is gone\n");
    write("the second line is kept\n");
    write("the third\n");
    var part = recent.after(0, ALL);

    assertThat(part.lines()).containsExactly("the second line is kept", "the third");
    assertThat(part.skipped()).isEqualTo("the first line is gone\n".length());
  }

  @Test
  void of_much_the_newest_lines_are_shown_and_of_few_bytes_the_oldest_first() {
    write("aaaa\nbbbb\ncccc\n");

    assertThat(recent.after(-1, 11).lines()).containsExactly("bbbb", "cccc");
    var part = recent.after(0, 7);
    assertThat(part.lines()).containsExactly("aaaa");
    assertThat(recent.after(part.next(), 7).lines()).containsExactly("bbbb");
  }

  @Test
  void a_line_that_is_longer_than_an_answer_is_left_out_and_does_not_hold_up_the_next() {
    write("a very long line\nnext\n");
    var part = recent.after(0, 8);

    assertThat(part.lines()).isEmpty();
    assertThat(recent.after(part.next(), 8).lines()).containsExactly("next");
  }

  @Test
  void a_line_that_is_not_whole_yet_comes_with_its_end() {
    write("one\ntw");
    var part = recent.after(0, ALL);
    write("o\n");

    assertThat(part.lines()).containsExactly("one");
    assertThat(recent.after(part.next(), ALL).lines()).containsExactly("two");
  }

  @Test
  void a_position_that_was_never_reached_is_the_end() {
    write("one\n");
    var part = recent.after(Long.MAX_VALUE, ALL);

    assertThat(part.lines()).isEmpty();
    assertThat(part.next()).isEqualTo(4);
  }

  @Test
  void a_reader_that_keeps_up_sees_all_lines_however_they_are_cut() {
    var random = new Random(7);
    var expected = new ArrayList<String>();
    var seen = new ArrayList<String>();
    long next = 0;
    for (int i = 0; i < 2_000; i++) {
      var line = "x".repeat(random.nextInt(12)) + i;
      expected.add(line);
      write(line + "\n");
      var part = recent.after(next, 20);
      assertThat(part.skipped()).isZero();
      seen.addAll(part.lines());
      next = part.next();
    }

    assertThat(seen).isEqualTo(List.copyOf(expected));
  }
}
