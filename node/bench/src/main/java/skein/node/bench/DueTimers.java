package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import skein.model.InstanceId;
import skein.node.dev.CannotStartException;

/**
 * Instances whose delays end at instants that are given, written into the tables ahead, and when
 * they had ended by the database's clock.
 */
final class DueTimers {
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final String LEFT = "select count(*) from timers where due_at <= $1";

  private final Stage stage;
  private final String definitionId;
  private final Ids ids;
  private final Seed seed;
  private final Copy copy;
  private final boolean commitTimes;
  private int nextNumber;

  /** {@code definitionId}: of a delay, which is published; {@code commitTimes}: whether known. */
  DueTimers(Stage stage, String definitionId, boolean commitTimes) {
    this.stage = stage;
    this.definitionId = definitionId;
    this.commitTimes = commitTimes;
    this.ids = stage.ids();
    stage.api().publish(Definitions.delayed(definitionId));
    var template = stage.api().start(new JsonObject().put("definitionId", definitionId));
    this.seed = new Seed(stage.sql(), template);
    this.copy = new Copy(seed.template());
  }

  /** The time by the clock that decides what is due. */
  static Instant now(Sql sql) {
    return sql.row("select clock_timestamp() as now").getOffsetDateTime("now").toInstant();
  }

  /**
   * Writes them; {@code group} is their correlation id.
   *
   * @throws CannotStartException when the first was due before the last was written
   */
  void write(String group, int count, IntFunction<Instant> dueAt) {
    int from = nextNumber;
    nextNumber += count;
    seed.write(
        from,
        nextNumber,
        number ->
            copy.of(
                new InstanceId(ids.id(number)),
                ids.at(number),
                group,
                dueAt.apply(number - from),
                null),
        done -> stage.sayNowAndThen("writing timers: " + done + " of " + count));
    if (now(stage.sql()).isAfter(dueAt.apply(0))) {
      throw new CannotStartException(
          count + " timers could not be written before the first was due");
    }
  }

  void vacuum() {
    stage.say("vacuuming");
    seed.vacuum();
    stage.checkpoint();
  }

  /** Waits until all that are due by then have ended; false when it takes longer. */
  boolean awaitFired(String group, Instant dueBy, Duration max) {
    long end = System.nanoTime() + max.toNanos();
    while (System.nanoTime() < end) {
      long left = stage.sql().row(LEFT, dueBy.atOffset(ZoneOffset.UTC)).getLong(0);
      if (left == 0 && unfinished(group) == 0) {
        return true;
      }
      Pause.of(LOOK_EVERY);
    }
    return false;
  }

  /** How many have not ended. */
  long unfinished(String group) {
    return stage
        .sql()
        .row(
            "select count(*) from workflow_instances"
                + " where definition_id = $1 and correlation_id = $2 and finished_at is null",
            definitionId,
            group)
        .getLong(0);
  }

  /** How late each was that has ended. */
  List<Duration> lateness(String group) {
    var at = commitTimes ? "pg_xact_commit_timestamp(xmin)" : "finished_at";
    var sql =
        "select name, "
            + at
            + " as at from workflow_instances"
            + " where definition_id = $1 and correlation_id = $2 and finished_at is not null";
    var late = new ArrayList<Duration>();
    for (var row : stage.sql().rows(sql, definitionId, group)) {
      var due = Instant.parse(row.getString("name"));
      late.add(Duration.between(due, row.getOffsetDateTime("at").toInstant()));
    }
    return late;
  }
}
