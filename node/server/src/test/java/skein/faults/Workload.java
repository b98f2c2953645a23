package skein.faults;

import static java.util.Comparator.comparingInt;

import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.faults.Operation.Kind;
import skein.faults.Waiting.WaitKind;
import skein.node.Api;

/**
 * What the callers of a run share: the cluster, the definitions, what waits to be resumed, and the
 * history. Thread-safe.
 */
final class Workload {
  /** Two for each node; every other one never repeats a request. */
  static final int CLIENTS = 6;

  /** Instances with several open waits of which there should be so many, also while none starts. */
  private static final int STOCK = 30;

  private static final int STOCK_MIN = 25;

  /**
   * So many of them, and so many for each kind of call, are left to the calls that a fault has
   * still to meet: clients that fail fast would use up all while nothing can be started.
   */
  private static final int RESERVE = 16;

  private static final int RESERVE_OF_KIND = 3;

  /** Beside those that need no instance; claims and completions need the same ones. */
  private static final List<Kind> OF_INSTANCES =
      Stream.of(Kind.values()).filter(Kind::needsInstance).toList();

  private final FaultCluster cluster;
  private final Definitions definitions;
  private final History history;
  private final Focus focus;
  private final Settlement settlement = new Settlement();
  private final Semaphore publishing = new Semaphore(1);
  private final Queue<Waiting> sequential = new ConcurrentLinkedQueue<>();
  private final Queue<Waiting> open = new ConcurrentLinkedQueue<>();

  Workload(FaultCluster cluster, Definitions definitions, History history, Focus focus) {
    this.cluster = cluster;
    this.definitions = definitions;
    this.history = history;
    this.focus = focus;
  }

  List<Client> clients(SplittableRandom random) {
    return IntStream.range(0, CLIENTS)
        .mapToObj(number -> new Client(this, number, random.split()))
        .toList();
  }

  Api api(int node) {
    return cluster.api(node);
  }

  Definitions definitions() {
    return definitions;
  }

  History history() {
    return history;
  }

  Focus focus() {
    return focus;
  }

  Settlement settlement() {
    return settlement;
  }

  /** It has a key, and no answer that ends it. */
  void unsettled(Caller.Ask ask) {
    settlement.add(ask);
  }

  /** One publishes at a time, so that versions are acknowledged in their order. */
  void publishAlone(Runnable publish) {
    if (publishing.tryAcquire()) {
      try {
        publish.run();
      } finally {
        publishing.release();
      }
    }
  }

  /** When there are few instances with several open waits, one of these. */
  String anyDefinition(SplittableRandom random) {
    return open.size() < STOCK_MIN || random.nextInt(100) < 35
        ? anyOpen(random)
        : switch (random.nextInt(10)) {
          case 0, 1, 2 -> definitions.ledger();
          case 3, 4 -> definitions.delay();
          case 5 -> definitions.effect();
          case 6, 7 -> definitions.parent();
          case 8 -> definitions.mixed();
          default -> definitions.versions();
        };
  }

  /** One whose instances wait at several places at once, or that is told what it waits for. */
  String anyOpen(SplittableRandom random) {
    return switch (random.nextInt(7)) {
      case 0 -> definitions.heard();
      case 1, 2, 3 -> definitions.fork();
      default -> definitions.parallel();
    };
  }

  boolean isStocked() {
    return open.size() >= STOCK;
  }

  /** Whether the reserve is there, for each kind of call. */
  boolean hasReserve() {
    return open.size() >= RESERVE
        && OF_INSTANCES.stream().allMatch(kind -> fitting(kind) >= reserve(kind));
  }

  private static int reserve(Kind kind) {
    return kind == Kind.CLAIM || kind == Kind.COMPLETE ? 2 * RESERVE_OF_KIND : RESERVE_OF_KIND;
  }

  boolean waits(String definition) {
    return definition.equals(definitions.ledger())
        || definition.equals(definitions.mixed())
        || definitions.keeping().contains(definition);
  }

  /** Of those that wait at one place after the other, which has waited longest; null: none. */
  @Nullable Waiting takeSequential() {
    return sequential.poll();
  }

  /**
   * The oldest at which a call of this kind can be made, for a token one that has it already if
   * there is one; null when there is none beyond the reserve.
   */
  synchronized @Nullable Waiting take(Kind kind) {
    if (open.size() <= RESERVE) {
      return null;
    }
    var scarce = OF_INSTANCES.stream().filter(each -> fitting(each) <= reserve(each)).toList();
    return taken(
        fitting(
            kind,
            open.stream().filter(each -> scarce.stream().noneMatch(other -> fits(other, each)))));
  }

  /** As {@link #take}, from the reserve as well: one that fits few other kinds. */
  synchronized @Nullable Waiting takeReserved(Kind kind) {
    return taken(fitting(kind, open.stream().sorted(comparingInt(Workload::kinds))));
  }

  private @Nullable Waiting taken(List<Waiting> found) {
    if (found.isEmpty()) {
      return null;
    }
    var first = found.getFirst();
    open.remove(first);
    return first;
  }

  private static List<Waiting> fitting(Kind kind, Stream<Waiting> of) {
    var found = of.filter(each -> fits(kind, each)).toList();
    if (kind != Kind.TOKEN) {
      return found;
    }
    var having = found.stream().filter(each -> each.token() != null).toList();
    return having.isEmpty() ? found : having;
  }

  private static int kinds(Waiting waiting) {
    return (int) OF_INSTANCES.stream().filter(kind -> fits(kind, waiting)).count();
  }

  private long fitting(Kind kind) {
    return open.stream().filter(waiting -> fits(kind, waiting)).count();
  }

  private static boolean fits(Kind kind, Waiting waiting) {
    return switch (kind) {
      case RESUME, TOKEN, MINT, EVENT -> waiting.has(WaitKind.EVENT);
      case TASK -> waiting.has(WaitKind.TASK);
      case CLAIM, COMPLETE -> waiting.has(WaitKind.USER_TASK);
      case START, CANCEL, PUBLISH, PROBE -> true;
    };
  }

  void put(Waiting instance) {
    (definitions.keeping().contains(instance.definition()) ? open : sequential).add(instance);
  }
}
