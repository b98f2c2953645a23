package skein.links;

import java.util.List;
import java.util.Set;

/**
 * One node's part in finding broken links: it reports whom it hears, and does as the oldest member
 * decides, which is this node if it is the oldest. Of one thread; has no clock, it is told of every
 * tick.
 */
public final class Links {
  private final String me;
  private final Hearing hearing;
  private final Standing standing;
  private List<Peer> members;
  private Verdict verdict;

  /**
   * @param missedMax reports of a node that another one may miss
   * @param wholeTicks for how long links are whole before a node comes back
   * @param aloneTicks for how long nobody who executes is at work before a node comes back
   */
  public record Options(int missedMax, int wholeTicks, int aloneTicks) {}

  public Links(Peer me, Options options) {
    this.me = me.id();
    this.hearing = new Hearing(me.id(), options.missedMax());
    this.standing = new Standing(options.wholeTicks(), options.aloneTicks());
    this.members = List.of(me);
    this.verdict = new Verdict(me.id(), 0, Set.of());
  }

  /**
   * A time for reporting has come; returns the report.
   *
   * @param now the oldest first
   * @param late this node has stood still
   */
  public LinkReport tick(List<Peer> now, boolean late) {
    members = List.copyOf(now);
    hearing.tick(members.stream().map(Peer::id).toList(), late);
    if (oldest().equals(me)) {
      var aside = standing.tick(members, hearing.unheard(), hearing.alive(), verdict.aside());
      if (!verdict.by().equals(me) || !aside.equals(verdict.aside())) {
        // numbered by its reports, so that the number also grows over the reigns of others
        verdict = new Verdict(me, hearing.number(), aside);
      }
    }
    return report();
  }

  private String oldest() {
    return members.isEmpty() ? me : members.getFirst().id();
  }

  /** Returns whether this changes who has stepped aside: then others should be told at once. */
  public boolean received(LinkReport report) {
    hearing.received(report);
    var told = report.verdict();
    boolean isNews =
        told.by().equals(oldest())
            && !oldest().equals(me)
            && (!verdict.by().equals(told.by()) || told.number() > verdict.number());
    if (!isNews) {
      return false;
    }
    boolean changes = !told.aside().equals(verdict.aside());
    verdict = told;
    return changes;
  }

  /** What is reported between two ticks. */
  public LinkReport report() {
    return new LinkReport(
        me, hearing.number(), hearing.heard(), hearing.unheardFirstHand(), verdict);
  }

  /** Who has stepped aside. */
  public Set<String> aside() {
    return verdict.aside();
  }
}
