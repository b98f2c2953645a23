package skein.node;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A process of the lowest priority that is a member of the cluster and sends without end. */
final class BusFlood implements AutoCloseable {
  private final Process process;
  private int sent;

  private BusFlood(Process process) {
    this.process = process;
  }

  /** Returns when it is a member and has begun. */
  static BusFlood start(TestCluster cluster) throws IOException {
    var ports = cluster.memberPorts().stream().map(String::valueOf);
    var arguments = Stream.concat(Stream.of(cluster.name()), ports).toArray(String[]::new);
    return new BusFlood(Attacker.process(BusFlood.class, arguments));
  }

  /**
   * The cluster's name and the ports of its members; runs until its input ends, and then says how
   * many times it has sent one of each kind.
   */
  public static void main(String[] arguments) throws IOException {
    var out = System.out;
    System.setOut(System.err); // where the log goes
    var ports = Arrays.stream(arguments).skip(1).map(Integer::valueOf).toList();
    try (var member = new LiteMember(arguments[0], List.copyOf(ports))) {
      var rounds = new AtomicInteger();
      var flood = Thread.startVirtualThread(() -> flood(member.vertx(), rounds));
      out.println(Attacker.BEGUN);
      System.in.transferTo(OutputStream.nullOutputStream());
      flood.interrupt();
      out.println(rounds.get());
    }
    Runtime.getRuntime().halt(0);
  }

  /**
   * About 4,000 a second: nonsense, messages without a listener, and resumes of missing instances.
   */
  private static void flood(Vertx vertx, AtomicInteger rounds) {
    var bus = vertx.eventBus();
    var patient = new DeliveryOptions().setSendTimeout(5_000);
    var large = new JsonObject().put("definitionId", "x".repeat(100_000));
    try {
      while (true) {
        int i = rounds.getAndIncrement();
        bus.send("skein.start", new JsonObject().put("nonsense", i));
        bus.send("skein.resume", "no object");
        bus.request("skein.resume", new JsonObject().put("instanceId", "no-" + i), patient);
        if (i % 50 == 0) {
          bus.send("skein.start", large);
        }
        bus.publish("skein.nobody", i);
        Thread.sleep(1);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many times it has sent one of each kind; after its end. */
  int sent() {
    return sent;
  }

  @Override
  public void close() throws IOException {
    try {
      process.getOutputStream().close();
      sent = Integer.parseInt(process.inputReader().readLine());
      process.onExit().join();
    } finally {
      process.destroyForcibly();
    }
  }
}
