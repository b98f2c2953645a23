package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessCpuTest {
  @Test
  void a_name_with_blanks_and_brackets_does_not_move_the_fields() {
    var fields = ProcessCpu.fieldsOf("42 (a b) c) S 1 42 42 0 -1 0 0 0 0 0 700 300 20 10 0");

    assertThat(fields[0]).isEqualTo("S");
    assertThat(fields[11]).as("user time").isEqualTo("700");
    assertThat(fields[12]).as("system time").isEqualTo("300");
  }

  @Test
  void work_of_this_process_is_seen() {
    var self = ProcessHandle.current();
    double before = ProcessCpu.seconds(self);
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();

    while (ProcessCpu.seconds(self) - before < 0.05 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }

    assertThat(ProcessCpu.seconds(self) - before).isGreaterThanOrEqualTo(0.05);
    assertThat(ProcessCpu.secondsOfAll(self)).isGreaterThanOrEqualTo(before);
    assertThat(ProcessCpu.residentBytes(self)).isPositive();
  }
}
