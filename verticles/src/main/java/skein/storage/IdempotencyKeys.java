package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of idempotency keys: who executes the request of each, and how it was answered. */
public interface IdempotencyKeys {
  /**
   * Who wants to execute which request.
   *
   * @param key as it is stored
   * @param id becomes the id of the commit, where there is one
   * @param node that executes it
   */
  public record Claim(String key, String fingerprint, UUID id, String node) {}

  /**
   * An answer as it was sent, or is to be sent.
   *
   * @param head whatever the face needs beside status and body
   */
  public record Written(int status, String head, Buffer body) {}

  /**
   * What is known of a key.
   *
   * @param mine it is claimed by whoever asks
   * @param live whoever has claimed it may be at work
   * @param reply of the commit that did it; null: none was made, or there is no such commit
   * @param complete nothing that happened after the commit could change the answer
   */
  public record Found(
      boolean mine,
      @Nullable String fingerprint,
      boolean live,
      @Nullable Buffer reply,
      boolean complete,
      @Nullable Written written) {}

  /** Claims a key that is free, has expired, or whose first request nobody executes any more. */
  Future<Found> claim(Claim claim, Collection<String> members, Duration claimMax, Duration keep);

  /** Null when the key is free. */
  Future<@Nullable Found> find(String key, Collection<String> members);

  /** Whether a commit under this claim may take effect. */
  Future<Boolean> holds(String key, UUID claim);

  /** Writes how a request was answered, unless its commit has said all there is to say. */
  Future<Void> finish(String key, UUID claim, Written answer);

  /** As {@link #finish(String, UUID, Written)}, for what is answered with a reply. */
  Future<Void> finish(String key, UUID claim, Buffer reply);

  /** Ends a claim without an answer: if nothing was committed under it, nothing will be. */
  Future<Void> release(String key, UUID claim);
}
