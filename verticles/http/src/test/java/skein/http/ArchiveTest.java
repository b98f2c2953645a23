package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.pacing.Pace;

class ArchiveTest {
  private static final UploadLimits LIMITS = new UploadLimits(10_000, 3, 5_000, 1, 20_000);

  @Test
  void files_and_entries_are_found_in_order() throws IOException {
    var files =
        jsonFiles(
            List.of(json("a.json", "{}"), zip("b.json", "[1]", "read.me", "no", "d/c.JSON", "2")),
            new UploadLimits(10_000, 4, 5_000, 1, 20_000));

    assertThat(files).extracting(Upload::name).containsExactly("a.json", "b.json", "d/c.JSON");
    assertThat(files.get(1).content().toString(StandardCharsets.UTF_8)).isEqualTo("[1]");
  }

  @Test
  void what_unpacks_to_too_much_is_refused_whatever_it_says_of_its_size() throws IOException {
    var bomb = zip("a.json", "0".repeat(4_000), "skipped.txt", "0".repeat(4_000));
    assertThat(bomb.content().length()).isLessThan(1_000);

    assertThatThrownBy(() -> jsonFiles(List.of(bomb), LIMITS))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
  }

  @Test
  void too_many_entries_are_refused() throws IOException {
    var many = zip("a.json", "1", "b.txt", "1", "c.txt", "1", "d.txt", "1");

    assertThatThrownBy(() -> jsonFiles(List.of(many), LIMITS))
        .hasMessageContaining("more than 3 files");
  }

  @Test
  void a_broken_archive_and_one_without_json_are_refused() throws IOException {
    var whole = zip("a.json", "0123456789".repeat(100));
    var cut = new Upload("cut.zip", "", whole.content().getBuffer(0, whole.content().length() / 3));

    assertThatThrownBy(() -> jsonFiles(List.of(cut), LIMITS)).isInstanceOf(SkeinException.class);
    assertThatThrownBy(() -> jsonFiles(List.of(zip("a.txt", "1")), LIMITS))
        .hasMessageContaining("No JSON file");
  }

  @Test
  void an_entry_beyond_the_bound_is_not_unpacked_to_its_end() throws IOException {
    var budget = new UploadBudget(100_000_000);
    var lease = budget.lease();
    var limits = new UploadLimits(1 << 20, 10, 64 << 20, 1, 66 << 20);
    var bomb = zip("a.json", "0".repeat(60 << 20));

    assertThatThrownBy(() -> Archive.jsonFiles(List.of(bomb), limits, 1 << 20, lease))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
        .hasMessageContaining("a.json has more than 1048576 bytes");
    assertThat(budget.held()).isZero();
  }

  @Test
  void all_requests_have_one_room() throws IOException {
    var budget = new UploadBudget(7_000);
    var first = budget.lease();
    var second = budget.lease();
    var archive = zip("a.json", "0".repeat(4_000));

    Archive.jsonFiles(List.of(archive), LIMITS, 5_000, first);
    assertThatThrownBy(() -> Archive.jsonFiles(List.of(archive), LIMITS, 5_000, second))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
    assertThat(budget.held()).isBetween(4_000L, 7_000L);
    second.close();
    first.close();
    first.close();
    assertThat(budget.held()).isZero();
    assertThat(Archive.jsonFiles(List.of(archive), LIMITS, 5_000, budget.lease())).hasSize(1);
    assertThatThrownBy(() -> first.take(1)).isInstanceOf(SkeinException.class);
  }

  @Test
  void of_an_archive_that_is_refused_nothing_is_kept_meanwhile() throws IOException {
    var lease = new UploadBudget(100_000_000).lease();
    var limits = new UploadLimits(1 << 20, 10, 64 << 20, 1, 66 << 20);
    var bomb = zip("a.json", "0".repeat(60 << 20));
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> Archive.jsonFiles(List.of(bomb), limits, 40 << 20, lease))
        .hasMessageContaining("a.json has more than");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
  }

  @Test
  void unpacking_pauses_as_all_heavy_work_does() throws Exception {
    var limits = new UploadLimits(1 << 20, 10, 200 << 20, 1, 202 << 20);
    var pace = new Pace(new Pace.Limits(0.2, Duration.ZERO, Duration.ZERO));
    var bomb = zip("skipped.txt", "0".repeat(100 << 20), "a.json", "1");
    var threads = ManagementFactory.getThreadMXBean();

    long since = System.nanoTime();
    long cpuBefore = threads.getCurrentThreadCpuTime();
    pace.run(() -> jsonFiles(List.of(bomb), limits));

    long cpu = threads.getCurrentThreadCpuTime() - cpuBefore;
    assertThat(System.nanoTime() - since).as("cpu %d", cpu).isGreaterThan(3 * cpu);
  }

  private static List<Upload> jsonFiles(List<Upload> uploads, UploadLimits limits) {
    return Archive.jsonFiles(uploads, limits, 5_000, new UploadBudget(1_000_000).lease());
  }

  private static Upload json(String name, String text) {
    return new Upload(name, "application/json", Buffer.buffer(text));
  }

  private static Upload zip(String... namesAndTexts) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
        zip.write(namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return new Upload("all.zip", "application/zip", Buffer.buffer(bytes.toByteArray()));
  }
}
