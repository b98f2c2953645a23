package skein.burst;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import skein.codecs.ResumeLinks;

/**
 * How long bookmarks and links to them may be used, and where links lead.
 *
 * @param linkLifetime of one that is made without saying how long it works
 * @param expiry how long an activity without a timeout of its own waits for an external caller
 *     before it faults; null: for ever
 */
public record BookmarkOptions(ResumeLinks links, Duration linkLifetime, @Nullable Duration expiry) {
  /** As of a node that nothing was configured for. */
  public static final BookmarkOptions DEFAULT =
      new BookmarkOptions(new ResumeLinks("http://localhost:5001"), Duration.ofDays(30), null);

  public BookmarkOptions {
    if (expiry != null && !expiry.isPositive()) {
      throw new IllegalArgumentException("Bookmarks would expire before they are made: " + expiry);
    }
  }
}
