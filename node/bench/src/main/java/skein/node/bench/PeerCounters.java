package skein.node.bench;

import java.net.URI;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.node.bench.BenchOptions.Access;
import skein.node.dev.CannotStartException;

/** What nodes have received from one another, by their pages of metrics. */
final class PeerCounters implements AutoCloseable {
  private static final String PAGE = "/metrics";
  private static final Pattern LINE =
      Pattern.compile(
          "^skein_peer_(messages|bytes)_total\\{port=\"(bus|members)\"\\} (\\S+)$",
          Pattern.MULTILINE);

  private final List<Api> nodes;

  PeerCounters(List<URI> urls, Access access) {
    this.nodes = urls.stream().map(url -> new Api(url, access)).toList();
  }

  /**
   * Of all nodes together, since their starts.
   *
   * @param busMessages of the event bus
   * @param memberPackets of Hazelcast
   */
  record Received(long busMessages, long busBytes, long memberPackets, long memberBytes) {
    static final Received NOTHING = new Received(0, 0, 0, 0);

    Received plus(Received other) {
      return combined(other, 1);
    }

    Received minus(Received earlier) {
      return combined(earlier, -1);
    }

    /** A node that was started anew, or another one behind the same address, has received less. */
    private boolean isPossible() {
      return busMessages >= 0 && busBytes >= 0 && memberPackets >= 0 && memberBytes >= 0;
    }

    private Received combined(Received other, int sign) {
      return new Received(
          busMessages + sign * other.busMessages,
          busBytes + sign * other.busBytes,
          memberPackets + sign * other.memberPackets,
          memberBytes + sign * other.memberBytes);
    }
  }

  /**
   * What came between two readings; null where one is missing, or they are not of the same nodes.
   */
  static @Nullable Received between(@Nullable Received before, @Nullable Received after) {
    if (before == null || after == null) {
      return null;
    }
    var received = after.minus(before);
    return received.isPossible() ? received : null;
  }

  /** Null when a node does not tell: it is of an older version, or its page is at another port. */
  @Nullable Received read() {
    var all = Received.NOTHING;
    for (var node : nodes) {
      var received = read(node);
      if (received == null) {
        return null;
      }
      all = all.plus(received);
    }
    return all;
  }

  /** What was measured is not lost because a page is not answered. */
  private static @Nullable Received read(Api node) {
    try {
      var page = node.page(PAGE);
      return page == null ? null : received(page);
    } catch (CannotStartException _) {
      return null;
    }
  }

  /** Null when not all of it is there. */
  static @Nullable Received received(String page) {
    var lines = LINE.matcher(page).results().toList();
    return lines.size() < 4
        ? null
        : new Received(
            number(lines, "messages", "bus"),
            number(lines, "bytes", "bus"),
            number(lines, "messages", "members"),
            number(lines, "bytes", "members"));
  }

  private static long number(List<MatchResult> lines, String what, String port) {
    return lines.stream()
        .filter(line -> line.group(1).equals(what) && line.group(2).equals(port))
        .mapToLong(line -> (long) Double.parseDouble(line.group(3)))
        .sum();
  }

  @Override
  public void close() {
    nodes.forEach(Api::close);
  }
}
