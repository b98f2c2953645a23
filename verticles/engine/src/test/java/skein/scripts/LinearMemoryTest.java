package skein.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.Memory;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class LinearMemoryTest {
  private static final int PAGE = Memory.PAGE_SIZE;
  private static final int SMALL_PAGES = 8;
  private static final int PAGES_MAX = 200;

  private final LargeArrays large = new LargeArrays(PAGES_MAX * PAGE, 1);

  private LinearMemory memory() {
    var memory = new LinearMemory(SMALL_PAGES, PAGES_MAX, large);
    for (int at = 0; at < SMALL_PAGES * PAGE; at += 4) {
      memory.writeI32(at, at ^ 0x5a5a5a5a);
    }
    memory.keep();
    return memory;
  }

  private static byte[] all(LinearMemory memory) {
    return memory.readBytes(0, memory.pages() * PAGE);
  }

  /** A matcher of the library looks at each byte as an object: seconds for a few megabytes. */
  private static void assertZero(byte[] bytes, String description) {
    assertThat(Arrays.mismatch(bytes, new byte[bytes.length])).as(description).isEqualTo(-1);
  }

  @Test
  void whatever_is_written_and_grown_is_put_back_and_new_memory_is_zero() {
    var memory = memory();
    var kept = all(memory);

    for (int seed = 1; seed <= 60; seed++) {
      var random = new Random(seed);
      for (int step = 0; step < 40; step++) {
        if (random.nextInt(3) == 0) {
          int before = memory.pages();
          if (memory.grow(1 + random.nextInt(40)) >= 0) {
            var added = memory.readBytes(before * PAGE, (memory.pages() - before) * PAGE);
            assertZero(added, "seed " + seed);
          }
        }
        memory.writeLong(random.nextInt(memory.pages() * PAGE - 8), random.nextLong());
      }
      memory.restore();
      assertThat(all(memory)).as("seed " + seed).isEqualTo(kept);
    }
  }

  @Test
  void what_was_there_is_still_there_after_growing() {
    var memory = memory();
    var kept = all(memory);

    memory.grow(PAGES_MAX - SMALL_PAGES);

    assertThat(memory.readBytes(0, kept.length)).isEqualTo(kept);
    assertThat(memory.grow(1)).isEqualTo(-1);
  }

  @Test
  void what_is_kept_of_a_memory_that_has_grown_is_put_back_too() {
    var memory = memory();
    memory.grow(150);
    memory.writeI32(140 * PAGE, 42);
    memory.keep();
    var kept = all(memory);

    memory.grow(10);
    memory.writeI32(140 * PAGE, 43);
    memory.restore();

    assertThat(all(memory)).isEqualTo(kept);
  }

  @Test
  void nothing_is_left_in_an_array_that_is_given_back() throws InterruptedException {
    var memory = memory();
    memory.grow(150);
    memory.writeI32(140 * PAGE, 42);
    memory.keep();
    memory.grow(30);
    memory.fill((byte) 1, 0, memory.pages() * PAGE);
    memory.restore();

    assertZero(large.take(), "");
  }

  @Test
  void a_large_array_is_used_again() throws InterruptedException {
    var memory = memory();
    for (int i = 0; i < 3; i++) {
      memory.grow(150);
      memory.restore();
    }
    var first = large.take();
    large.giveBack(first);

    assertThat(large.take()).isSameAs(first);
  }

  @Test
  void who_needs_much_waits_while_another_has_the_only_large_array() throws Exception {
    var first = memory();
    var second = memory();
    first.grow(150);

    var grown = CompletableFuture.supplyAsync(() -> second.grow(150));
    assertThatThrownBy(() -> grown.get(200, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    first.restore();

    assertThat(grown.get(10, TimeUnit.SECONDS)).isEqualTo(SMALL_PAGES);
  }

  @Test
  void who_waits_for_it_can_be_interrupted() {
    var first = memory();
    var second = memory();
    first.grow(150);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> second.grow(150)).isInstanceOf(ChicoryInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    second.restore();
    first.restore();

    assertThat(second.grow(150)).isEqualTo(SMALL_PAGES);
  }

  @Test
  void a_little_more_memory_takes_no_large_array() throws InterruptedException {
    var memory = memory();

    memory.grow(40);

    large.giveBack(large.take());
    assertThat(memory.pages()).isEqualTo(SMALL_PAGES + 40);
  }
}
