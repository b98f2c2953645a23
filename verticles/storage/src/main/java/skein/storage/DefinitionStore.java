package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;

/** Reads the versions of definitions and the endpoints of the published ones. Thread-safe. */
public final class DefinitionStore {
  private final Database database;
  private final ReadLimit limit;

  public DefinitionStore(Database database) {
    this(database, ReadLimit.OF_HEAP);
  }

  DefinitionStore(Database database, ReadLimit limit) {
    this.database = database;
    this.limit = limit;
  }

  /** A version of a definition. */
  public enum Which {
    LATEST("is_latest"),
    PUBLISHED("is_published");

    private final String condition;

    Which(String condition) {
      this.condition = condition;
    }
  }

  static final String COLUMNS =
      """
      select id, definition_id, version, name, description, is_latest, is_published, created_at,
             tenant_id, content as text
        from workflow_definitions
      """;

  public Future<@Nullable WorkflowDefinition> find(String definitionId, Which which) {
    var sql = COLUMNS + " where definition_id = $1 and " + which.condition;
    return one(sql, Tuple.of(definitionId));
  }

  public Future<@Nullable WorkflowDefinition> find(String definitionId, int version) {
    return one(
        COLUMNS + " where definition_id = $1 and version = $2", Tuple.of(definitionId, version));
  }

  public Future<@Nullable WorkflowDefinition> findVersion(String versionId) {
    return one(COLUMNS + " where id = $1", Tuple.of(versionId));
  }

  /**
   * The definition with this type name as an activity: this version of it, else the published one,
   * else the newest.
   */
  public Future<@Nullable WorkflowDefinition> findByType(
      String typeName, int version, TenantScope scope) {
    return one(
        COLUMNS
            + " where type_name = $1 and "
            + TenantScope.condition(3)
            + """
             order by (version = $2) desc, is_published desc, version desc, id limit 1
            """,
        Tuple.of(typeName, version).addString(scope.tenant()));
  }

  private static final String WITHOUT_CONTENT =
      "id, definition_id, version, name, description, is_latest, is_published, created_at,"
          + " tenant_id";

  /**
   * Definitions with some members of their documents alone: the whole of each may be megabytes.
   *
   * @param chosen ends with the order and a limit
   * @param member SQL for a member of {@code json}, which is {@code %s}
   */
  private static String parts(String order, String chosen, String member, String... members) {
    var built =
        Stream.of(members)
            .map(name -> "'" + name + "', " + member.formatted(name))
            .collect(Collectors.joining(", "));
    return """
      select place, %1$s,
             (select json_build_object(%2$s) from (select content::json as json) parsed)::text
               as text
        from (select %1$s, content, row_number() over (order by %3$s) as place
                from workflow_definitions %4$s) chosen
    """
        .formatted(WITHOUT_CONTENT, built, order, chosen);
  }

  private static final String BY_USE = "is_published desc, type_name, version desc, id";

  private static final String USABLE =
      limited(
          parts(
              BY_USE,
              "where type_name is not null and "
                  + TenantScope.condition(3)
                  + " order by "
                  + BY_USE
                  + " limit $1",
              "json -> '%s'",
              "inputs",
              "outputs",
              "outcomes",
              "options",
              "usableAsActivity"),
          2);

  private static String limited(String parts, int parameter) {
    return ReadLimit.limited(parts, "place", ", " + WITHOUT_CONTENT, parameter);
  }

  /**
   * The versions of definitions that are usable as activities, published ones before the others, by
   * type name, newest first; at most {@code max}, and no more than one request may read. Their
   * documents have what those who use them see, and no activities.
   */
  public Future<List<WorkflowDefinition>> usable(int max, TenantScope scope) {
    return database
        .run("read definitions", USABLE, Tuple.of(max, limit.bytesMax()).addString(scope.tenant()))
        .map(rows -> {
          var found = new ArrayList<WorkflowDefinition>();
          for (var row : rows) {
            var content = row.getString("text");
            if (content != null) { // else it is beyond what may be read
              found.add(definition(row, content));
            }
          }
          return found;
        });
  }

  static final String USERS =
      """
      select id from workflow_definitions
       where (is_latest or is_published) and uses && (
             select array_agg(key)
               from (select 'd:' || $1 as key
                     union all
                     select 'v:' || id from workflow_definitions where definition_id = $1
                     union all
                     select 't:' || type_name from workflow_definitions
                      where definition_id = $1 and type_name is not null) as keys)
       order by definition_id, version
      """;

  /**
   * The ids of the latest and published versions that may use a definition as an activity: they
   * name its id, one of its versions or one of its type names.
   */
  public Future<List<String>> users(String definitionId) {
    return database
        .run("find the users of a definition", USERS, Tuple.of(definitionId))
        .map(rows -> {
          var ids = new ArrayList<String>();
          rows.forEach(row -> ids.add(row.getString("id")));
          return ids;
        });
  }

  private static final String REFS =
      "select definition_id, id, version, tenant_id from workflow_definitions";

  /** All versions, newest first. */
  public Future<List<DefinitionRef>> versions(String definitionId) {
    return refs(REFS + " where definition_id = $1 order by version desc", Tuple.of(definitionId));
  }

  /** Those of these versions that there are, in their order. */
  public Future<List<DefinitionRef>> refs(List<String> versionIds, TenantScope scope) {
    var sql = REFS + " where id = any($1) and " + TenantScope.condition(2);
    return refs(
        sql + " order by array_position($1, id)", texts(versionIds).addString(scope.tenant()));
  }

  /** The latest versions of definitions, in their order; of those that there are. */
  public Future<List<DefinitionRef>> latest(List<String> definitionIds) {
    return refs(
        REFS
            + " where definition_id = any($1) and is_latest"
            + " order by array_position($1, definition_id)",
        texts(definitionIds));
  }

  private static Tuple texts(List<String> texts) {
    return Tuple.tuple().addValue(texts.toArray(String[]::new));
  }

  private Future<List<DefinitionRef>> refs(String sql, Tuple parameters) {
    return database
        .run("list versions of definitions", sql, parameters)
        .map(rows -> {
          var refs = new ArrayList<DefinitionRef>();
          rows.forEach(row -> refs.add(ref(row, 0)));
          return refs;
        });
  }

  private static DefinitionRef ref(Row row, int at) {
    var tenant = row.getString("tenant_id");
    return new DefinitionRef(
        row.getString(at), row.getString(at + 1), row.getInteger(at + 2), tenant);
  }

  /**
   * Which definitions a list shows.
   *
   * @param condition see {@link Listed}
   */
  public record Query(
      Listed condition,
      @Nullable String searchTerm,
      List<String> definitionIds,
      List<String> ids,
      Window window) {}

  /**
   * Which of those that are found.
   *
   * @param skip 0 or more
   * @param take 1 to 1,000
   */
  public record Window(OrderBy orderBy, boolean descending, int skip, int take) {}

  /** Elsa's version options, as far as a list knows them. */
  public enum Listed {
    Latest("is_latest"),
    Published("is_published"),
    LatestOrPublished("(is_latest or is_published)"),
    LatestAndPublished("(is_latest and is_published)"),
    Draft("(is_latest and not is_published)"),
    AllVersions("true");

    private final String condition;

    Listed(String condition) {
      this.condition = condition;
    }
  }

  public enum OrderBy {
    Name("name"),
    Created("created_at"),
    Version("version");

    private final String column;

    OrderBy(String column) {
      this.column = column;
    }
  }

  /**
   * @param items without activities: their documents have what lists show, and nothing else
   */
  public record Page(List<WorkflowDefinition> items, long total) {}

  /** Longer values are not names or flags, and are not shown. */
  private static final String SHORT =
      "case when octet_length(json ->> '%1$s') <= 1000 then json -> '%1$s' end";

  public Future<Page> list(Query query, TenantScope scope) {
    var where =
        " where "
            + query.condition().condition
            + """
             and ($1::text is null or name ilike '%' || $1 || '%' or definition_id = $1 or id = $1)
             and ($2::text[] is null or definition_id = any($2))
             and ($3::text[] is null or id = any($3)) and \
            """
            + TenantScope.condition(4);
    var window = query.window();
    var order =
        window.orderBy().column
            + (window.descending() ? " desc" : " asc")
            + " nulls last, definition_id, version";
    var sql =
        limited(
            parts(
                order,
                where + " order by " + order + " limit $5 offset $6",
                SHORT,
                "toolVersion",
                "isReadonly",
                "isSystem",
                "providerName"),
            7);
    return many(
            sql,
            match(query, scope)
                .addInteger(window.take())
                .addInteger(window.skip())
                .addInteger(limit.bytesMax()))
        .compose(items ->
            database
                .run(
                    "count definitions",
                    "select count(*) from workflow_definitions" + where,
                    match(query, scope))
                .map(rows -> new Page(items, rows.iterator().next().getLong(0))));
  }

  private static Tuple match(Query query, TenantScope scope) {
    return Tuple.tuple()
        .addString(query.searchTerm())
        .addValue(
            query.definitionIds().isEmpty() ? null : query.definitionIds().toArray(String[]::new))
        .addValue(query.ids().isEmpty() ? null : query.ids().toArray(String[]::new))
        .addString(scope.tenant());
  }

  /**
   * A published HTTP endpoint; or, without a method in the payload, a path template at which
   * instances wait.
   */
  public record Endpoint(
      String triggerId, DefinitionRef definition, String activityId, Map<?, ?> payload) {}

  static final String ENDPOINTS =
      """
      select id, workflow_definition_id, workflow_definition_version_id, version, activity_id,
             tenant_id, payload::text as payload
        from triggers where name in ('Elsa.HttpEndpoint', 'Elsa.HttpEndpoint.Route') order by id
      """;

  public Future<List<Endpoint>> endpoints() {
    return database
        .run("read the HTTP endpoints", ENDPOINTS, Tuple.tuple())
        .map(rows -> {
          var found = new ArrayList<Endpoint>();
          for (var row : rows) {
            if (JsonText.parse(row.getString("payload"), JsonLimits.STORED)
                instanceof Map<?, ?> payload) {
              found.add(
                  new Endpoint(
                      row.getString("id"), ref(row, 1), row.getString("activity_id"), payload));
            }
          }
          return found;
        });
  }

  private Future<@Nullable WorkflowDefinition> one(String sql, Tuple parameters) {
    return many(sql, parameters).map(found -> found.isEmpty() ? null : found.getFirst());
  }

  private Future<List<WorkflowDefinition>> many(String sql, Tuple parameters) {
    return database
        .run("read definitions", sql, parameters)
        .map(rows -> {
          var found = new ArrayList<WorkflowDefinition>();
          for (var row : rows) {
            var content =
                limit.within(
                    row.getString("text"), "This page of definitions", "ask for a smaller page");
            found.add(definition(row, content));
          }
          return found;
        });
  }

  @SuppressWarnings("unchecked")
  private static WorkflowDefinition definition(Row row, String text) {
    var content = JsonText.parse(text, JsonLimits.STORED);
    if (!(content instanceof Map<?, ?> json)) {
      throw new IllegalStateException("Definition " + row.getString("id") + " is not an object");
    }
    return new WorkflowDefinition(
        new DefinitionRef(
            row.getString("definition_id"),
            row.getString("id"),
            row.getInteger("version"),
            row.getString("tenant_id")),
        row.getString("name"),
        row.getString("description"),
        row.getBoolean("is_latest"),
        row.getBoolean("is_published"),
        row.getOffsetDateTime("created_at").toInstant(),
        (Map<String, @Nullable Object>) json);
  }
}
