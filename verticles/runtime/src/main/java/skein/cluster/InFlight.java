package skein.cluster;

/**
 * The work in flight of a node at one moment.
 *
 * @param requests of HTTP clients that have no answer yet
 * @param commands accepted by its lanes, running or in their queues
 * @param work outside that its instances wait for
 */
public record InFlight(int requests, int commands, int work) {
  public static final InFlight NONE = new InFlight(0, 0, 0);

  public InFlight plus(InFlight more) {
    return new InFlight(requests + more.requests, commands + more.commands, work + more.work);
  }

  /** Whether nothing is left that another node could not do as well. */
  public boolean isIdle() {
    return commands == 0 && work == 0;
  }
}
