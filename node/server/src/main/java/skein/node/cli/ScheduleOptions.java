package skein.node.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of a new schedule. */
final class ScheduleOptions {
  @Option(names = "--id", paramLabel = "ID", description = "Its id. Default: a new one.")
  private @Nullable String id;

  @Option(
      names = "--definition",
      paramLabel = "ID",
      required = true,
      description = "The workflow definition that it starts.")
  private String definition = "";

  @ArgGroup(multiplicity = "1")
  private When when = new When();

  /** One of three. */
  static final class When {
    @Option(
        names = "--cron",
        paramLabel = "EXPRESSION",
        description = "Five fields, or six with seconds first.")
    private @Nullable String cron;

    @Option(
        names = "--interval",
        paramLabel = "DURATION",
        description = "As PT15M or 00:15:00, at least a second.")
    private @Nullable String interval;

    @Option(
        names = "--date",
        paramLabel = "DATE",
        description = "As 2026-12-24T18:00, or with an offset; may be repeated, in order.")
    private @Nullable List<String> dates;
  }

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "As Europe/Berlin. Default: UTC.")
  private @Nullable String timeZone;

  @Option(names = "--start-at", paramLabel = "DATE", description = "Nothing is due before it.")
  private @Nullable String startAt;

  @Option(names = "--end-at", paramLabel = "DATE", description = "Nothing is due after it.")
  private @Nullable String endAt;

  @Option(
      names = "--jitter",
      paramLabel = "DURATION",
      description = "Postpone each occurrence by up to this.")
  private @Nullable String jitter;

  @Option(
      names = "--misfire",
      paramLabel = "POLICY",
      description = "FireOnce, FireAll or Skip. Default: FireOnce.")
  private @Nullable String misfire;

  @Option(
      names = "--catch-up-max",
      paramLabel = "COUNT",
      description = "With FireAll: missed occurrences that still start. Default: 100.")
  private @Nullable Long catchUpMax;

  @Option(
      names = "--overlap",
      paramLabel = "POLICY",
      description = "Allow, Skip, BufferOne or CancelRunning. Default: Allow.")
  private @Nullable String overlap;

  @Option(names = "--correlation-id", paramLabel = "ID", description = "Given to what it starts.")
  private @Nullable String correlationId;

  @Option(names = "--paused", description = "Start nothing before it is resumed.")
  private boolean paused;

  @Option(names = "--note", paramLabel = "TEXT", description = "Why it is paused.")
  private @Nullable String note;

  Map<String, @Nullable Object> body() {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("id", id);
    body.put("definitionId", definition);
    body.put("cron", when.cron);
    body.put("interval", when.interval);
    body.put("dates", when.dates);
    body.put("timeZone", timeZone);
    body.put("startAt", startAt);
    body.put("endAt", endAt);
    body.put("jitter", jitter);
    body.put("misfirePolicy", misfire);
    body.put("catchUpMax", catchUpMax);
    body.put("overlapPolicy", overlap);
    body.put("correlationId", correlationId);
    body.put("paused", paused);
    body.put("note", note);
    return body;
  }
}
