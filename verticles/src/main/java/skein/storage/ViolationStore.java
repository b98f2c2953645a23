package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** What the scanner found, and how far it is, for all nodes to see. Thread-safe. */
public final class ViolationStore {
  private final Database database;

  public ViolationStore(Database database) {
    this.database = database;
  }

  /**
   * @param repairedAt null when nothing was or could be done about it
   * @param endedAt null while it is there
   */
  public record Violation(
      String invariant,
      String subjectId,
      String detail,
      Instant foundAt,
      Instant lastSeenAt,
      @Nullable Instant repairedAt,
      @Nullable Instant endedAt) {}

  public enum State {
    /** Not repaired, and there when it was last looked for. */
    Open,
    Repaired,
    /** Over, by a repair or by itself. */
    Ended,
    All
  }

  /**
   * @param invariant null: any
   * @param skip 0 or more
   * @param take 1 to 1,000
   */
  public record Query(State state, @Nullable String invariant, int skip, int take) {}

  public record Page(List<Violation> items, long total) {}

  private static final String RECORD =
      """
      insert into invariant_violations as v (invariant, subject_id, detail, found_at, last_seen_at)
      values ($1, $2, $3, now(), now())
      on conflict (invariant, subject_id) do update
        set detail = excluded.detail, last_seen_at = excluded.last_seen_at,
            found_at = case when v.ended_at is null then v.found_at else excluded.found_at end,
            repaired_at = case when v.ended_at is null then v.repaired_at end,
            ended_at = null
      returning found_at = last_seen_at
      """;

  /** True when it was not known, or known and over. */
  public Future<Boolean> record(String invariant, String subjectId, String detail) {
    return database
        .run("record a violation", RECORD, Tuple.of(invariant, subjectId, detail))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  private static final String REPAIRED =
      """
      update invariant_violations set repaired_at = clock_timestamp(), ended_at = clock_timestamp()
       where invariant = $1 and subject_id = $2
      """;

  public Future<Void> repaired(String invariant, String subjectId) {
    return database.run("record a repair", REPAIRED, Tuple.of(invariant, subjectId)).mapEmpty();
  }

  private static final String END =
      """
      with gone as (
        delete from invariant_violations
         where ended_at < clock_timestamp() - make_interval(secs => $1))
      update invariant_violations set ended_at = clock_timestamp()
       where ended_at is null and last_seen_at < $2
      """;

  /** Those that a pass did not see any more are over; what is over for long is forgotten. */
  public Future<Void> end(Instant passStart, Duration keep) {
    return database
        .run(
            "end violations",
            END,
            Tuple.of(keep.toMillis() / 1000.0, Database.timestamp(passStart)))
        .mapEmpty();
  }

  private static final String WHERE =
      """
       where ($1::text is null or invariant = $1)
         and case $2 when 'Open' then ended_at is null
                     when 'Repaired' then repaired_at is not null
                     when 'Ended' then ended_at is not null
                     else true end
      """;

  private static final String LIST =
      "select * from invariant_violations"
          + WHERE
          + " order by found_at desc, invariant, subject_id offset $3 limit $4";

  private static final String COUNT = "select count(*) from invariant_violations" + WHERE;

  public Future<Page> list(Query query) {
    var filter = Tuple.of(query.invariant(), query.state().name());
    var window =
        Tuple.of(query.invariant(), query.state().name(), (long) query.skip(), (long) query.take());
    return database
        .run("list violations", LIST, window)
        .compose(rows -> {
          var items = new ArrayList<Violation>();
          rows.forEach(row -> items.add(violation(row)));
          return database
              .run("count violations", COUNT, filter)
              .map(counted -> new Page(items, counted.iterator().next().getLong(0)));
        });
  }

  private static Violation violation(Row row) {
    return new Violation(
        row.getString("invariant"),
        row.getString("subject_id"),
        row.getString("detail"),
        row.getOffsetDateTime("found_at").toInstant(),
        row.getOffsetDateTime("last_seen_at").toInstant(),
        Database.instant(row.getOffsetDateTime("repaired_at")),
        Database.instant(row.getOffsetDateTime("ended_at")));
  }

  private static final String OPEN =
      """
      select invariant, count(*) as n from invariant_violations
       where ended_at is null group by invariant
      """;

  /** How many are open, by invariant. */
  public Future<Map<String, Long>> open() {
    return database
        .run("count open violations", OPEN, Tuple.tuple())
        .map(rows -> {
          var counts = new LinkedHashMap<String, Long>();
          rows.forEach(row -> counts.put(row.getString(0), row.getLong(1)));
          return counts;
        });
  }

  /**
   * How far the scanner is, by the database's clock. A request is met by the first pass that starts
   * after it.
   *
   * @param now when it was read
   * @param requestedAt null: never; so with the other instants
   * @param node that made the last pass
   * @param result of the last pass that ended: a JSON object
   */
  public record Progress(
      Instant now,
      @Nullable Instant requestedAt,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      @Nullable String node,
      @Nullable Object result) {

    /** Whether a pass was asked for that has not begun. */
    public boolean isRequested() {
      return requestedAt != null && (startedAt == null || requestedAt.isAfter(startedAt));
    }

    /** Whether the pass that was asked for, or that runs, has not ended. */
    public boolean isPending() {
      return isRequested()
          || (startedAt != null && (finishedAt == null || finishedAt.isBefore(startedAt)));
    }
  }

  private static final String OPEN_MAX =
      "select from invariant_violations where ended_at is null limit $1";

  /** How many are open, counted as far as that. */
  public Future<Integer> openUpTo(int max) {
    return database.run("count open violations", OPEN_MAX, Tuple.of(max)).map(rows -> rows.size());
  }

  private static final String COLUMNS =
      """
       clock_timestamp() as now, requested_at, started_at, finished_at, node, result::text as result
      """;

  private static final String PROGRESS = "select" + COLUMNS + "from invariant_scan";

  public Future<Progress> progress() {
    return one("read the progress of the scanner", PROGRESS, Tuple.tuple());
  }

  private static final String REQUEST =
      "update invariant_scan set requested_at = clock_timestamp() returning" + COLUMNS;

  /** Asks whoever scans for a pass now. */
  public Future<Progress> request() {
    return one("ask for a scan", REQUEST, Tuple.tuple());
  }

  private static final String START =
      "update invariant_scan set started_at = clock_timestamp(), node = $1 returning" + COLUMNS;

  public Future<Progress> started(String node) {
    return one("begin a scan", START, Tuple.of(node));
  }

  private static final String FINISH =
      """
      update invariant_scan set finished_at = clock_timestamp(), result = $1::text::json
      returning\
      """
          + COLUMNS;

  public Future<Progress> finished(Map<String, ? extends @Nullable Object> result) {
    return one("end a scan", FINISH, Tuple.of(JsonText.print(result)));
  }

  private Future<Progress> one(String what, String sql, Tuple parameters) {
    return database
        .run(what, sql, parameters)
        .map(rows -> {
          var row = rows.iterator().next();
          var result = row.getString("result");
          return new Progress(
              row.getOffsetDateTime("now").toInstant(),
              finite(row.getOffsetDateTime("requested_at")),
              finite(row.getOffsetDateTime("started_at")),
              finite(row.getOffsetDateTime("finished_at")),
              row.getString("node"),
              result == null ? null : JsonText.parse(result, JsonLimits.STORED));
        });
  }

  /** The client reads {@code -infinity} as its earliest instant. */
  private static @Nullable Instant finite(OffsetDateTime time) {
    return time.getYear() < 0 ? null : time.toInstant();
  }
}
