package skein.http;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.InstanceQuery;
import skein.storage.InstanceQuery.Order;
import skein.storage.InstanceQuery.TimeColumn;
import skein.storage.InstanceQuery.TimeFilter;
import skein.storage.InstanceQuery.TimeOperator;

/** The parameters of lists of instances. */
final class InstanceQueries {
  /** How Elsa's client for .NET names the order that Elsa's server names UpdatedAt. */
  static final String LAST_EXECUTED = "LastExecuted";

  private static final int PAGE_SIZE = 50;
  private static final int TIMES_MAX = 10;

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

  /** Members that Elsa's client for .NET names in every list, null where it asks for nothing. */
  private static final List<String> ELSAS_LIST =
      List.of("page", "pageSize", "searchTerm", "definitionIds", "orderBy", "orderDirection");

  private InstanceQueries() {}

  /**
   * The guide posts {@code {"definitionId", "input"?}} to start an instance where Elsa lists.
   * Elsa's own clients always send paging, or name all that a list has.
   */
  static boolean isStart(Fields fields) {
    return fields.has("definitionId") && !fields.hasAny(LIST_ONLY) && !fields.namesAll(ELSAS_LIST);
  }

  /** Null when nothing can match. */
  static @Nullable InstanceQuery query(Fields fields) {
    var statuses =
        ElsaStatus.matching(
            fields.texts("status", "statuses"), fields.texts("subStatus", "subStatuses"));
    if (statuses.isEmpty() || fields.isTrue("isSystem")) {
      return null;
    }
    var window = fields.window(PAGE_SIZE);
    var order = order(fields);
    return new InstanceQuery(
        new InstanceQuery.Named(
            fields.texts("definitionId", "definitionIds"),
            fields.texts("ids"),
            fields.number("version", 1, Integer.MAX_VALUE),
            fields.text("correlationId"),
            fields.text("name"),
            fields.text("parentWorkflowInstanceId")),
        statuses.size() == WorkflowStatus.values().length ? List.of() : statuses,
        fields.flag("hasIncidents"),
        fields.text("searchTerm"),
        times(fields),
        new InstanceQuery.Window(
            order, fields.descending(order != Order.Name), window.skip(), window.take()));
  }

  private static Order order(Fields fields) {
    return LAST_EXECUTED.equalsIgnoreCase(fields.text("orderBy"))
        ? Order.UpdatedAt
        : fields.choice("orderBy", Order.class, Order.Created);
  }

  /** Those of these ids that exist; at most 1,000. */
  static InstanceQuery byIds(List<String> ids) {
    return new InstanceQuery(
        new InstanceQuery.Named(List.of(), ids, null, null, null, null),
        List.of(),
        null,
        null,
        List.of(),
        new InstanceQuery.Window(Order.Created, false, 0, ids.size()));
  }

  /** {@code timestampFilters}, as lists and alterations have them; all that is wrong is named. */
  static List<TimeFilter> times(Fields fields) {
    var given = fields.value("timestampFilters");
    if (given == null || given.equals("")) {
      return List.of();
    }
    if (!(given instanceof List<?> list) || list.size() > TIMES_MAX) {
      throw BadRequest.of(
          "timestampFilters is not a list of at most "
              + TIMES_MAX
              + " {column, operator, timestamp}");
    }
    var times = new ArrayList<TimeFilter>();
    var problems = new ArrayList<String>();
    for (var i = 0; i < list.size(); i++) {
      try {
        times.add(time(list.get(i)));
      } catch (SkeinException e) {
        problems.add("timestampFilters[" + i + "]: " + e.detail());
      }
    }
    if (!problems.isEmpty()) {
      throw BadRequest.of(String.join("; ", problems));
    }
    return List.copyOf(times);
  }

  private static TimeFilter time(@Nullable Object given) {
    var fields =
        given instanceof Map<?, ?> map
            ? Fields.of(Fields.copy(map))
            : Fields.of(Map.<String, @Nullable Object>of());
    fields.required("column");
    return new TimeFilter(
        fields.choice("column", TimeColumn.class, TimeColumn.CreatedAt),
        fields.choice("operator", TimeOperator.class, TimeOperator.Is),
        instant(fields.required("timestamp")));
  }

  private static Instant instant(String text) {
    try {
      var at = OffsetDateTime.parse(text);
      if (at.getYear() >= 1 && at.getYear() <= 9999) {
        return at.toInstant();
      }
    } catch (DateTimeParseException e) {
      // Refused below, as every other text that is not such a time.
    }
    throw BadRequest.of(
        "timestamp is \"" + text + "\", not a date and time with its offset as in ISO 8601");
  }
}
