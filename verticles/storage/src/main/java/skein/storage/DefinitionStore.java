package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;

/** Reads the versions of definitions and the endpoints of the published ones. Thread-safe. */
public final class DefinitionStore {
  private final Database database;

  public DefinitionStore(Database database) {
    this.database = database;
  }

  /** Which version of a definition. */
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
             content
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
  public Future<@Nullable WorkflowDefinition> findByType(String typeName, int version) {
    return one(
        COLUMNS
            + """
             where type_name = $1
             order by (version = $2) desc, is_published desc, version desc, id limit 1
            """,
        Tuple.of(typeName, version));
  }

  /**
   * The versions of definitions that are usable as activities, published ones before the others, by
   * type name, newest first; at most {@code max}.
   */
  public Future<List<WorkflowDefinition>> usable(int max) {
    return many(
        COLUMNS
            + " where type_name is not null"
            + " order by is_published desc, type_name, version desc, id limit $1",
        Tuple.of(max));
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

  /** All versions, newest first. */
  public Future<List<WorkflowDefinition>> versions(String definitionId) {
    return many(
        COLUMNS + " where definition_id = $1 order by version desc", Tuple.of(definitionId));
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

  public record Page(List<WorkflowDefinition> items, long total) {}

  public Future<Page> list(Query query) {
    var where =
        " where "
            + query.condition().condition
            + """
             and ($1::text is null or name ilike '%' || $1 || '%' or definition_id = $1 or id = $1)
             and ($2::text[] is null or definition_id = any($2))
             and ($3::text[] is null or id = any($3))
            """;
    var order = query.window().orderBy().column + (query.window().descending() ? " desc" : " asc");
    var sql =
        COLUMNS + where + " order by " + order + " nulls last, definition_id limit $4 offset $5";
    return many(
            sql, match(query).addInteger(query.window().take()).addInteger(query.window().skip()))
        .compose(items ->
            database
                .run(
                    "count definitions",
                    "select count(*) from workflow_definitions" + where,
                    match(query))
                .map(rows -> new Page(items, rows.iterator().next().getLong(0))));
  }

  private static Tuple match(Query query) {
    return Tuple.tuple()
        .addString(query.searchTerm())
        .addValue(
            query.definitionIds().isEmpty() ? null : query.definitionIds().toArray(String[]::new))
        .addValue(query.ids().isEmpty() ? null : query.ids().toArray(String[]::new));
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
             payload::text as payload
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
                      row.getString("id"),
                      new DefinitionRef(row.getString(1), row.getString(2), row.getInteger(3)),
                      row.getString("activity_id"),
                      payload));
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
          rows.forEach(row -> found.add(definition(row)));
          return found;
        });
  }

  @SuppressWarnings("unchecked")
  private static WorkflowDefinition definition(Row row) {
    var content = JsonText.parse(row.getString("content"), JsonLimits.STORED);
    if (!(content instanceof Map<?, ?> json)) {
      throw new IllegalStateException("Definition " + row.getString("id") + " is not an object");
    }
    return new WorkflowDefinition(
        new DefinitionRef(
            row.getString("definition_id"), row.getString("id"), row.getInteger("version")),
        row.getString("name"),
        row.getString("description"),
        row.getBoolean("is_latest"),
        row.getBoolean("is_published"),
        row.getOffsetDateTime("created_at").toInstant(),
        (Map<String, @Nullable Object>) json);
  }
}
