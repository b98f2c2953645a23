package skein.burst;

import static skein.burst.Workflows.event;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.variable;

import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import skein.codecs.InstanceCodec;
import skein.graph.Graph;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.storage.JournalText;

/** Bursts per second of one core, without I/O: decided alone, and with what a commit encodes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class BurstBenchmark {
  private final Graph straight = chart(false);
  private final Graph waiting = chart(true);
  private final WorkflowInstance suspended = Workflows.start(waiting).next();
  private final byte[] stored = InstanceCodec.encode(suspended);

  /** Ten activities in a row; the waiting one has an event in place of the fifth. */
  private static Graph chart(boolean waits) {
    var activities = new ArrayList<String>();
    var connections = new ArrayList<String>();
    for (var i = 0; i < 10; i++) {
      activities.add(activity(i, waits));
      if (i > 0) {
        connections.add("n" + (i - 1) + ">n" + i);
      }
    }
    var chart = flowchart("flow", String.join(" ", connections), String.join(",", activities));
    return rooted(
        "{'variables':[{'id':'v','name':'v','value':'of a few words'}]," + chart.substring(1));
  }

  private static String activity(int number, boolean waits) {
    var id = "n" + number;
    if (waits && number == 4) {
      return event(id, "go");
    }
    return number % 2 == 0
        ? line(id, "a line of text")
        : Workflows.activity(
            "SetVariable",
            id,
            "'variable':{'id':'v'},'value':"
                + (number == 1 ? literal("Object", "'other words'") : variable("Object", "v")));
  }

  /** Started, ten activities, completed. */
  @Benchmark
  public Transition start() {
    return Workflows.start(straight);
  }

  /** Resumed, five activities, completed. */
  @Benchmark
  public Transition resume() {
    return Workflows.resume(waiting, suspended, "n4", Map.of("payload", "p"));
  }

  /** As {@code start}, with the bytes of the state and the text of the journal. */
  @Benchmark
  public int startAndEncode() {
    return encoded(Workflows.start(straight));
  }

  /** As {@code resume}, from the bytes of the state to those of the next and its journal. */
  @Benchmark
  public int decodeResumeAndEncode() {
    var instance = InstanceCodec.decode(stored, 1);
    return encoded(Workflows.resume(waiting, instance, "n4", Map.of("payload", "p")));
  }

  private static int encoded(Transition transition) {
    return InstanceCodec.encode(transition.next()).length
        + JournalText.of(transition.journal()).length();
  }
}
