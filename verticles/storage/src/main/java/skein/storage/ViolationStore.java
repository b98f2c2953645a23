package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The findings of the scanner, for all nodes. Thread-safe. */
public final class ViolationStore {
  private final Database database;

  public ViolationStore(Database database) {
    this.database = database;
  }

  /**
   * @param repairedAt null when nothing was or could be done about it
   * @param endedAt null while it lasts
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
      returning extract(epoch from last_seen_at - found_at)::float8
      """;

  /** Since when it is known and not over; zero: it is new. */
  public Future<Duration> record(String invariant, String subjectId, String detail) {
    return database
        .run("record a violation", RECORD, Tuple.of(invariant, subjectId, detail))
        .map(rows -> Duration.ofNanos((long) (rows.iterator().next().getDouble(0) * 1e9)));
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

  private static final String OPEN_MAX =
      "select from invariant_violations where ended_at is null limit $1";

  /** How many are open, counted as far as that. */
  public Future<Integer> openUpTo(int max) {
    return database.run("count open violations", OPEN_MAX, Tuple.of(max)).map(rows -> rows.size());
  }
}
