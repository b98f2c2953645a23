package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.activities.WorkResult;
import skein.cluster.AgreedFormat;
import skein.cluster.Cluster;
import skein.cluster.Order;
import skein.cluster.Router;
import skein.cluster.Transport;
import skein.forms.FormLimits;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.CommandTimers;

/** The results of work, and what the owner of the instance says about them. */
@SuppressWarnings("NullAway") // Only some of the dependencies are used here.
class ExternalWorkTest {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final BookmarkId BOOKMARK = BookmarkId.parse("i1-1");
  private static final Reply TAKEN = new Reply.Delivered(0, 0, List.of());

  private final Simulator simulator = new Simulator(1);
  private final SimulatedLoop loop = simulator.newLoop("loop");
  private final List<Order> reports = new ArrayList<>();
  private final Leases leases = new Leases();
  private Reply answer = TAKEN;
  private int performed;
  private ExternalWork work;

  private static final class Leases implements CommandTimers {
    int extended;

    @Override
    public Future<Void> extendDeadline(List<String> ids, Duration delay) {
      extended++;
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> putOff(Map<String, Duration> delays) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Boolean> isDue(String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Boolean> exists(String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> remove(String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> replace(String id, Timer next) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Alone implements Cluster {
    private static final Node SELF = new Node("n1", "n1", 1);

    @Override
    public Node self() {
      return SELF;
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return SELF;
    }

    @Override
    public List<Node> members() {
      return List.of(SELF);
    }

    @Override
    public void onChange(Runnable listener) {
      // Nobody joins or leaves.
    }
  }

  private static final class NoTransport implements Transport {
    @Override
    public Future<Reply> request(String node, int lane, Order order, Duration timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void answerNow(String node, int lane, Order order) {
      throw new UnsupportedOperationException();
    }
  }

  @BeforeEach
  void make() {
    var router =
        new Router(
            simulator.delays(),
            new NoTransport(),
            new Alone(),
            new Router.Options(LEASE, LEASE, true),
            UUID::randomUUID);
    router.serve(
        0,
        loop,
        order -> {
          reports.add(order);
          return Future.succeededFuture(answer);
        });
    var options =
        new ExecutionOptions(
            null, null, null, new ExecutionOptions.Work(LEASE, 4, LEASE), FormLimits.DEFAULT, null);
    var dependencies =
        new ExecutionDependencies(
            options,
            new ExecutionDependencies.Peers(new Alone(), null, router, null, new AgreedFormat()),
            new ExecutionDependencies.Rows(null, leases, null, null, null, null),
            null,
            null,
            _ -> {
              performed++;
              return Future.succeededFuture(new WorkResult.Done(Map.of(), false));
            },
            null);
    work = new ExternalWork(loop, dependencies, new PendingReplies(loop, LEASE));
  }

  private void start() {
    var order = new Effect.Work(BOOKMARK, "mail", Map.of(), LEASE, "i1:1", 1);
    loop.execute(() -> work.start(order));
  }

  private void run(Duration time) {
    long until = simulator.now() + time.toNanos();
    while (simulator.step(until)) {
      // until nothing is left to do
    }
    assertThat(simulator.failure()).isNull();
  }

  private boolean isUnderWay() {
    return simulator.seenOn(loop, () -> work.isUnderWay(BOOKMARK));
  }

  private static Reply refused(ErrorCode code) {
    return new Reply.Refused(code, "no", List.of());
  }

  @Test
  void a_result_that_the_owner_fails_on_is_kept_until_it_is_taken() {
    answer = refused(ErrorCode.INTERNAL);
    start();
    run(LEASE);

    assertThat(isUnderWay()).isTrue();
    assertThat(leases.extended).as("meanwhile nobody else does it").isPositive();
    answer = TAKEN;
    run(LEASE);

    assertThat(isUnderWay()).isFalse();
    assertThat(performed).isEqualTo(1);
    assertThat(reports.stream().map(Order::id).distinct()).as("one command").hasSize(1);
  }

  @Test
  void a_result_that_no_owner_ever_takes_is_given_up_and_its_lease_ends() {
    answer = refused(ErrorCode.INTERNAL);
    start();
    run(LONG);
    int extended = leases.extended;
    run(LONG);

    assertThat(isUnderWay()).isFalse();
    assertThat(reports).hasSize(20);
    assertThat(leases.extended).isEqualTo(extended);
  }

  @Test
  void a_result_that_comes_too_late_is_told_once() {
    answer = refused(ErrorCode.ALREADY_RESUMED);
    start();
    run(LONG);

    assertThat(isUnderWay()).isFalse();
    assertThat(reports).hasSize(1);
  }

  @Test
  void a_result_is_kept_for_as_long_as_its_owner_cannot_store_it() {
    answer = refused(ErrorCode.STORAGE_UNAVAILABLE);
    start();
    run(LONG);

    assertThat(isUnderWay()).isTrue();
    assertThat(reports).hasSizeGreaterThan(20);
  }
}
