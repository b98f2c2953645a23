package skein.faults;

import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import skein.node.Api;

/**
 * What the callers of a run share: the cluster, the definitions, what waits to be resumed, and the
 * history. Thread-safe.
 */
final class Workload {
  /** Two for each node; every other one never repeats a request. */
  static final int CLIENTS = 6;

  /** {@code request}: which started it; also its correlation id. */
  record Waiting(String definition, String instance, String request) {}

  private final FaultCluster cluster;
  private final Definitions definitions;
  private final History history;
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

  Workload(FaultCluster cluster, Definitions definitions, History history) {
    this.cluster = cluster;
    this.definitions = definitions;
    this.history = history;
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

  String anyDefinition(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> definitions.ledger();
      case 3, 4 -> definitions.delay();
      case 5 -> definitions.effect();
      case 6 -> definitions.parent();
      case 7, 8 -> definitions.mixed();
      default -> definitions.versions();
    };
  }

  boolean waits(String definition) {
    return definition.equals(definitions.ledger()) || definition.equals(definitions.mixed());
  }

  /** The one that has waited longest; null when none does. */
  @Nullable Waiting take() {
    return waiting.poll();
  }

  void put(Waiting instance) {
    waiting.add(instance);
  }
}
