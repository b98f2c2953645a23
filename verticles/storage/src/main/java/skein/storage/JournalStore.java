package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.storage.JournalJson.Lines;

/**
 * Reads parts of an instance's journal. The database unpacks the rows for filters and aggregates,
 * and only the requested data is transferred. Pages without a filter are cut out of the stored
 * texts here: that costs the database a tenth of unpacking them. Thread-safe.
 */
public final class JournalStore implements JournalReads {
  private final Database database;
  private final LargeJournalRows largeRows;
  private final ReadLimit limit;

  /**
   * Keeps large rows for the next page, so that a page of a burst that wrote much costs what it
   * shows, and not each time all that the burst wrote.
   */
  public JournalStore(Database database) {
    this(database, ReadLimit.OF_HEAP);
  }

  JournalStore(Database database, ReadLimit limit) {
    this.database = database;
    this.limit = limit;
    this.largeRows = new LargeJournalRows(database.options().reads().journalCharsMax());
  }

  /** A filter of entries; an empty list does not restrict. */
  public record Filter(
      List<String> activityIds,
      List<String> nodeIds,
      List<String> excludedTypes,
      List<String> events) {
    public static final Filter ALL = new Filter(List.of(), List.of(), List.of(), List.of());
  }

  /** {@code total}: how many there are in all. */
  public record Page(List<JournalEntry> entries, long total) {}

  /**
   * Each line with its sequence and its activity, as the schema describes them, not unpacked; none
   * of an instance that was deleted. {@code offset 0} has the activity looked up here: else sorts
   * would carry all activities of a burst with each of its lines.
   */
  static final String LINES = lines("");

  private static String lines(String condition) {
    return """
      from (select burst.first + n - 1 as sequence, burst.at, line,
                   burst.activities -> (line ->> 2)::int as activity
              from journal j
             cross join lateral journal_bursts(j.entries) burst
             cross join lateral json_array_elements(burst.lines)
                with ordinality as numbered (line, n)
             where j.workflow_instance_id = $1
               and exists (select from workflow_instances where id = $1)
               %s
            offset 0) lines
    """
        .formatted(condition);
  }

  private static final String MATCHES =
      """
       where ($2::text[] is null or activity ->> 0 = any($2))
         and ($3::text[] is null or activity ->> 1 = any($3))
         and ($4::text[] is null or activity ->> 2 <> all($4))
         and ($5::text[] is null or line ->> 3 = any($5))
      """;

  private static final String MATCHING = LINES + MATCHES;

  static final String LINE_TEXT =
      "select sequence, journal_line(sequence, at, line, activity)::text as text";

  /** Goes through the lines once for their number and a part of them, which alone is unpacked. */
  static final String PAGE =
      ReadLimit.limited(
          LINE_TEXT
              + ", total from (select *, count(*) over () as total "
              + MATCHING
              + " order by sequence limit $6 offset $7) page",
          "sequence",
          ", total",
          8);

  /**
   * Of one journal without a filter, characters that are read to cut a page out of them, and rows:
   * more than a burst writes by default; the database cuts pages out of more.
   */
  private static final int CUT_CHARS_MAX = 4 << 20;

  static final int CUT_ROWS_MAX = 500;

  /**
   * The texts of the rows in order, with their keys; null for those that are known already, and for
   * the first one that exceeds a bound and all others.
   */
  private static final String TEXTS =
      """
      select case when sum(octet_length(text)) over (order by revision) <= $2::int
                   and row_number() over (order by revision) <= $3::int then text end,
             revision, commit_id
        from (select revision, commit_id,
                     case when commit_id <> all($4::uuid[]) then entries::text end as text
                from (select revision, commit_id, entries from journal
                       where workflow_instance_id = $1
                         and exists (select from workflow_instances where id = $1)
                         %s
                       order by revision limit $3::int + 1) part
              offset 0) stored
       order by revision
      """;

  static final String ALL_TEXTS = TEXTS.formatted("");

  static final String NEWER_TEXTS =
      TEXTS.formatted("and revision >= journal_revision($1, $5::bigint + 1)");

  /** Entries in their order. The cost is proportional to the whole journal. */
  public Future<Page> page(InstanceId id, Filter filter, int skip, int take) {
    if (!filter.equals(Filter.ALL)) {
      return matching(id, filter, skip, take);
    }
    var known = largeRows.of(id);
    return database
        .run("read the journal of " + id, ALL_TEXTS, texts(id, CUT_ROWS_MAX, known))
        .compose(rows -> {
          var page = cut(Rows.of(id, rows, known, CUT_ROWS_MAX), skip, take);
          return page == null ? matching(id, filter, skip, take) : Future.succeededFuture(page);
        });
  }

  private static Tuple texts(InstanceId id, int rowsMax, Map<LargeJournalRows.Key, Lines> known) {
    var commits = known.keySet().stream().map(LargeJournalRows.Key::commitId).toArray(UUID[]::new);
    return Tuple.of(id.value(), CUT_CHARS_MAX, rowsMax).addValue(commits);
  }

  /**
   * What {@link #TEXTS} found.
   *
   * @param known rows whose text it left out
   * @param hasMore whether there are rows beside those that may be used
   */
  private record Rows(
      InstanceId id, List<Row> rows, Map<LargeJournalRows.Key, Lines> known, boolean hasMore) {
    static Rows of(
        InstanceId id, RowSet<Row> found, Map<LargeJournalRows.Key, Lines> known, int rowsMax) {
      var rows = new ArrayList<Row>(found.size());
      found.forEach(rows::add);
      boolean hasMore = rows.size() > rowsMax;
      return new Rows(id, hasMore ? rows.subList(0, rowsMax) : rows, known, hasMore);
    }
  }

  /** Null when a bound is exceeded. */
  private @Nullable Lines lines(Rows rows, Row row) {
    var key = new LargeJournalRows.Key(row.getUUID(2), row.getLong(1));
    var text = row.getString(0);
    if (text == null) {
      return rows.known().get(key);
    }
    var lines = JournalJson.lines(text, database.values().entries(rows.id()));
    largeRows.keep(rows.id(), key, lines, text.length());
    return lines;
  }

  /** Null when the journal is too large for it. */
  private @Nullable Page cut(Rows rows, int skip, int take) {
    if (rows.hasMore()) {
      return null;
    }
    var entries = new ArrayList<JournalEntry>();
    long total = 0;
    for (var row : rows.rows()) {
      var lines = lines(rows, row);
      if (lines == null) {
        return null;
      }
      int from = Math.clamp(skip - total, 0, lines.size());
      int to = Math.clamp(skip + (long) take - total, from, lines.size());
      entries.addAll(lines.entries(from, to));
      total += lines.size();
    }
    return new Page(entries, total);
  }

  private Future<Page> matching(InstanceId id, Filter filter, int skip, int take) {
    return database
        .run(
            "read the journal of " + id,
            PAGE,
            match(id, filter).addInteger(take).addInteger(skip).addInteger(limit.bytesMax()))
        .compose(rows -> {
          var entries = entries(id, rows);
          return entries.isEmpty() && skip > 0
              ? count(id, filter).map(total -> new Page(entries, total))
              : Future.succeededFuture(new Page(entries, total(rows)));
        });
  }

  private static long total(RowSet<Row> rows) {
    return rows.size() == 0 ? 0 : rows.iterator().next().getLong(1);
  }

  /** When the page is beyond the end. */
  private Future<Long> count(InstanceId id, Filter filter) {
    return database
        .run("count the journal of " + id, "select count(*) " + MATCHING, match(id, filter))
        .map(rows -> rows.iterator().next().getLong(0));
  }

  private static final String NEWER =
      lines(
              "and j.revision >= journal_revision($1, $6::bigint + 1)"
                  + " and burst.first + n - 1 > $6::bigint")
          + MATCHES;

  static final String AFTER =
      ReadLimit.limited(
          LINE_TEXT + " from (select * " + NEWER + " order by sequence limit $7) page",
          "sequence",
          "",
          8);

  /**
   * The entries after the one with this sequence, 0 for the first ones, in the order things
   * happened. What was committed before the burst of the first of them is not read.
   *
   * @param take how many at most
   */
  public Future<List<JournalEntry>> after(InstanceId id, Filter filter, long sequence, int take) {
    if (!filter.equals(Filter.ALL)) {
      return matchingAfter(id, filter, sequence, take);
    }
    var known = largeRows.of(id);
    int rowsMax = Math.min(take, CUT_ROWS_MAX);
    return database
        .run("read the journal of " + id, NEWER_TEXTS, texts(id, rowsMax, known).addLong(sequence))
        .compose(rows -> {
          var entries = cutAfter(Rows.of(id, rows, known, rowsMax), sequence, take);
          return entries == null
              ? matchingAfter(id, filter, sequence, take)
              : Future.succeededFuture(entries);
        });
  }

  @Override
  public Future<List<JournalEntry>> first(InstanceId id, int count) {
    return after(id, Filter.ALL, 0, count);
  }

  private static final String BEGINS_BURST =
      """
      select exists (
        select from journal
         where workflow_instance_id = $1
           and revision = journal_revision($1, $2::bigint)
           and journal_first(entries) = $2::bigint)
      """;

  @Override
  public Future<Boolean> beginsBurst(InstanceId id, long sequence) {
    return database
        .run("read the journal of " + id, BEGINS_BURST, Tuple.of(id.value(), sequence))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /**
   * The first entry that tells of a migration, which is about the workflow itself; null: there is
   * none. The cost is proportional to the whole journal.
   */
  public Future<@Nullable JournalEntry> firstMigration(InstanceId id) {
    var filter = new Filter(List.of(), List.of(), List.of(), List.of("Migrated"));
    return matchingAfter(id, filter, 0, 1)
        .map(entries -> entries.isEmpty() ? null : entries.getFirst());
  }

  /** Null when a row is too large for it, or there may be more in rows that were not read. */
  private @Nullable List<JournalEntry> cutAfter(Rows rows, long sequence, int take) {
    var entries = new ArrayList<JournalEntry>();
    for (var row : rows.rows()) {
      var lines = lines(rows, row);
      if (lines == null) {
        return null;
      }
      int from = lines.after(sequence);
      int to = Math.min(lines.size(), from + take - entries.size());
      entries.addAll(lines.entries(from, to));
      if (entries.size() == take) {
        return entries;
      }
    }
    return rows.hasMore() ? null : entries;
  }

  private Future<List<JournalEntry>> matchingAfter(
      InstanceId id, Filter filter, long sequence, int take) {
    return database
        .run(
            "read the journal of " + id,
            AFTER,
            match(id, filter).addLong(sequence).addInteger(take).addInteger(limit.bytesMax()))
        .map(rows -> entries(id, rows));
  }

  static Tuple match(InstanceId id, Filter filter) {
    return Tuple.tuple()
        .addString(id.value())
        .addValue(texts(filter.activityIds()))
        .addValue(texts(filter.nodeIds()))
        .addValue(texts(filter.excludedTypes()))
        .addValue(texts(filter.events()));
  }

  private static final String LAST = LINE_TEXT + " " + MATCHING + " order by sequence desc limit 1";

  /** The newest entry about an activity; null when there is none. */
  public Future<@Nullable JournalEntry> last(InstanceId id, String activityId) {
    var filter = new Filter(List.of(activityId), List.of(), List.of(), List.of());
    return database
        .run("read the journal of " + id, LAST, match(id, filter))
        .map(rows -> {
          var entries = entries(id, rows);
          return entries.isEmpty() ? null : entries.getFirst();
        });
  }

  static String @Nullable [] texts(List<String> values) {
    return values.isEmpty() ? null : values.toArray(String[]::new);
  }

  private List<JournalEntry> entries(InstanceId id, Iterable<Row> rows) {
    return entries(database, limit, id, rows);
  }

  /** Fails with {@code TOO_LARGE} for rows beyond the limit. */
  static List<JournalEntry> entries(
      Database database, ReadLimit limit, InstanceId id, Iterable<Row> rows) {
    var values = database.values().entries(id);
    var entries = new ArrayList<JournalEntry>();
    for (var row : rows) {
      var text =
          limit.within(
              row.getString("text"),
              "This part of the journal of " + id,
              "ask for fewer entries or executions with take");
      var line = JsonText.parse(text, JsonLimits.STORED);
      if (line != null) {
        entries.addAll(JournalJson.parse(List.of(line), values));
      }
    }
    return entries;
  }
}
