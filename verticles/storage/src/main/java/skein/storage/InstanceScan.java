package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import skein.codecs.BadBytesException;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;

/**
 * Reads the instances of a definition with their states, the newest first, a bounded portion at a
 * time. Thread-safe.
 */
public final class InstanceScan {
  /** Rows that one portion passes over to find those that are wanted. */
  public static final int ROWS_MAX = 1_000;

  /** States of one portion. */
  public static final int STATES_MAX = 100;

  /** Bytes of the states of one portion, as stored; a larger state is a portion of its own. */
  static final int BYTES_MAX = 1 << 20;

  /** Newest rows of a definition that are counted. */
  static final int COUNT_MAX = 10_000;

  private final Database database;

  public InstanceScan(Database database) {
    this.database = database;
  }

  /**
   * Which instances.
   *
   * @param finished whether those that have ended are read, too
   */
  public record Query(String definitionId, boolean finished, TenantScope scope) {}

  /** The place of an instance in the order of the scan. */
  public record Position(Instant createdAt, InstanceId id) {}

  /**
   * One instance that the query asks for.
   *
   * @param instance null: this node cannot read it
   */
  public record Scanned(Position position, @Nullable WorkflowInstance instance) {}

  /**
   * What one statement read.
   *
   * @param wanted the instances that the query asks for; at most {@link #STATES_MAX}, perhaps none
   * @param end the last row that was passed over, wanted or not; null: no row follows
   */
  public record Portion(List<Scanned> wanted, @Nullable Position end) {
    public Portion {
      wanted = List.copyOf(wanted);
    }
  }

  /**
   * How many instances a query asks for.
   *
   * @param exact false: there are older rows than were counted
   */
  public record Total(long count, boolean exact) {}

  private static final String PORTION =
      """
      with looked as materialized (
        select id, revision, state_id, created_at, $2 or finished_at is null as wanted, state
          from workflow_instances
         where definition_id = $1 and ($3::text is null or tenant_id = $3) %s
         order by created_at desc, id desc limit $4
      ), measured as materialized (
        select *, row_number() over newest as n, count(*) over () as looked,
               count(*) filter (where wanted) over newest as states,
               sum(case when wanted then octet_length(state) else 0 end) over newest as bytes
          from looked
        window newest as (order by created_at desc, id desc)
      )
      select id, revision, state_id, created_at, wanted, n < $4 and n = looked as complete,
             case when wanted then state end as state
        from (select *, max(n) over () as last from measured
               where n = 1 or (states <= $5 and bytes <= $6)) as kept
       where wanted or n = last order by n
      """;

  static final String FIRST = PORTION.formatted("");

  /**
   * Not as a comparison of rows, {@code (created_at, id) < ($7, $8)}: the planner would expect so
   * few of them that it would read and sort all.
   */
  static final String NEXT =
      PORTION.formatted("and created_at <= $7 and (created_at < $7 or id < $8)");

  static final String TOTAL =
      """
      select count(*) filter (where wanted) as total, count(*) as looked
        from (select $2 or finished_at is null as wanted from workflow_instances
               where definition_id = $1 and ($3::text is null or tenant_id = $3)
               order by created_at desc limit $4) as newest
      """;

  static Tuple parameters(Query query, @Nullable Position after) {
    var parameters =
        common(query).addInteger(ROWS_MAX).addInteger(STATES_MAX).addLong((long) BYTES_MAX);
    return after == null
        ? parameters
        : parameters.addValue(Database.timestamp(after.createdAt())).addString(after.id().value());
  }

  static Tuple totalParameters(Query query) {
    return common(query).addInteger(COUNT_MAX);
  }

  private static Tuple common(Query query) {
    return Tuple.tuple()
        .addString(query.definitionId())
        .addBoolean(query.finished())
        .addString(query.scope().tenant());
  }

  /** A thread on which code may take long; completes on any thread. */
  @FunctionalInterface
  public interface Decoding {
    Future<Portion> run(Callable<Portion> code);
  }

  /**
   * Decodes the states of a portion, which takes too long for an event loop, on a thread for that.
   *
   * @param after the end of the portion before, or a row within it; null: from the newest
   * @param decoding where states are decrypted and decoded
   */
  public Future<Portion> next(Query query, @Nullable Position after, Decoding decoding) {
    return database
        .run(
            "scan the instances of " + query.definitionId(),
            after == null ? FIRST : NEXT,
            parameters(query, after))
        .compose(rows -> decoding.run(() -> portion(rows)));
  }

  private Portion portion(Iterable<Row> rows) {
    var wanted = new ArrayList<Scanned>();
    @Nullable Position end = null;
    for (var row : rows) {
      var position =
          new Position(
              row.getOffsetDateTime("created_at").toInstant(), new InstanceId(row.getString("id")));
      if (row.getBoolean("wanted")) {
        wanted.add(new Scanned(position, instance(row)));
      }
      end = row.getBoolean("complete") ? null : position;
    }
    return new Portion(wanted, end);
  }

  /** One instance of a newer format, or a damaged one, does not end the scan of the others. */
  private @Nullable WorkflowInstance instance(Row row) {
    try {
      return InstanceReads.state(row, database.values()).instance();
    } catch (BadBytesException | SkeinException _) {
      return null;
    }
  }

  public Future<Total> total(Query query) {
    return database
        .run("count the instances of " + query.definitionId(), TOTAL, totalParameters(query))
        .map(rows -> {
          var row = rows.iterator().next();
          return new Total(row.getLong("total"), row.getLong("looked") < COUNT_MAX);
        });
  }
}
