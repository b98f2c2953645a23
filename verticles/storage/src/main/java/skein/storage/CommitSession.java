package skein.storage;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection and the statements that were prepared on it; both are made when they are needed.
 * Of one event-loop context, one batch at a time.
 */
final class CommitSession implements CommitTarget {
  private static final class Prepared {
    final PreparedStatement statement;
    int uses = 1;

    Prepared(PreparedStatement statement) {
      this.statement = statement;
    }
  }

  private final Context context;
  private final Database database;
  private final String node;
  private final int statementUsesMax;
  private @Nullable PgConnection connection;
  private @Nullable Future<PgConnection> connecting;
  private final Map<Set<CommitStatement.Part>, Prepared> statements = new HashMap<>();

  /**
   * To be made on the context it belongs to.
   *
   * @param node the name that the journal is given
   * @param statementUsesMax executions of a prepared statement before it is prepared again
   */
  CommitSession(Context context, Database database, String node, int statementUsesMax) {
    this.context = context;
    this.database = database;
    this.node = node;
    this.statementUsesMax = statementUsesMax;
  }

  /** The statement was sent; its outcome is unknown. */
  static final class Unanswered extends RuntimeException {
    Unanswered(Throwable cause) {
      super(cause.toString(), cause);
    }
  }

  @Override
  public Future<Set<String>> write(List<Chain> batch) {
    var parts = CommitStatement.parts(batch);
    return prepared(parts).compose(ready -> execute(ready, parts, batch));
  }

  private Future<Set<String>> execute(
      PreparedStatement ready, Set<CommitStatement.Part> parts, List<Chain> batch) {
    Tuple parameters;
    try {
      parameters = CommitParameters.of(parts, batch, node, database.values());
    } catch (RuntimeException e) {
      return Future.failedFuture(new UnwritableException(e));
    }
    return ready
        .query()
        .execute(parameters)
        .timeout(database.options().timeouts().statement().toMillis(), TimeUnit.MILLISECONDS)
        .<Set<String>>map(rows -> {
          var won = rows.iterator().next().getArrayOfStrings(0);
          return won == null ? Set.of() : Set.of(won);
        })
        .recover(e -> {
          if (!DatabaseErrors.isOutcomeUnknown(e)) {
            return Future.failedFuture(e);
          }
          close();
          return Future.failedFuture(new Unanswered(e));
        });
  }

  /**
   * A statement is prepared when a batch of its kind comes first; there are few kinds. It keeps the
   * plan that it was given then, and one that was made for an empty table walks through a full one:
   * so it is prepared again before a table can have grown by much.
   */
  private Future<PreparedStatement> prepared(Set<CommitStatement.Part> parts) {
    var ready = statements.get(parts);
    if (ready != null && ready.uses < statementUsesMax) {
      ready.uses++;
      return Future.succeededFuture(ready.statement);
    }
    if (ready != null) {
      statements.remove(parts);
      ready.statement.close();
    }
    return connected()
        .compose(opened ->
            opened
                .prepare(CommitStatement.sql(parts))
                .timeout(
                    database.options().timeouts().statement().toMillis(), TimeUnit.MILLISECONDS)
                .onSuccess(made -> {
                  if (opened.equals(connection)) {
                    statements.put(parts, new Prepared(made));
                  }
                }))
        .onFailure(_ -> close());
  }

  @Override
  public Future<Void> open() {
    return connected().mapEmpty();
  }

  private Future<PgConnection> connected() {
    var open = connection;
    if (open != null) {
      return Future.succeededFuture(open);
    }
    var underWay = connecting;
    if (underWay != null && !underWay.isComplete()) {
      return underWay;
    }
    var begun =
        database
            .connection(CommitStatement.PLANNER)
            .onSuccess(opened -> {
              connection = opened;
              opened.closeHandler(_ -> context.runOnContext(_ -> forget(opened)));
            });
    connecting = begun;
    return begun;
  }

  private void forget(PgConnection gone) {
    if (gone.equals(connection)) {
      connection = null;
      statements.clear();
    }
  }

  static final String FATE =
      """
      select exists (select from journal
                      where workflow_instance_id = $1 and revision = $2 and state_id = $3),
             (select revision = $4 and state_id is not distinct from $5
                from workflow_instances where id = $1)
      """;

  /** Journal and row are read in one snapshot: what is in neither can only be what is to come. */
  @Override
  public Future<Fate> fateOf(Chain chain) {
    var parameters =
        Tuple.of(
            chain.id().value(),
            chain.last().revision(),
            chain.stateId(),
            chain.expectedRevision(),
            chain.builtOn());
    return database
        .run("look for state " + chain.stateId(), FATE, parameters)
        .map(rows -> {
          var row = rows.iterator().next();
          if (row.getBoolean(0)) {
            return Fate.COMMITTED;
          }
          var isAsBefore = row.getBoolean(1);
          boolean open = isAsBefore == null ? chain.isNew() : isAsBefore;
          return open ? Fate.OPEN : Fate.LOST;
        });
  }

  /** The next batch opens another connection. */
  @Override
  public void close() {
    var old = connection;
    connection = null;
    statements.clear();
    if (old != null) {
      old.close();
    }
  }
}
