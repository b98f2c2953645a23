package skein.execution;

import java.time.Duration;
import skein.forms.FormLimits;
import skein.storage.CommitOptions;

/**
 * Bounds of the execution of instances on one node.
 *
 * @param forms bounds of the forms of user tasks
 */
public record ExecutionOptions(
    Lanes lanes,
    Contention contention,
    Timers timers,
    Work work,
    FormLimits forms,
    CommitOptions commits) {

  /**
   * Bounds of each lane.
   *
   * @param queueMax commands that wait in one lane before more are refused
   * @param queuePerInstanceMax commands that wait for one instance before more are refused
   * @param followersMax commands of one instance that are decided before the first is committed
   * @param commitWaitMax new commands are refused while a commit has waited longer to be sent
   * @param logLinesMax lines of activities that one commit brings into the log
   * @param innerStartsInFlightMax starts that other instances want and that are decided and
   *     committed at one time; more wait
   */
  public record Lanes(
      int queueMax,
      int queuePerInstanceMax,
      int followersMax,
      Duration commitWaitMax,
      Copies copies,
      int logLinesMax,
      int innerStartsInFlightMax) {}

  /**
   * Committed states that a lane keeps in memory.
   *
   * @param heapBytesMax what they may take together, by an estimate
   */
  public record Copies(int instancesMax, long heapBytesMax) {
    private static final int SHARE_OF_HEAP = 8;

    /** The share of one of so many lanes, which have an eighth of the largest heap together. */
    public static Copies ofLane(int instancesMax, int lanes) {
      return new Copies(instancesMax, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / lanes);
    }
  }

  /**
   * When another node works on the same instance.
   *
   * @param lockTimeout how long a command waits for a lock that another node holds
   * @param lockRetryDelay before the second look at a held lock, and the least between any two
   * @param lockRetryDelayMax the most between two looks; the bound doubles from look to look
   * @param retries how often a decision is made again after another commit came first
   */
  public record Contention(
      Duration lockTimeout, Duration lockRetryDelay, Duration lockRetryDelayMax, int retries) {

    /**
     * How long to wait for the next look at a held lock. Drawn, so that nodes that began to wait
     * together do not look together.
     *
     * @param looks at the lock so far, from 1
     * @param random from 0, inclusive, to 1, exclusive
     */
    Duration lockRetryDelay(int looks, double random) {
      double least = (double) lockRetryDelay.toNanos();
      double most = Math.max(least, (double) lockRetryDelayMax.toNanos());
      double bound = Math.min(most, least * Math.pow(2, looks - 1.0));
      return Duration.ofNanos((long) (least + (bound - least) * random));
    }
  }

  /**
   * The notices of lanes to the leaders of timers.
   *
   * @param grace until the leader repeats work whose nudge was lost
   * @param horizon timers due within it are announced to the leader at once
   * @param shards how many leaders there are
   */
  public record Timers(Duration grace, Duration horizon, int shards) {}

  /**
   * Work outside.
   *
   * @param lease how long it counts as lost after its node fell silent
   * @param inFlightMax pieces of it at one time, per lane
   * @param answerTimeout how long a caller waits for work and children before they are answered
   *     with what is known
   */
  public record Work(Duration lease, int inFlightMax, Duration answerTimeout) {}
}
