package skein.conformance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/** What a client finds out about workflow instances. */
final class Looking {
  private static final String RECORDS = "/activity-executions/list?workflowInstanceId=";
  private static final String WRITE_LINE = "Elsa.WriteLine";
  private static final int PAGE = 100;

  private final Server server;

  Looking(Server server) {
    this.server = server;
  }

  /** Ids of the instances of a definition, oldest first. */
  List<String> instances(String definitionId) {
    var found = new ArrayList<String>();
    for (var item :
        server.items(
            "/workflow-instances?page=0&pageSize=100&orderBy=Created&orderDirection=Ascending"
                + "&definitionId="
                + Server.encoded(definitionId))) {
      found.add(String.valueOf(Pattern.dig(item, "id")));
    }
    return found;
  }

  /** What the instance itself says, by the names that expectations have for it. */
  Map<String, @Nullable Object> facts(String instanceId) {
    var instance =
        server.get("/workflow-instances/" + (instanceId.isEmpty() ? "none" : instanceId));
    var facts = new LinkedHashMap<String, @Nullable Object>();
    for (var name :
        List.of(
            "status",
            "subStatus",
            "name",
            "correlationId",
            "version",
            "parentWorkflowInstanceId")) {
      facts.put(name, Pattern.dig(instance, name));
    }
    var output = Pattern.dig(instance, "workflowState.output");
    facts.put("output", output == null ? Map.of() : output);
    var incidents = list(instance, "workflowState.incidents");
    facts.put("incidents", (long) incidents.size());
    facts.put("incidentText", JsonText.print(incidents));
    facts.put("bookmarks", (long) list(instance, "workflowState.bookmarks").size());
    return facts;
  }

  Map<String, @Nullable Object> variables(String instanceId) {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (var item : server.items("/workflow-instances/" + instanceId + "/variables")) {
      values.put(String.valueOf(Pattern.dig(item, "name")), Pattern.dig(item, "value"));
    }
    return values;
  }

  List<?> records(String instanceId) {
    return server.items(RECORDS + instanceId);
  }

  List<Object> journal(String instanceId) {
    var entries = new ArrayList<Object>();
    while (true) {
      var page =
          server.get(
              "/workflow-instances/"
                  + instanceId
                  + "/journal?skip="
                  + entries.size()
                  + "&take="
                  + PAGE);
      var items = list(page, "items");
      entries.addAll(items);
      var total = Pattern.dig(page, "totalCount") instanceof Number all ? all.intValue() : 0;
      if (items.isEmpty() || entries.size() >= total) {
        return entries;
      }
    }
  }

  /** The id of the task of that name that the instance waits for. */
  @Nullable Object task(String instanceId, String name) {
    var instance = server.get("/workflow-instances/" + instanceId);
    return list(instance, "workflowState.bookmarks").stream()
        .filter(bookmark -> name.equals(Pattern.dig(bookmark, "payload.taskName")))
        .map(bookmark -> String.valueOf(Pattern.dig(bookmark, "payload.taskId")))
        .findFirst()
        .orElse(null);
  }

  /**
   * The texts that {@code WriteLine} activities wrote: they stand in the records, their order in
   * the journal. A line counts when its activity completed, even if it faulted after that.
   */
  List<String> lines(String instanceId) {
    var order = new HashMap<String, Long>();
    for (var entry : journal(instanceId)) {
      if (WRITE_LINE.equals(Pattern.dig(entry, "activityType"))
          && "Completed".equals(Pattern.dig(entry, "eventName"))) {
        var at = Pattern.dig(entry, "sequence") instanceof Number number ? number.longValue() : 0;
        order.put(String.valueOf(Pattern.dig(entry, "activityInstanceId")), at);
      }
    }
    return records(instanceId).stream()
        .filter(record -> WRITE_LINE.equals(Pattern.dig(record, "activityType")))
        .filter(record -> isWritten(record, order))
        .sorted(
            Comparator.<Object>comparingLong(
                    record -> order.getOrDefault(id(record), Long.MAX_VALUE))
                .thenComparing(record -> String.valueOf(Pattern.dig(record, "startedAt"))))
        .map(record -> Pattern.dig(record, "activityState.text"))
        .map(text -> text == null ? "" : String.valueOf(text))
        .toList();
  }

  private static boolean isWritten(Object record, Map<String, Long> order) {
    return "Completed".equals(Pattern.dig(record, "status")) || order.containsKey(id(record));
  }

  private static String id(@Nullable Object record) {
    return String.valueOf(Pattern.dig(record, "id"));
  }

  private static List<?> list(@Nullable Object value, String path) {
    return Pattern.dig(value, path) instanceof List<?> list ? list : List.of();
  }
}
