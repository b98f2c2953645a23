package skein.http;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowStatus;
import skein.storage.AlterationStore.Filter;
import skein.storage.AlterationStore.Named;

/**
 * Filters of the instances to alter, in the form of Elsa's clients. An unknown member is refused:
 * without it more instances than intended would be altered.
 */
final class AlterationFilters {
  private AlterationFilters() {}

  /** Null when nothing can match. */
  static @Nullable Filter read(Map<String, @Nullable Object> json) {
    var fields = Fields.of(json);
    var statuses = ElsaStatus.matching(fields.texts("statuses"), fields.texts("subStatuses"));
    boolean nothing = statuses.isEmpty() || fields.isTrue("isSystem");
    var filter =
        new Filter(
            named(fields),
            statuses.size() == WorkflowStatus.values().length ? List.of() : statuses,
            fields.flag("hasIncidents"),
            fields.text("searchTerm"),
            InstanceQueries.times(fields));
    boolean all = fields.isTrue("emptyFilterSelectsAll");
    refuseActivities(fields.value("activityFilters"));
    refuseUnknown(fields);
    if (nothing) {
      return null;
    }
    if (filter.isEmpty() && !all) {
      throw BadRequest.of(
          "The filter selects every instance; say \"emptyFilterSelectsAll\": true to mean that");
    }
    return filter;
  }

  private static Named named(Fields fields) {
    return new Named(
        fields.texts("workflowInstanceIds"),
        fields.texts("definitionIds"),
        fields.texts("definitionVersionIds"),
        fields.texts("correlationIds"),
        fields.texts("names"));
  }

  /** Elsa's clients send an empty list for none. */
  private static void refuseActivities(@Nullable Object filters) {
    if (filters != null && !(filters instanceof List<?> list && list.isEmpty())) {
      throw BadRequest.of("activityFilters is not supported: select instances by what they are");
    }
  }

  private static void refuseUnknown(Fields fields) {
    var unknown = new TreeSet<String>(fields.unread());
    unknown.removeIf(name -> !fields.has(name));
    if (!unknown.isEmpty()) {
      throw BadRequest.of("The filter has members that select nothing: " + unknown);
    }
  }
}
