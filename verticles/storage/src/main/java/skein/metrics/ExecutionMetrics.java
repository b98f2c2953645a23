package skein.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Transition;
import skein.model.WorkflowStatus;

/** Counters of the lanes of a node: commands, locks, and outcomes of instances. Thread-safe. */
public final class ExecutionMetrics {
  private final LongAdder waiting = new LongAdder();
  private final LongAdder scriptsWaiting = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder batched = new LongAdder();
  private final LongAdder started = new LongAdder();
  private final LongAdder resumed = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final Map<ErrorCode, LongAdder> refused = adders(ErrorCode.class);
  private final Map<WorkflowStatus, LongAdder> finished = adders(WorkflowStatus.class);
  private final Durations life = Durations.ofLife();
  private final Durations lockWait = new Durations();
  private final Durations lockHold = new Durations();
  private final LongAdder lockContendedInLane = new LongAdder();
  private final LongAdder lockContendedInCluster = new LongAdder();
  private final LongAdder lockTimeouts = new LongAdder();
  private final LongAdder lockErrors = new LongAdder();
  private final OutcomesByName definitions;
  private final OutcomesByName tenants;

  /** Counts no definition and no tenant by itself. */
  public ExecutionMetrics() {
    this(0, 0);
  }

  /**
   * @param definitionsMax definitions that are counted by themselves
   * @param tenantsMax tenants that are counted by themselves
   */
  public ExecutionMetrics(int definitionsMax, int tenantsMax) {
    this.definitions = new OutcomesByName(definitionsMax);
    this.tenants = new OutcomesByName(tenantsMax);
  }

  private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> kind) {
    var adders = new EnumMap<E, LongAdder>(kind);
    for (var one : kind.getEnumConstants()) {
      adders.put(one, new LongAdder());
    }
    return adders;
  }

  private static <E> LongAdder of(Map<E, LongAdder> adders, E one) {
    return Objects.requireNonNull(adders.get(one));
  }

  /** Commands that were accepted and have not ended. */
  public LongAdder waiting() {
    return waiting;
  }

  /** Bursts that wait for a script thread. */
  public LongAdder scriptsWaiting() {
    return scriptsWaiting;
  }

  /** A message of another node brought so many commands. */
  public void cameTogether(int commands) {
    batches.increment();
    batched.add(commands);
  }

  /** Messages of other nodes that may bring many commands. */
  public LongAdder batches() {
    return batches;
  }

  /** The commands that {@link #batches} brought. */
  public LongAdder batched() {
    return batched;
  }

  /** A transition that this node committed. */
  public void committed(Transition transition) {
    var next = transition.next();
    var tenant = next.definition().tenant();
    if (transition.expectedRevision() == 0) {
      started.increment();
      definitions.started(next.definition().definitionId());
      if (!tenant.isEmpty()) {
        tenants.started(tenant);
      }
    }
    var timing = next.timing();
    var end = timing.finishedAt();
    if (end != null && timing.isEnd()) {
      of(finished, next.status()).increment();
      definitions.finished(next.definition().definitionId(), next.status());
      if (!tenant.isEmpty()) {
        tenants.finished(tenant, next.status());
      }
      life.addMillis(end.toEpochMilli() - timing.createdAt().toEpochMilli());
    }
  }

  /** A command that failed; what has no code is {@link ErrorCode#INTERNAL}. */
  public void failed(Throwable cause) {
    var code = cause instanceof SkeinException refusal ? refusal.code() : ErrorCode.INTERNAL;
    of(refused, code).increment();
  }

  /** The same of single definitions. */
  public OutcomesByName definitions() {
    return definitions;
  }

  /** The same of single tenants, without the default tenant. */
  public OutcomesByName tenants() {
    return tenants;
  }

  public LongAdder started() {
    return started;
  }

  /** Bookmarks that were resumed, by whatever stimulus. */
  public LongAdder resumed() {
    return resumed;
  }

  /** Bursts that started over because another commit came first. */
  public LongAdder conflicts() {
    return conflicts;
  }

  public long refused(ErrorCode code) {
    return of(refused, code).sum();
  }

  public long finished(WorkflowStatus status) {
    return of(finished, status).sum();
  }

  /** From the start of an instance to its end. */
  public Durations life() {
    return life;
  }

  /**
   * From the arrival of a command to its turn: for the lock, or behind other commands of its
   * instance.
   */
  public Durations lockWait() {
    return lockWait;
  }

  public Durations lockHold() {
    return lockHold;
  }

  /** Commands that found others of their instance before them. */
  public LongAdder lockContendedInLane() {
    return lockContendedInLane;
  }

  /** Tries that found the lock held by another node. */
  public LongAdder lockContendedInCluster() {
    return lockContendedInCluster;
  }

  /** Locks that did not come free in time; their commands were refused. */
  public LongAdder lockTimeouts() {
    return lockTimeouts;
  }

  /** Lock requests without an answer; their commands continued without the lock. */
  public LongAdder lockErrors() {
    return lockErrors;
  }
}
