package skein.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NicenessTest {
  /** The 19th field of proc_pid_stat(5), counted after the name, which may hold blanks. */
  private static int ofThisThread() {
    try {
      var stat = Files.readString(Path.of("/proc/thread-self/stat"));
      return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T onAThread(Supplier<T> code) {
    var done = new CompletableFuture<T>();
    Thread.ofPlatform().start(() -> done.complete(code.get()));
    return done.join();
  }

  @Test
  void lowers_the_thread_that_asks_for_it_once() {
    int usual = ofThisThread();
    var niceness = new Niceness(3);

    var seen =
        onAThread(() -> {
          int before = ofThisThread();
          niceness.lower();
          int first = ofThisThread();
          niceness.lower();
          return List.of(before, first, ofThisThread());
        });

    int lowered = Math.min(Niceness.MAX, usual + 3);
    assertThat(seen).containsExactly(usual, lowered, lowered);
    assertThat(ofThisThread()).isEqualTo(usual);
    assertThat(onAThread(NicenessTest::ofThisThread)).as("others").isEqualTo(usual);
  }

  @Test
  void does_nothing_with_no_steps() {
    int usual = ofThisThread();
    var seen =
        onAThread(() -> {
          new Niceness(0).lower();
          return ofThisThread();
        });
    assertThat(seen).isEqualTo(usual);
  }

  @Test
  void has_no_value_beyond_what_the_system_knows() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Niceness(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Niceness(Niceness.MAX + 1));
  }
}
