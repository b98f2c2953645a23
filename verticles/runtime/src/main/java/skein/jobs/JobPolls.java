package skein.jobs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Readiness;
import skein.messages.Addresses;
import skein.metrics.JobMetrics;
import skein.model.SkeinException;
import skein.storage.JobRows;

/**
 * The requests of this node that wait for jobs, first come first served. Jobs are read when a node
 * announces that one waits, and from time to time, since such news may be lost. One statement at a
 * time leases for all that wait. Thread-safe.
 */
public final class JobPolls {
  private static final Logger log = LoggerFactory.getLogger(JobPolls.class);
  private static final Map<Vertx, JobPolls> OF_NODES =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Vertx vertx;
  private final Jobs jobs;
  private final Readiness readiness;
  private final JobOptions options;
  private final JobMetrics metrics;
  private final Set<Poll> waiting = new LinkedHashSet<>();
  private final Set<String> wanted = new HashSet<>();
  private boolean looking;
  private long news;

  /** A request that waits; compared by identity. */
  private static final class Poll {
    private final JobRows.Order order;
    private final Promise<List<JobRows.Leased>> found = Promise.promise();
    private boolean leasing;
    private boolean ended;

    Poll(JobRows.Order order) {
      this.order = order;
    }
  }

  private JobPolls(
      Vertx vertx, Jobs jobs, Readiness readiness, JobOptions options, JobMetrics metrics) {
    this.vertx = vertx;
    this.jobs = jobs;
    this.readiness = readiness;
    this.options = options;
    this.metrics = metrics;
    vertx
        .eventBus()
        .<JsonArray>consumer(
            Addresses.JOBS,
            message -> {
              var types = new HashSet<String>();
              message.body().forEach(type -> types.add(String.valueOf(type)));
              synchronized (this) {
                news++;
              }
              lookFor(types);
            });
    vertx.setPeriodic(options.pollInterval().toMillis(), _ -> lookForAll());
  }

  /** Those of the node; its first event loop makes them. */
  public static JobPolls of(
      Vertx vertx, Jobs jobs, Readiness readiness, JobOptions options, JobMetrics metrics) {
    return OF_NODES.computeIfAbsent(
        vertx, _ -> new JobPolls(vertx, jobs, readiness, options, metrics));
  }

  /**
   * Leases what waits, or what comes within that time. Empty when nothing came, and when this node
   * is about to leave: other nodes have the jobs.
   *
   * @param closed completes when the caller no longer waits for the answer
   * @throws SkeinException {@code OVERLOADED} when too many requests wait
   */
  public Future<List<JobRows.Leased>> lease(
      JobRows.Order order, Duration wait, Future<Void> closed) {
    long before = news();
    return jobs.lease(order)
        .compose(found ->
            !found.isEmpty() || wait.isZero() || readiness.isLeaving()
                ? Future.succeededFuture(found)
                : await(new Poll(order), before, wait, closed))
        .compose(found -> told(found, closed))
        .onSuccess(found -> metrics.leased().add(found.size()));
  }

  /** Jobs whose caller has gone are offered to others at once. */
  private Future<List<JobRows.Leased>> told(List<JobRows.Leased> found, Future<Void> closed) {
    return closed.isComplete()
        ? jobs.giveUp(found).<List<JobRows.Leased>>map(List.of())
        : Future.succeededFuture(found);
  }

  private synchronized long news() {
    return news;
  }

  /** {@code before}: the number of news when jobs were last read; there may be more since. */
  private Future<List<JobRows.Leased>> await(
      Poll poll, long before, Duration wait, Future<Void> closed) {
    boolean isLate;
    synchronized (this) {
      isLate = news != before;
      if (waiting.size() >= options.pollsMax()) {
        throw SkeinException.overloaded("jobs.polls-max", options.pollsMax());
      }
      waiting.add(poll);
    }
    metrics.waiting().increment();
    long timer = vertx.setTimer(Math.max(1, wait.toMillis()), _ -> end(poll));
    closed.onComplete(_ -> end(poll));
    if (isLate) {
      lookFor(poll.order.types());
    }
    return poll.found
        .future()
        .onComplete(_ -> {
          vertx.cancelTimer(timer);
          metrics.waiting().decrement();
        });
  }

  /** Without jobs. One that is being leased for ends when that has. */
  private void end(Poll poll) {
    boolean ends;
    synchronized (this) {
      poll.ended = true;
      ends = !poll.leasing && waiting.remove(poll);
    }
    if (ends) {
      poll.found.tryComplete(List.of());
    }
  }

  private void lookForAll() {
    List<Poll> all;
    synchronized (this) {
      all = List.copyOf(waiting);
    }
    if (readiness.isLeaving()) {
      all.forEach(this::end);
      return;
    }
    var types = new HashSet<String>();
    all.forEach(poll -> types.addAll(poll.order.types()));
    lookFor(types);
  }

  private void lookFor(Iterable<String> types) {
    synchronized (this) {
      types.forEach(wanted::add);
      if (looking || waiting.isEmpty()) {
        if (waiting.isEmpty()) {
          wanted.clear();
        }
        return;
      }
      looking = true;
    }
    serveNext();
  }

  /** The first that waits for one of the types that are looked for. */
  private void serveNext() {
    Poll next;
    synchronized (this) {
      next = take();
      if (next == null) {
        looking = false;
        wanted.clear();
        return;
      }
    }
    jobs.lease(next.order)
        .onComplete(result -> {
          if (result.failed() && jobs.isOffered()) {
            log.atWarn().addKeyValue("cause", result.cause().toString()).log("jobs.notLeased");
          }
          served(next, result.succeeded() ? result.result() : List.of());
        });
  }

  private @Nullable Poll take() {
    for (Iterator<Poll> each = waiting.iterator(); each.hasNext(); ) {
      var poll = each.next();
      if (!Collections.disjoint(poll.order.types(), wanted)) {
        poll.order.types().forEach(wanted::remove); // Until there turn out to be more.
        poll.leasing = true;
        return poll;
      }
    }
    return null;
  }

  private void served(Poll poll, List<JobRows.Leased> found) {
    boolean ends;
    synchronized (this) {
      poll.leasing = false;
      ends = !found.isEmpty() || poll.ended;
      if (ends) {
        waiting.remove(poll);
      }
      if (!found.isEmpty()) {
        wanted.addAll(poll.order.types()); // Where there was one there may be another.
      }
    }
    if (ends) {
      poll.found.complete(found);
    }
    serveNext();
  }
}
