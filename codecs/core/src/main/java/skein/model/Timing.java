package skein.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When an instance was made, last committed and finished, by the database's clock. */
public record Timing(Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt) {
  /** Whether the last commit was the one that finished it. */
  public boolean isEnd() {
    return updatedAt.equals(finishedAt);
  }
}
