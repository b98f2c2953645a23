package skein.simulation;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import skein.activities.WorkResult;
import skein.bus.Refusals;
import skein.cluster.Order;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.JobRows;
import skein.storage.SimulatedTables;

/**
 * Programs outside the cluster that lease jobs. They die, are slow, send a result twice, ask nodes
 * that are not there, and some send results with a lease that they have made up.
 */
final class JobWorkers {
  private static final long MILLI = 1_000_000;
  private static final int WORKERS = 2;

  private final Run run;
  private final SimulatedTables tables;
  private final SplittableRandom random;
  private final List<Call> calls = new ArrayList<>();

  /** A result that was sent; repetitions have the same mark. */
  private static final class Call {
    private final BookmarkId id;
    private final UUID lease;
    private final WorkResult result;
    private final String mark;
    private Reply reply;

    Call(BookmarkId id, UUID lease, WorkResult result, String mark) {
      this.id = id;
      this.lease = lease;
      this.result = result;
      this.mark = mark;
    }

    ErrorCode refusal() {
      return reply instanceof Reply.Refused refused ? refused.code() : null;
    }

    @Override
    public String toString() {
      return "The result " + mark + " of job " + id;
    }
  }

  JobWorkers(Run run, SimulatedTables tables, long seed) {
    this.run = run;
    this.tables = tables;
    this.random = new SplittableRandom(seed);
  }

  void begin() {
    for (int i = 0; i < WORKERS; i++) {
      int worker = i;
      run.simulator().after(random.nextLong(20 * MILLI), () -> poll(worker));
    }
  }

  /** Whatever the outcome of this one, the next poll comes. */
  private void poll(int worker) {
    run.simulator().after((20 + random.nextLong(60)) * MILLI, () -> poll(worker));
    var member = run.member(random.nextInt(3));
    if (member == null) {
      return;
    }
    var leaseFor = Duration.ofMillis(50 + random.nextLong(random.nextBoolean() ? 200 : 2_000));
    var order =
        new JobRows.Order(List.of("job"), "w" + worker, 1 + random.nextInt(2), leaseFor, 100);
    member
        .http()
        .execute(() ->
            member
                .node()
                .jobs()
                .lease(order)
                .onSuccess(leased -> leased.forEach(job -> work(job, leaseFor))));
  }

  private void work(JobRows.Leased job, Duration leaseFor) {
    run.simulator().note(() -> "leased: " + job.id() + " until " + job.leasedUntil());
    if (random.nextInt(6) == 0) {
      return; // The worker dies.
    }
    if (random.nextInt(6) == 0) {
      var forged = new UUID(random.nextLong(), random.nextLong());
      end(new Call(job.id(), forged, done("m" + run.newNumber()), "forged"), 0);
    }
    long takes = random.nextLong(leaseFor.toNanos() * (random.nextInt(3) == 0 ? 3 : 1) + 1);
    if (random.nextBoolean()) {
      run.simulator().after(takes / 2, () -> extend(job, leaseFor));
    }
    run.simulator().after(takes, () -> end(job));
  }

  private void extend(JobRows.Leased job, Duration leaseFor) {
    var member = run.member(random.nextInt(3));
    if (member != null) {
      member
          .http()
          .execute(() ->
              member.node().jobs().extend(job.id(), job.lease(), leaseFor).onFailure(_ -> {}));
    }
  }

  private void end(JobRows.Leased job) {
    var mark = "m" + run.newNumber();
    boolean fails = random.nextInt(8) == 0;
    var result = fails ? new WorkResult.Failed("Refused", mark, true) : done(mark);
    int copies = random.nextInt(3) == 0 ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      end(new Call(job.id(), job.lease(), result, mark), 0);
    }
    if (random.nextInt(8) == 0) {
      var other = "m" + run.newNumber();
      end(new Call(job.id(), job.lease(), done(other), other), 0);
    }
  }

  private static WorkResult done(String mark) {
    return new WorkResult.Done(Map.of("result", mark), false);
  }

  /** Again when its outcome is unknown. */
  private void end(Call call, int repetitions) {
    calls.add(call);
    var member = run.member(random.nextInt(3));
    if (member != null) {
      run.simulator().note(() -> "sent: " + call);
      member.http().execute(() -> send(call, member));
    }
    run.simulator()
        .after(
            (200 + random.nextLong(600)) * MILLI,
            () -> {
              boolean told =
                  call.reply != null && (call.refusal() == null || !call.refusal().isTransient());
              if (repetitions < 3 && (!told || random.nextInt(5) == 0)) {
                end(new Call(call.id, call.lease, call.result, call.mark), repetitions + 1);
              }
            });
  }

  private void send(Call call, Member member) {
    Future<Reply> ended;
    try {
      ended = member.node().jobs().end(call.id, call.lease, call.result).map(reply -> reply);
    } catch (SkeinException e) {
      ended = Future.failedFuture(e);
    }
    ended
        .otherwise(Refusals::of)
        .onComplete(result -> {
          call.reply = result.result();
          run.simulator().note(() -> "answered: " + call + ": " + Client.shown(call.reply));
        });
  }

  /** What a worker has put into a result; null: it is of other work. */
  static String mark(Command.Resume resume) {
    return switch (WorkResult.read(resume.input())) {
      case WorkResult.Done(var value, _) ->
          value.get("result") instanceof String text ? text : null;
      case WorkResult.Failed(_, var message, _) -> message.matches("m[0-9]+") ? message : null;
      case null -> null;
    };
  }

  /**
   * Each result has its effect once, on the attempt that was leased, by the holder of its lease.
   */
  Set<String> violations(Map<UUID, Order> orders) {
    var violations = new LinkedHashSet<String>();
    for (var call : calls) {
      var rows =
          tables.journal().stream().filter(row -> isOf(orders.get(row.commandId()), call)).toList();
      boolean deleted = rows.stream().anyMatch(tables::isDeleted) || wasDeleted(call);
      if (rows.size() > 1 && !deleted) {
        violations.add(call + " had its effect " + rows.size() + " times");
      }
      for (var row : rows) {
        if (!row.burnt().contains(call.id)) {
          violations.add(call + " was given to another attempt, " + row.burnt());
        }
        if (!call.lease.equals(tables.lastLease(call.id)) && !deleted) {
          violations.add(call + " had an effect, and its lease is not that of the job");
        }
      }
      if (call.reply == null || deleted) {
        continue;
      }
      if (call.refusal() == ErrorCode.INTERNAL) {
        violations.add(call + " was answered INTERNAL");
      }
      if (call.refusal() == null && rows.isEmpty()) {
        violations.add(call + " was answered with success, and nothing was done");
      }
      if (call.refusal() == ErrorCode.JOB_LEASE_LOST && isDone(rows, call)) {
        violations.add(call + " was refused, and was done");
      }
    }
    return violations;
  }

  private static boolean isDone(List<SimulatedTables.JournalRow> rows, Call call) {
    return !rows.isEmpty() && rows.stream().allMatch(row -> row.burnt().contains(call.id));
  }

  private static boolean isOf(Order order, Call call) {
    return order != null
        && order.command() instanceof Command.Resume resume
        && call.id.equals(resume.bookmarkId())
        && resume.input().equals(call.result.toInput());
  }

  private boolean wasDeleted(Call call) {
    return tables.journal().stream()
        .anyMatch(row -> row.instanceId().equals(call.id.instanceId()) && tables.isDeleted(row));
  }
}
