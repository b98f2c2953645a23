package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.JournalEntry;

/** Reads the executions of activities from the journal of an instance. Thread-safe. */
public final class ExecutionStore {
  private final Database database;
  private final ReadLimit limit;

  public ExecutionStore(Database database) {
    this(database, ReadLimit.OF_HEAP);
  }

  ExecutionStore(Database database, ReadLimit limit) {
    this.database = database;
    this.limit = limit;
  }

  /** A filter of executions of activities; an empty list or null does not restrict. */
  public record Executions(
      List<String> activityIds, List<String> nodeIds, @Nullable Boolean completed) {
    public static final Executions ALL = new Executions(List.of(), List.of(), null);
  }

  /** The last word on a status wins, as for the records. */
  private static final String EXECUTIONS =
      """
      from (select n, min(node) as node, min(activity) as activity,
                   coalesce((array_agg(event order by sequence desc) filter (where event in
                     ('Started', 'Resumed', 'Completed', 'Faulted', 'Canceled')))[1], 'Started')
                     as last,
                   bool_or(event = 'Suspended') as waited
              from (select (line ->> 0)::int as n, activity ->> 1 as node,
                           activity ->> 0 as activity, line ->> 3 as event, sequence
      """
          + JournalStore.LINES
          + """
                         ) named
                   where n > 0
                     and ($2::text[] is null or activity = any($2))
                     and ($3::text[] is null or node = any($3))
                   group by n) executions
           where ($4::boolean is null or $4 = (last in ('Completed', 'Faulted', 'Canceled')))
          """;

  private static final String EXECUTION_ENTRIES =
      JournalStore.LINE_TEXT + " " + JournalStore.LINES + " where ";

  private static final String EXECUTION_PAGE = executionPage(EXECUTION_ENTRIES);

  /** Messages and data may be encrypted together: both are left out. */
  private static final String EXECUTION_SUMMARIES =
      executionPage(
          "select sequence, journal_line(sequence, at, json_build_array(line -> 0, line -> 1,"
              + " line -> 2, line -> 3), activity)::text as text "
              + JournalStore.LINES
              + " where ");

  private static String executionPage(String entries) {
    return ReadLimit.limited(
        entries
            + "(line ->> 0)::int in (select n "
            + EXECUTIONS
            + " order by n limit $5 offset $6)",
        "sequence",
        "",
        7);
  }

  /** All entries about some executions, in order of their numbers: a window of those that match. */
  public Future<List<JournalEntry>> executions(
      InstanceId id, Executions filter, int skip, int take) {
    return executions(id, EXECUTION_PAGE, match(id, filter).addInteger(take).addInteger(skip));
  }

  /** The same entries without messages and data. */
  public Future<List<JournalEntry>> executionSummaries(
      InstanceId id, Executions filter, int skip, int take) {
    return executions(id, EXECUTION_SUMMARIES, match(id, filter).addInteger(take).addInteger(skip));
  }

  private Future<List<JournalEntry>> executions(InstanceId id, String sql, Tuple parameters) {
    return database
        .run("read the executions of " + id, sql, parameters.addInteger(limit.bytesMax()))
        .map(rows -> JournalStore.entries(database, limit, id, rows));
  }

  private static final String EXECUTIONS_BY_NUMBER =
      ReadLimit.limited(EXECUTION_ENTRIES + "(line ->> 0)::int = any($2)", "sequence", "", 3);

  /** All entries about the executions of these numbers. */
  public Future<List<JournalEntry>> executions(InstanceId id, List<Integer> numbers) {
    var parameters = Tuple.tuple().addString(id.value()).addValue(numbers.toArray(Integer[]::new));
    return executions(id, EXECUTIONS_BY_NUMBER, parameters);
  }

  public Future<Long> countExecutions(InstanceId id, Executions filter) {
    return database
        .run("count the executions of " + id, "select count(*) " + EXECUTIONS, match(id, filter))
        .map(rows -> rows.iterator().next().getLong(0));
  }

  private static Tuple match(InstanceId id, Executions filter) {
    return Tuple.tuple()
        .addString(id.value())
        .addValue(JournalStore.texts(filter.activityIds()))
        .addValue(JournalStore.texts(filter.nodeIds()))
        .addBoolean(filter.completed());
  }

  /** How an activity has fared in an instance. */
  public record Stats(
      String activityId,
      String nodeId,
      long started,
      long completed,
      boolean blocked,
      boolean faulted) {}

  private static final String STATS =
      """
      select node, min(activity), count(*),
             count(*) filter (where last in ('Completed', 'Faulted', 'Canceled')),
             bool_or(waited and last in ('Started', 'Resumed')), bool_or(last = 'Faulted')
      """
          + EXECUTIONS
          + " group by node order by node";

  /** The figures of these activities, or of all that were executed; in order of their paths. */
  public Future<List<Stats>> stats(InstanceId id, List<String> nodeIds) {
    var filter = new Executions(List.of(), nodeIds, null);
    return database
        .run("report on " + id, STATS, match(id, filter))
        .map(rows -> {
          var stats = new ArrayList<Stats>();
          for (var row : rows) {
            stats.add(
                new Stats(
                    row.getString(1),
                    row.getString(0),
                    row.getLong(2),
                    row.getLong(3),
                    row.getBoolean(4),
                    row.getBoolean(5)));
          }
          return stats;
        });
  }

  private static final String PARENTS =
      "select (line ->> 0)::int, min((line ->> 1)::int) " + JournalStore.LINES + " group by 1";

  /** The scheduling execution of each; 0 stands for the workflow. */
  public Future<Map<Integer, Integer>> parents(InstanceId id) {
    return database
        .run("read the executions of " + id, PARENTS, Tuple.of(id.value()))
        .map(rows -> {
          var parents = new HashMap<Integer, Integer>();
          rows.forEach(row -> parents.put(row.getInteger(0), row.getInteger(1)));
          return parents;
        });
  }
}
