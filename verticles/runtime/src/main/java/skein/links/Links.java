package skein.links;

import java.util.List;
import java.util.Set;

/**
 * One node's part in finding broken links: it reports the nodes that it hears, and does as the
 * oldest member decides, which is this node if it is the oldest. Confined to one thread; has no
 * clock, its caller reports every tick.
 */
public final class Links {
  private final String me;
  private final Reachability reachability;
  private final StepAsideMembership membership;
  private List<Peer> members;
  private StepAsideDecision decision;

  /**
   * @param missedMax reports of a node that another one may miss
   * @param wholeTicks for how long links are whole before a node comes back
   * @param aloneTicks for how long no executing node is at work before a node comes back
   */
  public record Options(int missedMax, int wholeTicks, int aloneTicks) {}

  public Links(Peer me, Options options) {
    this.me = me.id();
    this.reachability = new Reachability(me.id(), options.missedMax());
    this.membership = new StepAsideMembership(options.wholeTicks(), options.aloneTicks());
    this.members = List.of(me);
    this.decision = new StepAsideDecision(me.id(), 0, Set.of());
  }

  /**
   * It is time to report; returns the report.
   *
   * @param now the oldest first
   * @param late this node was frozen
   */
  public LinkReport tick(List<Peer> now, boolean late) {
    members = List.copyOf(now);
    reachability.tick(members.stream().map(Peer::id).toList(), late);
    if (oldest().equals(me)) {
      var aside =
          membership.tick(members, reachability.unheard(), reachability.alive(), decision.aside());
      if (!decision.by().equals(me) || !aside.equals(decision.aside())) {
        // numbered by its reports, so that the number also grows over the reigns of others
        decision = new StepAsideDecision(me, reachability.number(), aside);
      }
    }
    return report();
  }

  private String oldest() {
    return members.isEmpty() ? me : members.getFirst().id();
  }

  /** Returns whether this changes who has stepped aside: then others should be notified at once. */
  public boolean received(LinkReport report) {
    reachability.received(report);
    var told = report.decision();
    boolean isNews =
        told.by().equals(oldest())
            && !oldest().equals(me)
            && (!decision.by().equals(told.by()) || told.number() > decision.number());
    if (!isNews) {
      return false;
    }
    boolean changes = !told.aside().equals(decision.aside());
    decision = told;
    return changes;
  }

  /** The report between two ticks. */
  public LinkReport report() {
    return new LinkReport(
        me, reachability.number(), reachability.heard(), reachability.unheardFirstHand(), decision);
  }

  /** The nodes that have stepped aside. */
  public Set<String> aside() {
    return decision.aside();
  }
}
