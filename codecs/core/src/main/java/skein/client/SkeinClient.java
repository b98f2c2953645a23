package skein.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import skein.messages.Request;
import skein.model.BookmarkId;
import skein.model.InstanceId;

/**
 * The requests of a service to workflow nodes, by {@link HttpSkeinClient} or over the event bus.
 *
 * <p>A future that completes normally means committed. One that fails does so with a {@link
 * skein.model.SkeinException}, as the cause of the exception of {@code join} and {@code get};
 * nothing was changed then, unless its code is {@code TIMEOUT} or {@code OUTCOME_UNKNOWN}. A
 * request that no node accepted is repeated; one whose outcome is unknown is repeated only when a
 * repeat does no harm: queries, cancellations, starts, which always carry an idempotency key, and
 * all requests through {@link #once}. Implementations are safe for use by many threads.
 */
public interface SkeinClient {
  /**
   * A client for one request, which is executed once however often it is sent: a repetition with
   * the same key is answered as the first was, for as long as the nodes keep the answer.
   *
   * @param idempotencyKey 1 to 255 characters that no other request has
   */
  SkeinClient once(String idempotencyKey);

  /**
   * Starts an instance and answers after its first burst, whatever the request's {@code dispatch}
   * says. Makes an idempotency key when the request has none.
   */
  CompletableFuture<Outcome> start(Request.Start request);

  /** Starts an instance and answers after its first burst. */
  default CompletableFuture<Outcome> start(
      String definitionId, Map<String, @Nullable Object> input) {
    return start(new Request.Start(definitionId, input, null, null, null, null, false));
  }

  /** As {@link #start(Request.Start)}, but answers once the start is durable. */
  CompletableFuture<InstanceId> dispatch(Request.Start request);

  /** Starts an instance and answers once the start is durable. */
  default CompletableFuture<InstanceId> dispatch(
      String definitionId, Map<String, @Nullable Object> input) {
    return dispatch(new Request.Start(definitionId, input, null, null, null, null, true));
  }

  /** Resumes a bookmark; {@code bookmarkId} null: the only open one. */
  CompletableFuture<Outcome> resume(
      InstanceId instanceId, @Nullable BookmarkId bookmarkId, Map<String, @Nullable Object> input);

  /** Resumes the bookmark that a token stands for. */
  CompletableFuture<Outcome> resumeByToken(String token, Map<String, @Nullable Object> input);

  /** Resumes the instances that wait for the event and starts those that it triggers. */
  CompletableFuture<Delivery> publishEvent(Request.PublishEvent request);

  /** Publishes an event to all instances that wait for it. */
  default CompletableFuture<Delivery> publishEvent(String eventName, @Nullable Object payload) {
    return publishEvent(new Request.PublishEvent(eventName, null, null, payload));
  }

  /**
   * Reports the result of a task that a workflow asked for; answers with the instance, which
   * continues.
   */
  CompletableFuture<InstanceId> completeTask(String taskId, @Nullable Object result);

  CompletableFuture<Outcome> cancel(InstanceId instanceId);

  CompletableFuture<Instance> query(InstanceId instanceId);

  /**
   * The journal of an instance, the oldest entries first.
   *
   * @param after the {@link JournalLine#sequence} after which to continue; 0: from the beginning
   * @param take 1 to 1,000 entries; an answer with fewer ends with the latest entry
   */
  CompletableFuture<List<JournalLine>> journal(InstanceId instanceId, long after, int take);

  /**
   * Polls until the instance has ended, every 100 ms at first and every 2 s in the end. Fails with
   * {@code TIMEOUT} when it has not ended within {@code max}; the instance is not affected.
   *
   * @param max 1 ms or more
   */
  default CompletableFuture<Instance> awaitEnd(InstanceId instanceId, Duration max) {
    return Polling.untilEnded(() -> query(instanceId), instanceId, max);
  }
}
