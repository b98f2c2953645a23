package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class ThreadDeathsTest {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(ThreadDeaths.class);

  private final List<Integer> exits = Collections.synchronizedList(new ArrayList<>());
  private final ThreadDeaths deaths = new ThreadDeaths(exits::add);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    LOG.addAppender(lines);
  }

  @AfterEach
  void forget() {
    LOG.detachAppender(lines);
  }

  private void die(String name) throws InterruptedException {
    var thread =
        new Thread(
            () -> {
              throw new LinkageError("gone");
            },
            name);
    thread.setUncaughtExceptionHandler(deaths);
    thread.start();
    thread.join();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log",
        "scanner",
        "skein-scripts-watchdog",
        "vert.x-eventloop-thread-3",
        "hz.n1.event-1"
      })
  void a_thread_that_nobody_replaces_ends_the_process(String name) throws Exception {
    die(name);

    assertThat(exits).containsExactly(ThreadDeaths.EXIT_CODE);
    assertThat(lines.list)
        .singleElement()
        .satisfies(line -> {
          assertThat(line.getMessage()).isEqualTo("thread.died");
          assertThat(line.getKeyValuePairs().toString()).contains(name);
          assertThat(line.getThrowableProxy().getMessage()).isEqualTo("gone");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"skein-scripts-0", "node-pause", "log-of-somebody"})
  void what_is_replaced_is_a_line(String name) throws Exception {
    die(name);

    assertThat(exits).isEmpty();
    assertThat(lines.list)
        .singleElement()
        .satisfies(line -> assertThat(line.getMessage()).isEqualTo("thread.failed"));
  }

  /** The other end of the wire: a process of which such a thread dies. */
  public static final class Dying {
    private Dying() {}

    /** Ends only if that ends it. */
    public static void main(String[] arguments) throws InterruptedException {
      Shutdown.hook(Duration.ofSeconds(5)).add(() -> System.out.println("stopped in order"));
      new Thread(
              () -> {
                throw new LinkageError("gone");
              },
              "skein-scripts-watchdog")
          .start();
      Thread.sleep(Duration.ofMinutes(1));
    }
  }

  @Test
  void a_process_whose_thread_died_stops_in_order_with_a_code_of_its_own() throws Exception {
    // First, for a class of the tests has the name of one of the program.
    var program =
        Path.of(Shutdown.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-cp",
                program + File.pathSeparator + System.getProperty("java.class.path"),
                Dying.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(said).isEqualTo(ThreadDeaths.EXIT_CODE);
      assertThat(said)
          .contains("skein-scripts-watchdog", "thread.died", "LinkageError", "stopped in order");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void an_answer_for_an_event_loop_that_has_ended_is_no_failure() {
    var late = new Thread(() -> {}, "vert.x-worker-thread-12");

    deaths.uncaughtException(late, new RejectedExecutionException("event executor terminated"));
    assertThat(lines.list).extracting(ILoggingEvent::getLevel).doesNotContain(Level.ERROR);
    deaths.uncaughtException(late, new IllegalStateException("other"));

    assertThat(lines.list)
        .extracting(ILoggingEvent::getLevel)
        .filteredOn(Level.ERROR::equals)
        .hasSize(1);
    assertThat(exits).isEmpty();
  }
}
