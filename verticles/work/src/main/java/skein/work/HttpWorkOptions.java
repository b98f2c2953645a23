package skein.work;

import java.time.Duration;
import skein.activities.SecretNames;
import skein.codecs.JsonLimits;

/**
 * What requests to other services may use up.
 *
 * @param timeout of one attempt, redirects included
 * @param connectTimeout of one connection
 * @param responseBytesMax of an answer that becomes a value
 * @param fileBytesMax of an answer that becomes a file
 * @param redirectsMax followed one after another; of more the last answer is given
 * @param connectionsMax to one server; more requests wait
 * @param targets which addresses requests may go to
 * @param secrets headers that hold credentials: they do not go along to another origin, and those
 *     of answers are kept only where a definition says so
 * @param json limits of JSON answers
 */
public record HttpWorkOptions(
    Duration timeout,
    Duration connectTimeout,
    int responseBytesMax,
    int fileBytesMax,
    int redirectsMax,
    int connectionsMax,
    Targets targets,
    SecretNames secrets,
    JsonLimits json) {
  public static final HttpWorkOptions DEFAULT =
      new HttpWorkOptions(
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          1 << 20,
          2 << 20,
          10,
          100,
          Targets.PUBLIC,
          SecretNames.DEFAULT,
          JsonLimits.DEFAULT);
}
