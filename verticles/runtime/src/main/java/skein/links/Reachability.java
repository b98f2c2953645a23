package skein.links;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which node hears which, from the numbers of reports. A node does not hear another one when it has
 * missed so many of its reports that have reached others, and misses them still a report later. So
 * neither a node that is dead nor one that is frozen is taken for a broken link: it makes no
 * reports that could be missed. Confined to one thread.
 */
final class Reachability {
  /** A link is broken when so many reports of a listener in a row say so. */
  private static final int STRIKES = 2;

  /**
   * So many times as much may be missed while one of the two has made fewer reports than {@link
   * #COLD}, and of a node that was never heard: a node that has just started is slow for a while,
   * no node is connected to it yet, and parts of the cluster's maps are on their way to it.
   */
  private static final int PATIENCE = 3;

  static final int COLD = 100;

  private final String me;
  private final int missedMax;

  /** The newest report of every node, of those that came from itself. */
  private final Map<String, LinkReport> reports = new HashMap<>();

  private final Map<String, Long> cameAt = new HashMap<>();

  /** The newest report of every node that has reached any other, and when it was received. */
  private final Map<String, Long> newest = new HashMap<>();

  private final Map<String, Long> advancedAt = new HashMap<>();
  private final Map<Link, Long> bases = new HashMap<>();
  private final Map<Link, Integer> strikes = new HashMap<>();
  private long number;
  private int settling;

  private record Link(String listener, String speaker) {}

  /** {@code missedMax}: with more missed reports a node is not heard. */
  Reachability(String me, int missedMax) {
    this.me = me;
    this.missedMax = missedMax;
  }

  /**
   * Counts the next report of this node, and what it misses itself.
   *
   * @param late this node was frozen: reports that it seems to have missed may wait to be read
   */
  void tick(Collection<String> members, boolean late) {
    number++;
    advance(me, number);
    forgetAllBut(members);
    if (late) {
      settling = STRIKES;
    }
    if (settling > 0) {
      settling--;
      strikes.clear();
    } else {
      strike(me, heard());
    }
  }

  /** A report from the node itself. */
  void received(LinkReport report) {
    var last = reports.get(report.node());
    if (report.node().equals(me) || (last != null && last.number() >= report.number())) {
      return;
    }
    reports.put(report.node(), report);
    cameAt.put(report.node(), number);
    advance(report.node(), report.number());
    report
        .heard()
        .forEach((node, itsNumber) -> {
          if (!node.equals(me)) {
            advance(node, itsNumber);
          }
        });
    strike(report.node(), report.heard());
  }

  private void advance(String node, long itsNumber) {
    var known = newest.get(node);
    if (known == null || itsNumber > known) {
      newest.put(node, itsNumber);
      advancedAt.put(node, number);
    }
  }

  private void strike(String listener, Map<String, Long> heard) {
    newest.forEach((speaker, latest) -> {
      if (speaker.equals(listener)) {
        return;
      }
      var link = new Link(listener, speaker);
      long base = bases.computeIfAbsent(link, _ -> latest);
      long missed = latest - Math.max(base, heard.getOrDefault(speaker, base));
      boolean cold = Math.min(numberOf(listener), latest) < COLD || !heard.containsKey(speaker);
      if (missed > (cold ? PATIENCE * missedMax : missedMax)) {
        strikes.merge(link, 1, Integer::sum);
      } else {
        strikes.remove(link);
      }
    });
  }

  private long numberOf(String node) {
    return node.equals(me) ? number : newest.getOrDefault(node, 0L);
  }

  private void forgetAllBut(Collection<String> members) {
    for (var byNode : List.of(reports, cameAt, newest, advancedAt)) {
      byNode.keySet().removeIf(node -> !members.contains(node) && !node.equals(me));
    }
    bases.keySet().removeIf(this::isForgotten);
    strikes.keySet().removeIf(this::isForgotten);
  }

  private boolean isForgotten(Link link) {
    return !newest.containsKey(link.listener()) || !newest.containsKey(link.speaker());
  }

  long number() {
    return number;
  }

  /** The newest report of every other node that came from itself. */
  Map<String, Long> heard() {
    var heard = new HashMap<String, Long>();
    reports.forEach((node, report) -> heard.put(node, report.number()));
    return heard;
  }

  /** Whether the node is heard here: itself, not through others. */
  private boolean isHeard(String node) {
    return node.equals(me) || isRecent(cameAt.get(node));
  }

  private boolean isRecent(@Nullable Long tick) {
    return tick != null && number - tick <= missedMax;
  }

  /** Nodes whose reports reach any other. */
  Set<String> alive() {
    var alive = new HashSet<String>();
    newest.keySet().stream()
        .filter(node -> node.equals(me) || isRecent(advancedAt.get(node)))
        .forEach(alive::add);
    return alive;
  }

  /** For this node and all that it hears: the nodes that it does not hear. */
  Map<String, Set<String>> unheardFirstHand() {
    var unheard = new HashMap<String, Set<String>>();
    strikes.forEach((link, count) -> {
      if (count >= STRIKES && isHeard(link.listener())) {
        unheard.computeIfAbsent(link.listener(), _ -> new HashSet<>()).add(link.speaker());
      }
    });
    return unheard;
  }

  /** For all nodes: of those that are not heard here, what those say who hear them. */
  Map<String, Set<String>> unheard() {
    var unheard = unheardFirstHand();
    reports.values().stream()
        .filter(report -> isHeard(report.node()))
        .forEach(report ->
            report
                .unheard()
                .forEach((listener, speakers) -> {
                  if (!isHeard(listener)) {
                    unheard.computeIfAbsent(listener, _ -> new HashSet<>()).addAll(speakers);
                  }
                }));
    return unheard;
  }
}
