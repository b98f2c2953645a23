package skein.work;

import java.time.Duration;
import skein.activities.SecretNames;
import skein.codecs.JsonLimits;

/**
 * The limits of requests to other services.
 *
 * @param redirectsMax followed one after another; of more the last answer is given
 * @param connectionsMax to one server; more requests wait
 * @param targets which addresses requests may go to
 * @param secrets headers that hold credentials: they do not go along to another origin, and those
 *     of answers are kept only where a definition says so
 */
public record HttpWorkOptions(
    Timeouts timeouts,
    Answers answers,
    int redirectsMax,
    int connectionsMax,
    Targets targets,
    SecretNames secrets) {

  /**
   * @param attempt one attempt, redirects included
   * @param connect one connection
   */
  public record Timeouts(Duration attempt, Duration connect) {}

  /**
   * How large an answer may be.
   *
   * @param valueBytesMax that becomes a value
   * @param fileBytesMax that becomes a file
   * @param json limits of JSON
   */
  public record Answers(int valueBytesMax, int fileBytesMax, JsonLimits json) {}

  public static final HttpWorkOptions DEFAULT =
      new HttpWorkOptions(
          new HttpWorkOptions.Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(5)),
          new HttpWorkOptions.Answers(1 << 20, 2 << 20, JsonLimits.DEFAULT),
          10,
          100,
          Targets.PUBLIC,
          SecretNames.DEFAULT);
}
