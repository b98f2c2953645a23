package skein.jobs;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import skein.activities.WorkResult;
import skein.cluster.Router;
import skein.codecs.JsonText;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.JobRows;

/**
 * Leases jobs to workers and brings their results to the instances that wait. Thread-safe.
 *
 * <p>Why a result has its effect once, whatever is repeated and whichever node dies: a bookmark is
 * leased at most once, so the holder of its lease is the only worker of this attempt. The result
 * resumes that very bookmark, which one commit consumes. When the lease expires, the commit of its
 * timer consumes the bookmark and makes another one for the next attempt: the result of the worker
 * who had lost it finds nothing. So does one from before a fault of the instance, whose jobs have
 * other ids once it goes on. The id of the command follows from the lease and the result, so that
 * the journal knows a result that is sent again.
 */
public final class Jobs {
  private final Router router;
  private final JobRows rows;

  public Jobs(Router router, JobRows rows) {
    this.router = router;
    this.rows = rows;
  }

  /** Whether jobs are leased at present; not while the runtime is paused. */
  boolean isOffered() {
    return router.quiescence().acceptsNewWork();
  }

  /** Those that wait now; none is waited for. */
  public Future<List<JobRows.Leased>> lease(JobRows.Order order) {
    var paused = router.quiescence().refusal();
    return paused == null ? rows.lease(order) : Future.failedFuture(paused);
  }

  /**
   * Extends a lease; returns its new end by the database's clock. Fails with {@code JOB_LEASE_LOST}
   * when it has expired and the job was offered again, or the job has ended.
   */
  public Future<Instant> extend(BookmarkId id, UUID lease, Duration leaseFor) {
    return rows.extend(id, lease, leaseFor)
        .map(until -> {
          if (until == null) {
            throw leaseLost(id);
          }
          return until;
        });
  }

  /** Lets leases that no worker was told of expire at once. */
  public Future<Void> giveUp(List<JobRows.Leased> leased) {
    return leased.isEmpty()
        ? Future.succeededFuture()
        : rows.giveUp(leased.stream().map(JobRows.Leased::id).toList());
  }

  /**
   * Ends a job; the same result with the same lease may be sent again, and is answered as at first.
   * Fails with {@code JOB_LEASE_LOST} when another attempt has the job, or it has ended otherwise.
   */
  public Future<Reply.Done> end(BookmarkId id, UUID lease, WorkResult result) {
    var command =
        new Command.Resume(id.instanceId(), id, result.toInput(), new Command.Via.Work(), false);
    var commandId = commandId(id, lease, result);
    return rows.holder(id, lease)
        .compose(holder ->
            switch (holder) {
              case ANOTHER -> Future.failedFuture(leaseLost(id));
              case THIS ->
                  router
                      .send(command, commandId)
                      .recover(e ->
                          isGone(e)
                              ? router.repeat(command, commandId)
                              : Future.<Reply>failedFuture(e));
              case NOBODY -> router.repeat(command, commandId); // Or it is a repetition.
            })
        .map(Reply.Done.class::cast)
        .recover(e -> Future.failedFuture(isGone(e) ? leaseLost(id) : e));
  }

  /** The same for each time that a worker sends this result. */
  private static UUID commandId(BookmarkId id, UUID lease, WorkResult result) {
    var text = "job|" + id + "|" + lease + "|" + JsonText.canonical(result.toInput());
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Refused because the job does not wait any more. */
  private static boolean isGone(Throwable e) {
    return e instanceof SkeinException refused
        && switch (refused.code()) {
          case ALREADY_RESUMED, BOOKMARK_NOT_FOUND, INSTANCE_NOT_FOUND, INSTANCE_FINISHED -> true;
          default -> false;
        };
  }

  private static SkeinException leaseLost(BookmarkId id) {
    return new SkeinException(
        ErrorCode.JOB_LEASE_LOST,
        "The lease of job "
            + id
            + " has expired, or the job has ended: drop the result and lease another job");
  }
}
