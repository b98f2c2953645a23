package skein.burst;

import java.time.Duration;
import skein.codecs.ResumeLinks;

/**
 * What links that workflows make are like.
 *
 * @param lifetime of one that is made without saying how long it works
 */
public record LinkOptions(ResumeLinks links, Duration lifetime) {
  /** As of a node that nothing was configured for. */
  public static final LinkOptions DEFAULT =
      new LinkOptions(new ResumeLinks("http://localhost:5001"), Duration.ofDays(30));
}
