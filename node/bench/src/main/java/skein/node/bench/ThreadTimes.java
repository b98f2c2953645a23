package skein.node.bench;

import java.util.EnumMap;
import java.util.Map;

/** How long threads have had a processor, by what they do. */
record ThreadTimes(Map<Part, Cpu> parts) {
  static final ThreadTimes NONE = new ThreadTimes(Map.of());

  /** Kinds of threads by their work. */
  enum Part {
    JAVA,
    COMPILER,
    COLLECTOR,
    RECORDER,
    SESSIONS,
    SERVERS
  }

  /** Seconds in user mode and in the kernel. */
  record Cpu(double user, double kernel) {
    static final Cpu NONE = new Cpu(0, 0);

    Cpu plus(Cpu other) {
      return new Cpu(user + other.user, kernel + other.kernel);
    }

    Cpu minus(Cpu earlier) {
      return new Cpu(user - earlier.user, kernel - earlier.kernel);
    }

    double total() {
      return user + kernel;
    }
  }

  ThreadTimes {
    parts = Map.copyOf(parts);
  }

  Cpu of(Part part) {
    return parts.getOrDefault(part, Cpu.NONE);
  }

  ThreadTimes plus(ThreadTimes other) {
    var all = new EnumMap<Part, Cpu>(Part.class);
    for (var part : Part.values()) {
      all.put(part, of(part).plus(other.of(part)));
    }
    return new ThreadTimes(all);
  }
}
