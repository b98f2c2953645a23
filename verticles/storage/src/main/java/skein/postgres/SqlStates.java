package skein.postgres;

import org.jspecify.annotations.Nullable;

/** What the SQLSTATE of a failure says, as in appendix A of PostgreSQL's manual. */
public final class SqlStates {
  private static final String REFUSED_LOGIN = "28";

  private SqlStates() {}

  /**
   * Faults that say nothing about the statement: it may be tried again.
   *
   * @param state null where the server, or the client in its stead, gave none
   */
  public static boolean isInfrastructure(@Nullable String state) {
    if (state == null) {
      return true;
    }
    return state.startsWith("08") // connection
        || state.startsWith("40") // serialization failure, deadlock
        || state.startsWith("53") // out of disk, memory, connections
        || state.startsWith("55P03") // lock timeout
        || state.startsWith("57") // shutdown, cancelled by statement_timeout
        || state.startsWith("58") // system error
        || state.startsWith("25006") // read-only: a standby
        || state.startsWith("XX"); // internal error
  }

  /** The server does not take who connects. */
  public static boolean isRefusedLogin(@Nullable String state) {
    return state != null && state.startsWith(REFUSED_LOGIN);
  }
}
