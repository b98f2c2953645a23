package skein.storage;

import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowStatus;

/**
 * A query of instances as SQL. Conditions that are not asked for are left out: a plan for any
 * values would have to do without the indexes.
 */
final class InstanceSearch {
  private static final String COLUMNS =
      """
      select id, definition_id, definition_version_id, version, status, correlation_id, name,
             parent_id, incident_count, created_at, updated_at, finished_at
      """;

  /** Instances that are counted beyond those that a page skips. */
  private static final int COUNT_MAX = 10_000;

  /** The index on the instances of tenants is partial, and asked for in its own words. */
  private static final String OF_TENANT = "tenant_id = $%d and tenant_id <> ''";

  private final InstanceQuery query;
  private final StringBuilder from = new StringBuilder("  from workflow_instances where true");
  private final List<Object> parameters = new ArrayList<>();

  private InstanceSearch(InstanceQuery query) {
    this.query = query;
  }

  static InstanceSearch of(InstanceQuery query, TenantScope scope) {
    var search = new InstanceSearch(query);
    search.and(scope.owner().isEmpty() ? "tenant_id = $%d" : OF_TENANT, scope.tenant());
    search.anyOf("definition_id", query.named().definitionIds());
    search.anyOf("id", query.named().ids());
    search.anyOf("status", query.statuses().stream().map(WorkflowStatus::name).toList());
    search.and("correlation_id = $%d", query.named().correlationId());
    search.and("name = $%d", query.named().name());
    search.and("parent_id = $%d", query.named().parentId());
    search.and("version = $%d", query.named().version());
    if (query.hasIncidents() != null) {
      search.from.append(
          query.hasIncidents() ? " and incident_count > 0" : " and incident_count = 0");
    }
    search.and(
        "(name ilike '%%' || $%1$d::text || '%%' or id = $%1$d or definition_id = $%1$d"
            + " or correlation_id = $%1$d)",
        query.searchTerm());
    for (var filter : query.times()) {
      search.and(filter.condition(), Database.timestamp(filter.at()));
    }
    return search;
  }

  /** With one value an index keeps the order by another column, with several it does not. */
  private void anyOf(String column, List<String> values) {
    if (values.size() == 1) {
      and(column + " = $%d", values.getFirst());
    } else if (!values.isEmpty()) {
      and(column + " = any($%d::text[])", values.toArray(String[]::new));
    }
  }

  private void and(String condition, @Nullable Object value) {
    if (value != null) {
      parameters.add(value);
      from.append(" and ").append(condition.formatted(parameters.size()));
    }
  }

  String page() {
    int next = parameters.size() + 1;
    return COLUMNS + from + order() + " limit $%d offset $%d".formatted(next, next + 1);
  }

  /** The time of creation is never absent, and its index is in that order both ways. */
  private String order() {
    var direction = query.window().descending() ? " desc" : " asc";
    return query.window().orderBy() == InstanceQuery.Order.Created
        ? " order by " + created() + direction + ", id"
        : " order by " + query.window().orderBy().column + direction + " nulls last, id";
  }

  /**
   * Where few can match they are found by what they match, and sorted. Without statistics a walk
   * through all in their order would seem as good, so that order is hidden.
   */
  private String created() {
    boolean few =
        query.named().correlationId() != null
            || query.named().parentId() != null
            || !query.named().ids().isEmpty();
    return few ? "(created_at + interval '0')" : "created_at";
  }

  Tuple pageParameters() {
    return tuple().addInteger(query.window().take()).addInteger(query.window().skip());
  }

  String count() {
    return "select count(*) from (select 1"
        + from
        + " order by %s desc limit $%d) as found".formatted(created(), parameters.size() + 1);
  }

  Tuple countParameters() {
    return tuple().addLong((long) query.window().skip() + COUNT_MAX);
  }

  private Tuple tuple() {
    var tuple = Tuple.tuple();
    parameters.forEach(tuple::addValue);
    return tuple;
  }
}
