package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.map.IMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.Eventually;
import skein.node.Measured;
import skein.peers.TestCertificates;

/** What TLS costs at each port: two members with it and two without take turns, in one process. */
@Tag("long")
@Tag("alone")
class TlsCostIT {
  private static final int[] SIZES = {1_000, 262_144};
  private static final int ROUNDS = Integer.getInteger("skein.tls.rounds", 1);
  private static final Duration ROUND = Duration.ofMillis(700);
  private static final int WINDOW = 64;

  @TempDir private static Path folder;

  /** Two members, and what one asks the other one. */
  private record Pair(HazelcastMember first, HazelcastMember second, Vertx firstBus) {
    static Pair of(Members members, Map<String, String> settings) throws TimeoutException {
      var first = members.start(settings);
      var second = members.start(settings);
      var bus = members.vertx(first);
      var other = members.vertx(second);
      for (int size : SIZES) {
        var answer = Buffer.buffer(new byte[size]);
        other.eventBus().consumer("cost-" + size, message -> message.reply(answer));
      }
      return new Pair(first, second, bus);
    }

    Supplier<CompletionStage<?>> bus(int size) {
      var body = Buffer.buffer(new byte[size]);
      return () -> firstBus.eventBus().request("cost-" + size, body).toCompletionStage();
    }

    Supplier<CompletionStage<?>> member(int size) {
      IMap<String, byte[]> map = first.hazelcast().getMap("cost");
      var partitions = first.hazelcast().getPartitionService();
      var there = second.hazelcast().getCluster().getLocalMember();
      int number = 0;
      while (!there.equals(partitions.getPartition("k" + number).getOwner())) {
        number++;
      }
      var key = "k" + number;
      var value = new byte[size];
      return () -> map.putAsync(key, value);
    }
  }

  private static Map<String, String> settings(@Nullable TestCertificates authority)
      throws IOException {
    var settings = new HashMap<String, String>();
    var secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    settings.put("cluster.secret-file", secret.toString());
    settings.put("cluster.packet-bytes-max", "64MiB");
    if (authority != null) {
      var files = authority.of("node");
      settings.put("cluster.tls", "true");
      settings.put("cluster.tls-certificate-file", files.certificate().toString());
      settings.put("cluster.tls-key-file", files.key().toString());
      settings.put("cluster.tls-ca-file", files.authorities().toString());
    }
    return settings;
  }

  @Test
  void tls_costs_a_part_of_what_is_sent() throws Exception {
    try (var plain = new Members();
        var secured = new Members()) {
      var without = Pair.of(plain, settings(null));
      var with = Pair.of(secured, settings(new TestCertificates(folder, "ca")));
      for (int size : SIZES) {
        compare("event bus, " + size + " bytes each way", without.bus(size), with.bus(size));
        compare("member port, " + size + " bytes", without.member(size), with.member(size));
      }
    }
  }

  private static void compare(
      String what, Supplier<CompletionStage<?>> without, Supplier<CompletionStage<?>> with)
      throws InterruptedException {
    assertThat(Eventually.isTrue(Duration.ofSeconds(20), () -> isAnswered(without))).isTrue();
    assertThat(Eventually.isTrue(Duration.ofSeconds(20), () -> isAnswered(with))).isTrue();
    perSecond(without);
    perSecond(with);
    double slow = 0;
    double fast = 0;
    for (int round = 0; round < ROUNDS; round++) {
      fast += perSecond(without);
      slow += perSecond(with);
    }
    Measured.say(
        "TLS, " + what,
        "%.0f/s without, %.0f/s with, ratio %.2f",
        fast / ROUNDS,
        slow / ROUNDS,
        slow / fast);
    assertThat(slow / fast).as("ratio, " + what).isGreaterThan(0.05);
  }

  private static boolean isAnswered(Supplier<CompletionStage<?>> call) {
    try {
      call.get().toCompletableFuture().get(5, TimeUnit.SECONDS);
      return true;
    } catch (Exception _) {
      return false;
    }
  }

  /** Answered in a round; none may fail. */
  private static double perSecond(Supplier<CompletionStage<?>> call) throws InterruptedException {
    var free = new Semaphore(WINDOW);
    var failed = new AtomicLong();
    long begin = System.nanoTime();
    long count = 0;
    while (System.nanoTime() - begin < ROUND.toNanos()) {
      free.acquire();
      var _ =
          call.get()
              .whenComplete((_, failure) -> {
                failed.addAndGet(failure == null ? 0 : 1);
                free.release();
              });
      count++;
    }
    assertThat(free.tryAcquire(WINDOW, 30, TimeUnit.SECONDS)).isTrue();
    double seconds = Measured.seconds(begin);
    assertThat(failed).hasValue(0);
    return count / seconds;
  }
}
