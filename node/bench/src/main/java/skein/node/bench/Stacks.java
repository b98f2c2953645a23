package skein.node.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** Samples of the processor time of Java threads, each weighted with the time it stands for. */
final class Stacks {
  /** With its period: how much processor time of a thread there is between two samples of it. */
  static final String SETTINGS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="jdk.CPUTimeSample">
          <setting name="enabled">true</setting>
          <setting name="throttle">5 ms</setting>
        </event>
      </configuration>
      """;

  private static final String SAMPLE = "jdk.CPUTimeSample";
  private static final String RECORDER = "JFR";

  private final SortedMap<String, Long> microsByStack = new TreeMap<>();
  private final Map<ProfileStep, Long> nanosByStep = new EnumMap<>(ProfileStep.class);
  private long samples;

  /** When something happened that is to be looked at. */
  record Stretch(Instant from, Instant to) {
    private boolean contains(Instant at) {
      return !at.isBefore(from) && at.isBefore(to);
    }
  }

  /** Adds what a recording has of some stretches. */
  void read(Path recording, List<Stretch> stretches) throws IOException {
    try (var file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        var event = file.readEvent();
        if (event.getEventType().getName().equals(SAMPLE)
            && stretches.stream().anyMatch(each -> each.contains(event.getStartTime()))) {
          add(event);
        }
      }
    }
  }

  private void add(RecordedEvent sample) {
    var thread = sample.getThread("eventThread");
    var stack = sample.getStackTrace();
    var name = thread == null ? null : thread.getJavaName();
    if (stack == null || (name != null && name.startsWith(RECORDER))) {
      return;
    }
    add(names(stack), sample.getDuration("samplingPeriod"));
  }

  /** The innermost first. */
  private static List<String> names(RecordedStackTrace stack) {
    var names = new ArrayList<String>();
    for (var frame : stack.getFrames()) {
      var method = frame.getMethod();
      names.add(method.getType().getName() + "." + method.getName());
    }
    return names;
  }

  /** {@code frames}: class and method, the innermost first. */
  void add(List<String> frames, Duration time) {
    samples++;
    microsByStack.merge(String.join(";", frames.reversed()), time.toNanos() / 1_000, Long::sum);
    nanosByStep.merge(ProfileStep.of(frames), time.toNanos(), Long::sum);
  }

  long samples() {
    return samples;
  }

  /** The share of all samples, 0 to 1; 0 when there are none. */
  double share(ProfileStep step) {
    long all = nanosByStep.values().stream().mapToLong(Long::longValue).sum();
    return all == 0 ? 0 : nanosByStep.getOrDefault(step, 0L) / (double) all;
  }

  /** A line for each stack, the outermost frame first, with its microseconds. */
  List<String> collapsed() {
    return microsByStack.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .toList();
  }
}
