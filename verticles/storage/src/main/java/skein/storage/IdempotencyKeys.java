package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of idempotency keys: who executes the request of each, and how it was answered. Every
 * operation may be repeated when its answer was lost. Thread-safe.
 */
public interface IdempotencyKeys {
  /**
   * Who wants to execute which request.
   *
   * @param key as it is stored
   * @param id becomes the id of the commit, where there is one
   * @param node that executes it
   */
  record Claim(String key, String fingerprint, UUID id, String node) {}

  /**
   * An answer as it was sent, or is to be sent.
   *
   * @param head whatever the face needs beside status and body
   */
  record Written(int status, String head, Buffer body) {}

  /**
   * What is known of a key.
   *
   * @param mine it is claimed by the caller
   * @param live its claimant may be at work
   * @param reply of the commit that did it; null: none was made, or there is no such commit
   * @param complete nothing that happened after the commit could change the answer
   * @param deliveries where the reply is that of an event and is not complete: its deliveries
   */
  record Found(
      boolean mine,
      @Nullable String fingerprint,
      boolean live,
      @Nullable Buffer reply,
      boolean complete,
      @Nullable Written written,
      @Nullable Buffer deliveries) {}

  /**
   * Claims a key that is free, has expired, or whose request no node executes any more. If that was
   * committed and not answered, what is found is mine and has its reply: it is answered under this
   * claim, and commits nothing again.
   *
   * @param members ids of the nodes that are there: what others have claimed is free
   * @param lease until the claim may be taken over, unless it is renewed
   * @param keep how long the key and its answer are kept
   */
  Future<Found> claim(Claim claim, Collection<String> members, Duration lease, Duration keep);

  /**
   * Renews the leases of claims.
   *
   * @param keys by the ids of the claims
   * @return the claims that were renewed; of the others nothing is known
   */
  Future<Set<UUID>> renew(Map<UUID, String> keys, Duration lease);

  /** Null when the key is free. */
  Future<@Nullable Found> find(String key, Collection<String> members);

  /** Whether a commit under this claim may take effect. */
  Future<Boolean> holds(String key, UUID claim);

  /** Whether an answer is kept for repetitions of its request. */
  enum Kept {
    YES,
    /**
     * Another node has taken the claim over and answers the request, or, to a refusal, an earlier
     * attempt at it was committed after all and has kept its reply; nothing was written.
     */
    TAKEN_OVER,
    /** The key is free: a repetition is executed. */
    NO
  }

  /**
   * Writes how a request was answered, unless its commit has said all there is to say.
   *
   * @param refusal it says that nothing was committed
   */
  Future<Kept> finish(String key, UUID claim, Written answer, boolean refusal);

  /** As {@link #finish(String, UUID, Written, boolean)}, for what is answered with a reply. */
  Future<Kept> finish(String key, UUID claim, Buffer reply, boolean refusal);

  /**
   * Ends a claim without an answer. If nothing was committed under it, nothing will be, and the
   * request may be made again.
   */
  Future<Void> release(String key, UUID claim);

  /**
   * As {@link #release}, for a claim that was sent and not answered: should it arrive late, it
   * claims nothing.
   */
  Future<Void> revoke(Claim claim);
}
