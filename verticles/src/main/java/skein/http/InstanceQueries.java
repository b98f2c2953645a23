package skein.http;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowStatus;
import skein.storage.InstanceStore.Order;
import skein.storage.InstanceStore.Query;

/** What a list of instances is asked for, and whether it is a list that is asked for. */
final class InstanceQueries {
  private static final int PAGE_SIZE = 50;

  /** Members that only a list has; with one of them a POST is never a start. */
  private static final Set<String> LIST_ONLY =
      Set.of(
          "page",
          "pagesize",
          "skip",
          "take",
          "searchterm",
          "definitionids",
          "ids",
          "version",
          "hasincidents",
          "issystem",
          "status",
          "statuses",
          "substatus",
          "substatuses",
          "orderby",
          "orderdirection",
          "timestampfilters");

  private InstanceQueries() {}

  /**
   * The guide posts {@code {"definitionId", "input"?}} to start an instance where Elsa lists.
   * Elsa's own clients always send paging.
   */
  static boolean isStart(Fields fields) {
    return fields.has("definitionId") && !fields.hasAny(LIST_ONLY);
  }

  /** Null when nothing can match. */
  static @Nullable Query query(Fields fields) {
    if (fields.value("timestampFilters") instanceof List<?> filters && !filters.isEmpty()) {
      throw Call.invalid("timestampFilters are not supported: order by a date and page instead");
    }
    var statuses =
        ElsaStatus.matching(
            fields.texts("status", "statuses"), fields.texts("subStatus", "subStatuses"));
    if (statuses.isEmpty() || fields.isTrue("isSystem")) {
      return null;
    }
    var window = fields.window(PAGE_SIZE);
    return new Query(
        fields.texts("definitionId", "definitionIds"),
        fields.texts("ids"),
        statuses.size() == WorkflowStatus.values().length ? List.of() : statuses,
        fields.text("correlationId"),
        fields.text("name"),
        fields.text("parentWorkflowInstanceId"),
        fields.number("version", 1, Integer.MAX_VALUE),
        fields.flag("hasIncidents"),
        fields.text("searchTerm"),
        fields.choice("orderBy", Order.class, Order.Created),
        fields.descending(true),
        window.skip(),
        window.take());
  }
}
