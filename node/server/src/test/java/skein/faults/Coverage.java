package skein.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import skein.faults.Operation.Kind;

/**
 * How many commands of each kind were under way while a fault of each kind was on. Beside the calls
 * of clients these are the timers, from when they are due until they have fired, and the children
 * of instances, from their start to their end.
 *
 * @param met by kind of fault, then by kind of command; a run without faults has one column
 */
record Coverage(Map<String, Map<String, Long>> met) {
  static final String TIMER = "TIMER";
  static final String CHILD = "CHILD";

  /** The column of a run in which nothing is broken. */
  static final String NO_FAULT = "no fault";

  private record Work(String kind, long fromNanos, long untilNanos) {}

  static Coverage of(Evidence evidence) {
    var works = new ArrayList<Work>();
    for (var operation : evidence.operations()) {
      var span = operation.span();
      works.add(new Work(operation.kind().name(), span.startNanos(), span.endNanos()));
    }
    var clock = evidence.clock();
    for (var timer : evidence.rows().timers()) {
      works.add(new Work(TIMER, clock.nanos(timer.dueAt()), clock.nanos(timer.goneAt())));
    }
    for (var child : evidence.children()) {
      works.add(new Work(CHILD, clock.nanos(child.from()), clock.nanos(child.until())));
    }
    var met = new TreeMap<String, Map<String, Long>>();
    if (evidence.faults().isEmpty()) {
      works.forEach(work -> count(met, NO_FAULT, work));
    }
    for (var fault : evidence.faults()) {
      met.computeIfAbsent(fault.what(), _ -> new TreeMap<>());
      works.stream()
          .filter(work ->
              work.fromNanos() <= fault.untilNanos() && work.untilNanos() >= fault.fromNanos())
          .forEach(work -> count(met, fault.what(), work));
    }
    return new Coverage(met);
  }

  private static void count(Map<String, Map<String, Long>> met, String fault, Work work) {
    met.computeIfAbsent(fault, _ -> new TreeMap<>()).merge(work.kind(), 1L, Long::sum);
  }

  /** What has to meet every kind of fault. */
  static List<String> kinds() {
    var calls = Stream.of(Kind.values()).filter(kind -> kind != Kind.PROBE).map(Kind::name);
    return Stream.concat(calls, Stream.of(TIMER, CHILD)).toList();
  }

  /** The cells that say nothing: {@code MINT x kill}. */
  List<String> empty() {
    return met.entrySet().stream()
        .flatMap(column ->
            kinds().stream()
                .filter(kind -> column.getValue().getOrDefault(kind, 0L) == 0)
                .map(kind -> kind + " x " + column.getKey()))
        .toList();
  }

  /** A line for each kind of fault, a column for each kind of command. */
  String table() {
    int width = met.keySet().stream().mapToInt(String::length).max().orElse(0);
    var text = new StringBuilder("  " + " ".repeat(width));
    kinds().forEach(kind -> text.append(" %8s".formatted(kind)));
    met.forEach((fault, counts) -> {
      text.append("\n  ").append(fault).append(" ".repeat(width - fault.length()));
      kinds().forEach(kind -> text.append(" %8d".formatted(counts.getOrDefault(kind, 0L))));
    });
    return text.toString();
  }

  /**
   * One instant by the clock of the database and by {@link System#nanoTime}, from which all others
   * follow.
   */
  record Clock(Instant instant, long nanoTime) {
    long nanos(Instant other) {
      return nanoTime + Duration.between(instant, other).toNanos();
    }
  }
}
