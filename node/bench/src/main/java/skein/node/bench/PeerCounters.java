package skein.node.bench;

import java.net.URI;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.node.bench.BenchOptions.Access;

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

    private Received combined(Received other, int sign) {
      return new Received(
          busMessages + sign * other.busMessages,
          busBytes + sign * other.busBytes,
          memberPackets + sign * other.memberPackets,
          memberBytes + sign * other.memberBytes);
    }
  }

  /** Null when a node does not tell: it is of an older version, or its page is at another port. */
  @Nullable Received read() {
    var all = Received.NOTHING;
    for (var node : nodes) {
      var page = node.page(PAGE);
      var received = page == null ? null : received(page);
      if (received == null) {
        return null;
      }
      all = all.plus(received);
    }
    return all;
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
