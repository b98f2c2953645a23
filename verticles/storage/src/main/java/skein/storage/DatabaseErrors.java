package skein.storage;

import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.postgres.SqlStates;

/** The meaning of failures of statements. */
final class DatabaseErrors {
  private DatabaseErrors() {}

  /**
   * An answer of the database stays what it is, and so does why values cannot be sent to it; its
   * absence becomes {@code STORAGE_UNAVAILABLE}, and so does its refusal of this node, with a
   * {@link DatabaseRefusedException} as its cause: nothing has been asked.
   */
  static Throwable explain(String what, Throwable e) {
    boolean explained =
        e instanceof SkeinException
            || (e instanceof IllegalStateException && e.getCause() instanceof PgException);
    if (explained) {
      return e;
    }
    if (e instanceof UnwritableException) {
      return e.getCause() instanceof SkeinException refusal
          ? refusal
          : new IllegalStateException(what + ": " + e.getMessage(), e);
    }
    if (e instanceof PgException error && !isInfrastructure(error)) {
      var refused = DatabaseRefusedException.of(error);
      return refused == null
          ? new IllegalStateException(what + ": " + error.getMessage(), error)
          : new SkeinException(
              ErrorCode.STORAGE_UNAVAILABLE,
              "The database refused this node: " + what,
              List.of(),
              refused);
    }
    return SkeinException.storageUnavailable(what, e);
  }

  /** Says nothing about the statement: it may be tried again. */
  static boolean isInfrastructure(PgException error) {
    return SqlStates.isInfrastructure(error.getSqlState());
  }

  /** True of the database's answer to a statement, also where {@link #explain} explained it. */
  static boolean isAnswer(Throwable e) {
    var answer = e instanceof IllegalStateException ? e.getCause() : e;
    return answer instanceof PgException error && !isInfrastructure(error);
  }

  /** True when the statement may have been carried out although no answer came. */
  static boolean isOutcomeUnknown(Throwable e) {
    return !(e instanceof PgException)
        || e instanceof ClosedConnectionException
        || e instanceof TimeoutException;
  }
}
