package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * The node that makes the current pass through the database, and its progress: one row for each
 * kind, every change of it in one statement on the database's clock. Thread-safe.
 */
public final class PassStore {
  /** The kinds of passes; each has a table of its own, with one row. */
  public enum Kind {
    /** Looks for what contradicts itself. */
    SCANNER("scanner"),
    /** Deletes what is older than it is to be kept. */
    RETENTION("retention");

    private final String table;

    Kind(String table) {
      this.table = table;
    }
  }

  private final Database database;
  private final Kind kind;

  public PassStore(Database database, Kind kind) {
    this.database = database;
    this.kind = kind;
  }

  /**
   * How far it is, by the database's clock. A request is met by the first pass that starts after
   * it.
   *
   * @param requestedAt null: never; so with the other instants
   * @param holder id of the node that claimed the last pass
   * @param node its name
   * @param result of the last pass that ended: a JSON object
   */
  public record Progress(
      @Nullable Instant requestedAt,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      @Nullable String holder,
      @Nullable String node,
      @Nullable Object result) {

    /** Whether a pass was asked for that has not begun. */
    public boolean isRequested() {
      return requestedAt != null && (startedAt == null || requestedAt.isAfter(startedAt));
    }

    /** Whether a pass has begun and not ended. */
    public boolean isRunning() {
      return startedAt != null && (finishedAt == null || finishedAt.isBefore(startedAt));
    }

    /** Whether the pass that was asked for, or that runs, has not ended. */
    public boolean isPending() {
      return isRequested() || isRunning();
    }
  }

  private static final String COLUMNS =
      " requested_at, started_at, finished_at, holder, node, result::text as result ";

  private static final String PROGRESS = "select" + COLUMNS + "from {passes}";

  public Future<Progress> progress() {
    return one("read the progress of the {passes}", PROGRESS, Tuple.tuple());
  }

  private static final String REQUEST =
      "update {passes} set requested_at = clock_timestamp() returning" + COLUMNS;

  /** Asks for a pass now. */
  public Future<Progress> request() {
    return one("ask for a pass of the {passes}", REQUEST, Tuple.tuple());
  }

  /**
   * Who may claim a pass, and when.
   *
   * @param interval from the start of one pass to the start of the next
   * @param silence a pass without progress for so long is left to others
   * @param courtesy as much later do others claim than the node that made the last pass
   */
  public record Terms(Duration interval, Duration silence, Duration courtesy) {}

  /**
   * A pass that this node is to make.
   *
   * @param number grows with every claim; what is done under an older one is refused
   * @param startedAt by the database's clock
   * @param requested a caller waits for it
   */
  public record Claim(long number, Instant startedAt, boolean requested) {}

  /**
   * @param claim a pass that this node got; null: it is not time, or another node has it
   * @param isHolder whether this node made the last pass, or makes it
   */
  public record Look(@Nullable Claim claim, boolean isHolder) {}

  private static final String LOOK =
      """
      with claimed as (
      update {passes} s
         set holder = $1, node = $2, pass = s.pass + 1, started_at = clock_timestamp(),
             heard_at = clock_timestamp()
        from (select requested_at > started_at as requested from {passes}) as before
       where case when finished_at < started_at
                  then heard_at < clock_timestamp() - make_interval(secs => $4)
                  else least(case when requested_at > started_at then requested_at end,
                             started_at + make_interval(secs => $3))
                       <= clock_timestamp() - case when holder = $1 then interval '0'
                                                   else make_interval(secs => $5) end
             end
      returning pass, started_at, before.requested
      )
      select s.holder = $1 as holds, c.pass, c.started_at, c.requested
        from {passes} s left join claimed c on true
      """;

  static String look(Kind kind) {
    return LOOK.replace("{passes}", kind.table);
  }

  private String of(String text) {
    return text.replace("{passes}", kind.table);
  }

  /**
   * Looks whether it is time, and claims the pass if so: of those that look at once one gets it.
   */
  public Future<Look> look(String nodeId, String nodeName, Terms terms) {
    var parameters =
        Tuple.of(
            nodeId,
            nodeName,
            seconds(terms.interval()),
            seconds(terms.silence()),
            seconds(terms.courtesy()));
    return database
        .run(of("look for a pass of the {passes}"), look(kind), parameters)
        .map(rows -> {
          var row = rows.iterator().next();
          var pass = row.getLong("pass");
          var claim =
              pass == null
                  ? null
                  : new Claim(
                      pass,
                      row.getOffsetDateTime("started_at").toInstant(),
                      row.getBoolean("requested"));
          return new Look(claim, claim != null || Boolean.TRUE.equals(row.getBoolean("holds")));
        });
  }

  private static final String GO_ON =
      """
      update {passes} set heard_at = clock_timestamp()
       where pass = $1 and finished_at < started_at
      """;

  /** The pass is being made; false when another node has taken it over. */
  public Future<Boolean> goOn(long pass) {
    return changed("continue a pass of the {passes}", GO_ON, Tuple.of(pass));
  }

  private static final String GIVE_UP =
      "update {passes} set heard_at = '-infinity' where pass = $1 and finished_at < started_at";

  /** The pass was interrupted: the next node that looks claims it again. */
  public Future<Boolean> giveUp(long pass) {
    return changed("give up a pass of the {passes}", GIVE_UP, Tuple.of(pass));
  }

  private static final String FINISH =
      """
      update {passes} set finished_at = clock_timestamp(), result = $2::text::json
       where pass = $1 and finished_at < started_at
      """;

  /** The pass has ended; false when another node has taken it over. */
  public Future<Boolean> finish(long pass, Map<String, ? extends @Nullable Object> result) {
    return changed("end a pass of the {passes}", FINISH, Tuple.of(pass, JsonText.print(result)));
  }

  private Future<Boolean> changed(String what, String sql, Tuple parameters) {
    return database.run(of(what), of(sql), parameters).map(rows -> rows.rowCount() > 0);
  }

  private Future<Progress> one(String what, String sql, Tuple parameters) {
    return database
        .run(of(what), of(sql), parameters)
        .map(rows -> progress(rows.iterator().next()));
  }

  private static Progress progress(Row row) {
    var result = row.getString("result");
    return new Progress(
        finite(row.getOffsetDateTime("requested_at")),
        finite(row.getOffsetDateTime("started_at")),
        finite(row.getOffsetDateTime("finished_at")),
        row.getString("holder"),
        row.getString("node"),
        result == null ? null : JsonText.parse(result, JsonLimits.STORED));
  }

  /** The client reads {@code -infinity} as its earliest instant. */
  private static @Nullable Instant finite(OffsetDateTime time) {
    return time.getYear() < 0 ? null : time.toInstant();
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
