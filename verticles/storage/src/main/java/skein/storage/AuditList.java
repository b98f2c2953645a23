package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the audit log, the newest line first. Thread-safe. */
public final class AuditList {
  private final Database database;

  public AuditList(Database database) {
    this.database = database;
  }

  /** As stored: which of the members about what was changed a line has, its action says. */
  public record Line(
      Instant at,
      String action,
      String outcome,
      @Nullable String subject,
      @Nullable String instanceId,
      @Nullable String bookmarkId,
      @Nullable String actor,
      String node) {}

  /**
   * Where a page ended: after so many of the lines of one instant.
   *
   * @param lines 1 or more
   */
  public record Place(Instant at, int lines) {}

  /**
   * Which lines; an empty list or null does not restrict.
   *
   * @param instanceId lines about the instance, alone or with others
   * @param actor as stored, or the name that a caller claims
   * @param from lines of then or later
   * @param to lines before that
   * @param take 1 to 1,000
   */
  public record Query(
      List<String> actions,
      @Nullable String instanceId,
      @Nullable String actor,
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable Place after,
      int take) {}

  /** {@code next}: null on the last page. */
  public record Page(List<Line> lines, @Nullable Place next) {}

  private static final String COLUMNS =
      """
      select at, action, outcome, subject, workflow_instance_id, bookmark_id, actor, node
        from audit_log where true
      """;

  private static final String ABOUT =
      " and (workflow_instance_id = $%1$d::text"
          + " or $%1$d::text = any(string_to_array(subject, ' ')))";

  private static final String BY =
      " and (actor in ($%1$d::text, 'claimed:' || $%1$d::text)"
          + " or starts_with(actor, 'claimed:' || $%1$d::text || ' ('))";

  /** A condition that is not asked for is not said: it would keep the index from being used. */
  private static final class Conditions {
    private final StringBuilder sql = new StringBuilder(COLUMNS);
    private final Tuple parameters = Tuple.tuple();

    void add(String condition, @Nullable Object value) {
      if (value != null) {
        parameters.addValue(value);
        sql.append(condition.formatted(parameters.size()));
      }
    }
  }

  public Future<Page> page(Query query, TenantScope scope) {
    var conditions = new Conditions();
    conditions.add(" and tenant_id = $%d", scope.tenant());
    var after = query.after();
    conditions.add(
        " and action = any($%d)",
        query.actions().isEmpty() ? null : query.actions().toArray(String[]::new));
    conditions.add(ABOUT, query.instanceId());
    conditions.add(BY, query.actor());
    conditions.add(" and at >= $%d", Database.timestamp(query.from()));
    conditions.add(" and at < $%d", Database.timestamp(query.to()));
    conditions.add(" and at <= $%d", after == null ? null : Database.timestamp(after.at()));
    int last = conditions.parameters.size();
    conditions
        .parameters
        .addInteger(query.take() + 1)
        .addInteger(after == null ? 0 : after.lines());
    // lines of one instant are in an order of their own; others are found by the index on time
    var sql =
        conditions.sql
            + " order by at desc, id, action, workflow_instance_id, bookmark_id, actor, node"
            + " limit $%d offset $%d".formatted(last + 1, last + 2);
    return database
        .run("list the audit log", sql, conditions.parameters)
        .map(rows -> {
          var lines = new ArrayList<Line>();
          rows.forEach(row -> lines.add(line(row)));
          return lines.size() <= query.take()
              ? new Page(lines, null)
              : cut(lines.subList(0, query.take()), after);
        });
  }

  private static Page cut(List<Line> lines, @Nullable Place after) {
    var last = lines.getLast().at();
    int seen = (int) lines.stream().filter(line -> line.at().equals(last)).count();
    int before = after != null && after.at().equals(last) ? after.lines() : 0;
    return new Page(lines, new Place(last, before + seen));
  }

  private static Line line(Row row) {
    return new Line(
        Objects.requireNonNull(Database.instant(row.getOffsetDateTime(0))),
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7));
  }
}
