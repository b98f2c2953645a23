package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import skein.node.bench.ThreadSnapshot.Entry;
import skein.node.bench.ThreadTimes.Cpu;
import skein.node.bench.ThreadTimes.Part;

class ProfileTest {
  private static final List<String> COMMITTING =
      List.of(
          "java.util.ArrayList.add",
          "io.vertx.core.json.JsonArray.add",
          "skein.storage.Committer.send",
          "io.netty.util.concurrent.SingleThreadEventExecutor.run",
          "java.lang.Thread.run");
  private static final List<String> WRITING =
      List.of("sun.nio.ch.SocketDispatcher.write0", "io.vertx.core.http.impl.Http1.write");

  @Test
  void a_stack_counts_for_its_innermost_frame_that_belongs_to_a_step() {
    assertThat(ProfileStep.of(COMMITTING)).isEqualTo(ProfileStep.COMMIT);
    assertThat(ProfileStep.of(WRITING)).isEqualTo(ProfileStep.WRITE);
    assertThat(ProfileStep.of(List.of("io.netty.channel.epoll.Native.epollWait0")))
        .isEqualTo(ProfileStep.SELECT);
    assertThat(ProfileStep.of(List.of("java.lang.Object.wait"))).isEqualTo(ProfileStep.OTHER);
  }

  @Test
  void an_event_loop_is_what_is_left() {
    assertThat(ProfileStep.of(List.of("io.netty.buffer.Pool.get", "skein.burst.Run.step")))
        .isEqualTo(ProfileStep.DECISIONS);
    assertThat(ProfileStep.of(List.of("io.netty.buffer.Pool.get", "java.lang.Thread.run")))
        .isEqualTo(ProfileStep.LOOPS);
  }

  @Test
  void samples_share_the_time_of_java_threads_by_what_they_stand_for() {
    var stacks = new Stacks();
    stacks.add(COMMITTING, Duration.ofMillis(15));
    stacks.add(COMMITTING, Duration.ofMillis(15));
    stacks.add(WRITING, Duration.ofMillis(10));
    var times =
        new ThreadTimes(
            Map.of(
                Part.JAVA, new Cpu(0.03, 0.01),
                Part.COMPILER, new Cpu(0.002, 0),
                Part.SESSIONS, new Cpu(0.02, 0.005)));

    var table = new Profile("resume-16", 1_000, times, stacks).table();

    assertThat(table).startsWith("resume-16: ").contains("1000 operations, 3 samples");
    assertThat(table.lines())
        .anyMatch(line -> line.matches("nodes, Java threads +40\\.0"))
        .anyMatch(line -> line.matches("  commit: .* +30\\.0 +75\\.0 %"))
        .anyMatch(line -> line.matches("  sockets: write +10\\.0 +25\\.0 %"))
        .anyMatch(line -> line.matches("  of all these in the kernel +10\\.0"))
        .anyMatch(line -> line.matches("nodes, compiler +2\\.0"))
        .anyMatch(line -> line.matches("PostgreSQL, sessions +25\\.0"));
    assertThat(table.indexOf("commit: ")).isLessThan(table.indexOf("sockets: write"));
  }

  @Test
  void stacks_are_written_from_the_outside_with_their_microseconds() {
    var stacks = new Stacks();
    stacks.add(WRITING, Duration.ofMillis(1));
    stacks.add(WRITING, Duration.ofMillis(2));

    assertThat(stacks.collapsed())
        .containsExactly(
            "io.vertx.core.http.impl.Http1.write;sun.nio.ch.SocketDispatcher.write0 3000");
  }

  @Test
  void without_samples_the_reason_is_told() {
    var table = new Profile("resume-16", 0, ThreadTimes.NONE, new Stacks()).table();

    assertThat(table).contains("no samples");
  }

  @Test
  void threads_are_known_by_their_names() {
    assertThat(ThreadSnapshot.partOfNode("C2 CompilerThre")).isEqualTo(Part.COMPILER);
    assertThat(ThreadSnapshot.partOfNode("VM Thread")).isEqualTo(Part.COLLECTOR);
    assertThat(ThreadSnapshot.partOfNode("JFR Sampler")).isEqualTo(Part.RECORDER);
    assertThat(ThreadSnapshot.partOfNode("vert.x-eventloo")).isEqualTo(Part.JAVA);
    assertThat(ThreadSnapshot.partOfPostgres("postgres: elsa elsa 127.0.0.1(40300) idle"))
        .isEqualTo(Part.SESSIONS);
    assertThat(ThreadSnapshot.partOfPostgres("postgres: walwriter ")).isEqualTo(Part.SERVERS);
  }

  @Test
  void what_threads_used_is_told_thread_by_thread() {
    var before =
        new ThreadSnapshot(
            Map.of(
                "a", new Entry(Part.JAVA, new Cpu(5, 1)),
                "ended", new Entry(Part.JAVA, new Cpu(9, 9))));
    var after =
        new ThreadSnapshot(
            Map.of(
                "a", new Entry(Part.JAVA, new Cpu(6, 3)),
                "new", new Entry(Part.JAVA, new Cpu(1, 0))));

    var used = after.since(before);

    assertThat(used.of(Part.JAVA)).isEqualTo(new Cpu(2, 2));
    assertThat(used.plus(used).of(Part.JAVA).total()).isEqualTo(8);
    assertThat(used.of(Part.COMPILER)).isEqualTo(Cpu.NONE);
  }

  @Test
  void this_process_has_threads() {
    var threads = ThreadSnapshot.of(List.of(ProcessHandle.current()), Stream.of());

    assertThat(threads.threads().values()).extracting(Entry::part).contains(Part.JAVA);
  }
}
