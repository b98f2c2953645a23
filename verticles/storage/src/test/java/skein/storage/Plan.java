package skein.storage;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a statement did when it was executed once, and undone.
 *
 * @param blocks pages of tables and indexes that it looked at
 * @param scanned tables of which it looked at every page
 */
record Plan(long blocks, Set<String> scanned, String text) {
  private static final AtomicInteger names = new AtomicInteger();

  /** A statement that a session keeps, with whatever plan it was given. */
  record Prepared(SqlConnection session, String name, String arguments) {

    /** Executes it, takes back what it changed, and tells how it went. */
    Plan execute() {
      run(session, "begin");
      var sql = "explain (analyze, buffers, timing off, format json) execute " + name + arguments;
      try {
        var rows = session.query(sql).execute().await();
        return Plan.of(((JsonArray) rows.iterator().next().getValue(0)).getJsonObject(0));
      } finally {
        run(session, "rollback");
      }
    }
  }

  /** With the statistics and the settings of the session as they are. */
  static Prepared prepare(SqlConnection session, String sql, Tuple parameters) {
    var name = "plan_" + names.incrementAndGet();
    run(session, "prepare " + name + " as " + sql);
    var arguments =
        IntStream.range(0, parameters.size())
            .mapToObj(i -> literal(parameters.getValue(i)))
            .collect(Collectors.joining(", "));
    return new Prepared(session, name, arguments.isEmpty() ? "" : "(" + arguments + ")");
  }

  /**
   * In a session of its own.
   *
   * @param settings such as {@code enable_seqscan=off}
   */
  static Plan of(Database database, String sql, Tuple parameters, String... settings) {
    var session = session(database, settings);
    try {
      return prepare(session, sql, parameters).execute();
    } finally {
      session.close().await();
    }
  }

  /** The caller closes it. */
  static SqlConnection session(Database database, String... settings) {
    var session = database.connection(Map.of()).await();
    run(session, "set statement_timeout = 0");
    for (var setting : settings) {
      run(session, "set " + setting);
    }
    return session;
  }

  static void run(SqlConnection session, String sql) {
    session.query(sql).execute().await();
  }

  private static String literal(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Object[] values ->
          Arrays.stream(values).map(Plan::literal).collect(Collectors.joining(",", "array[", "]"))
              + "::"
              + arrayType(values);
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case OffsetDateTime at -> quoted(at.toString());
      case Buffer bytes -> quoted("\\x" + HexFormat.of().formatHex(bytes.getBytes()));
      default -> quoted(value.toString());
    };
  }

  private static String arrayType(Object[] values) {
    return switch (values) {
      case Long[] _ -> "int8[]";
      case Integer[] _ -> "int4[]";
      case Double[] _ -> "float8[]";
      case UUID[] _ -> "uuid[]";
      case OffsetDateTime[] _ -> "timestamptz[]";
      case Buffer[] _ -> "bytea[]";
      case Boolean[] _ -> "bool[]";
      default -> "text[]";
    };
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static Plan of(JsonObject explained) {
    var root = explained.getJsonObject("Plan");
    var scanned = new TreeSet<String>();
    collectScans(root, scanned);
    return new Plan(blocks(root), scanned, explained.encodePrettily());
  }

  private static void collectScans(JsonObject node, Set<String> scanned) {
    if (node.getString("Node Type").endsWith("Seq Scan") && node.getInteger("Actual Loops") > 0) {
      scanned.add(node.getString("Relation Name"));
    }
    children(node).forEach(child -> collectScans((JsonObject) child, scanned));
  }

  /** A part that changes rows and is not read is not in the sum of the whole. */
  private static long blocks(JsonObject node) {
    long own = node.getLong("Shared Hit Blocks", 0L) + node.getLong("Shared Read Blocks", 0L);
    long parts = children(node).stream().mapToLong(child -> blocks((JsonObject) child)).sum();
    return Math.max(own, parts);
  }

  private static JsonArray children(JsonObject node) {
    return node.getJsonArray("Plans", new JsonArray());
  }
}
