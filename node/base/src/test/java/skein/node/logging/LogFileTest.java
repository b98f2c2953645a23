package skein.node.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
  private static final long FILE_BYTES_MAX = 512 * 1024;
  private static final int KEPT = 3;

  @TempDir private Path folder;
  private final LoggerContext context = new LoggerContext();

  private QueuedAppender started(OutputStream out) {
    var appender = made(out);
    appender.start();
    return appender;
  }

  private QueuedAppender made(OutputStream out) {
    context.setMDCAdapter(new LogbackMDCAdapter());
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%replace( %kvp{NONE}){'^ $', ''}%n");
    encoder.start();
    var options = new QueuedAppender.Options(1_000, Duration.ofMinutes(1), Duration.ofMillis(1));
    var appender = new QueuedAppender(encoder, out, new BoundedLines(context, 8_192), options);
    appender.setContext(context);
    return appender;
  }

  private void log(QueuedAppender appender, String message) {
    var logger = context.getLogger("test");
    appender.doAppend(new LoggingEvent("fqcn", logger, Level.INFO, message, null, null));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String numbered(int number) {
    return "%0100d".formatted(number);
  }

  @Test
  void many_lines_rotate_and_all_files_together_stay_bounded() throws Exception {
    var file = folder.resolve("new/skein.log");
    var appender = started(new RotatingFile(file, FILE_BYTES_MAX, KEPT));
    int lines = 40_000;
    for (int i = 0; i < lines; i++) {
      log(appender, numbered(i));
    }
    appender.stop();

    assertThat(appender.dropped()).isZero();
    assertThat(appender.failure()).isNull();
    var names = List.of("skein.log.3", "skein.log.2", "skein.log.1", "skein.log");
    try (var entries = Files.list(folder.resolve("new"))) {
      assertThat(entries.map(one -> one.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(names);
    }
    var kept = new ArrayList<String>();
    for (var name : names) {
      var part = folder.resolve("new").resolve(name);
      assertThat(Files.size(part)).isBetween(1L, FILE_BYTES_MAX);
      kept.addAll(Files.readAllLines(part));
    }
    assertThat(kept).hasSizeGreaterThan(10_000);
    assertThat(kept)
        .isEqualTo(
            IntStream.range(lines - kept.size(), lines).mapToObj(LogFileTest::numbered).toList());
  }

  @Test
  void a_new_start_goes_on_in_the_file_that_is_there_and_knows_its_size() throws Exception {
    var file = Files.writeString(folder.resolve("skein.log"), "before\n");
    try (var out = new RotatingFile(file, 14, 1)) {
      out.write(bytes("after 1\n")); // 15 bytes with what is there
      out.write(bytes("more\n"));
    }
    assertThat(file).hasContent("after 1\nmore\n");
    assertThat(folder.resolve("skein.log.1")).hasContent("before\n");
  }

  @Test
  void nothing_is_kept_beside_the_file_when_nothing_is_to_be() throws Exception {
    var file = folder.resolve("skein.log");
    try (var out = new RotatingFile(file, 10, 0)) {
      out.write(bytes("first 12345\n")); // larger than a file may be
      out.write(bytes("second\n"));
    }
    assertThat(file).hasContent("second\n");
    try (var entries = Files.list(folder)) {
      assertThat(entries).containsExactly(file);
    }
  }

  @Test
  void a_file_that_somebody_else_writes_is_left_to_him() throws Exception {
    var file = folder.resolve("skein.log");
    try (var first = new RotatingFile(file, 10, 1);
        var second = new RotatingFile(file, 10, 1)) {
      first.write(bytes("first\n"));

      assertThatThrownBy(() -> second.write(bytes("second\n")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another process");
      assertThat(file).hasContent("first\n");
    }
  }

  @Test
  void a_file_that_cannot_be_written_is_counted_and_said_and_holds_nobody_up() throws Exception {
    var notAFolder = Files.createFile(folder.resolve("file"));
    var file = notAFolder.resolve("skein.log");
    var said = new ByteArrayOutputStream();
    var output = started(said);
    var appender = made(new RotatingFile(file, FILE_BYTES_MAX, KEPT));
    appender.onFailure(new LogFileFailures(context, file, output)::say);
    appender.start();

    long since = System.nanoTime();
    for (int i = 0; i < 5_000; i++) {
      log(appender, "lost");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(30));
    await(() -> appender.dropped() == 5_000);
    assertThat(appender.failure()).isNotNull();

    Files.delete(notAFolder);
    log(appender, "written");
    await(() -> Files.exists(file) && Files.readString(file).contains("log.dropped"));
    appender.stop();
    output.stop();

    assertThat(appender.failure()).isNull();
    assertThat(file).hasContent("written\nlog.dropped lines=5000\n");
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .startsWith("log.fileNotWritten file=" + file + " why=")
        .contains("cure=make room");
  }

  @Test
  void a_full_disk_is_counted_as_well() throws Exception {
    var full = Path.of("/dev/full"); // where every write finds no room
    assumeTrue(Files.isWritable(full));
    var appender = started(new RotatingFile(full, FILE_BYTES_MAX, KEPT));

    log(appender, "lost");
    await(() -> appender.dropped() == 1);
    assertThat(appender.failure()).hasMessageContaining("No space left");
    appender.stop();
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(2);
    }
  }
}
