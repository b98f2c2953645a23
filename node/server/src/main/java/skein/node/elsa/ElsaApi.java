package skein.node.elsa;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.node.dev.CannotStartException;

/** Elsa by its API, as 3.5 to 3.8 have it. */
public final class ElsaApi implements ElsaSource {
  /** Items of one page: Elsa gives no more than 100. */
  private static final int PAGE = 100;

  private static final String DEFINITIONS = "/workflow-definitions";
  private static final String INSTANCES = "/workflow-instances";

  private final JsonServer server;
  private final Map<String, ElsaInstance> instances = new LinkedHashMap<>();
  private final Map<String, String> labelNames = new LinkedHashMap<>();
  private boolean areListed;
  private boolean hasLabels;

  public ElsaApi(JsonServer server) {
    this.server = server;
  }

  @Override
  public List<ElsaDefinition> definitions() {
    readLabels();
    var summaries = new LinkedHashMap<String, Map<?, ?>>();
    for (var which : List.of("Published", "Latest")) {
      var path =
          DEFINITIONS
              + "?versionOptions="
              + which
              + "&orderBy=Created&orderDirection=Ascending&pageSize="
              + PAGE
              + "&page=";
      pages("The list of definitions", page -> server.ask("GET", path + page, null))
          .forEach(summaries::putIfAbsent);
    }
    var all = new ArrayList<ElsaDefinition>();
    summaries.values().forEach(summary -> all.add(definition(summary)));
    for (var instance : unfinished()) {
      if (!summaries.containsKey(instance.versionId())) {
        summaries.put(instance.versionId(), Map.of());
        var found = version(instance.versionId());
        if (found != null) {
          all.add(labelled(found));
        }
      }
    }
    return all;
  }

  private ElsaDefinition definition(Map<?, ?> summary) {
    var materializer = Json.text(summary, "materializerName");
    if (materializer != null && !DefinitionRow.isJson(materializer)) {
      return new ElsaDefinition(Json.copy(summary), List.of(), DefinitionRow.notJson(materializer));
    }
    var found = version(Json.textOr(summary, "id"));
    return found == null
        ? new ElsaDefinition(
            Json.copy(summary),
            List.of(),
            new Refusal(Reason.UNREADABLE, "Elsa lists it and does not give it out"))
        : labelled(found);
  }

  /** Null where there is none. */
  private @Nullable Map<String, @Nullable Object> version(String versionId) {
    var answer = server.ask("GET", DEFINITIONS + "/by-id/" + encoded(versionId), null);
    return answer.isRefused() ? null : Json.copy(answer.object("Version " + versionId));
  }

  private ElsaDefinition labelled(Map<String, @Nullable Object> model) {
    var definition = new ElsaDefinition(model, List.of(), DefinitionRow.refusal(model));
    if (!hasLabels || definition.refusal() != null) {
      return definition;
    }
    var path = DEFINITIONS + "/" + encoded(definition.versionId()) + "/labels";
    var answer = server.ask("GET", path, null);
    if (answer.isMissing()) {
      return definition;
    }
    var ids = Json.get(answer.object("The labels of a definition"), "items");
    var names =
        ids instanceof List<?> list
            ? list.stream()
                .map(id -> labelNames.getOrDefault(String.valueOf(id), String.valueOf(id)))
                .sorted()
                .toList()
            : List.<String>of();
    return new ElsaDefinition(model, names, null);
  }

  @Override
  public List<String> labels() {
    readLabels();
    return List.copyOf(labelNames.values());
  }

  /** Elsa answers 404 where the feature is off. */
  private void readLabels() {
    labelNames.clear();
    var path = "/labels?pageSize=" + PAGE + "&page=";
    var first = server.ask("GET", path + 0, null);
    if (first.isMissing()) {
      return;
    }
    hasLabels = true;
    pages("The list of labels", page -> page == 0 ? first : server.ask("GET", path + page, null))
        .forEach((id, label) -> labelNames.put(id, Json.textOr(label, "name")));
  }

  @Override
  public List<ElsaInstance> unfinished() {
    if (!areListed) {
      pages("The list of instances", this::unfinished)
          .forEach((id, item) -> instances.put(id, new ElsaInstance(Json.copy(item), null)));
      areListed = true;
    }
    return List.copyOf(instances.values());
  }

  private JsonServer.Answer unfinished(int page) {
    var query = new LinkedHashMap<String, @Nullable Object>();
    query.put("page", page);
    query.put("pageSize", PAGE);
    query.put("statuses", List.of("Running"));
    query.put("orderBy", "Created");
    query.put("orderDirection", "Ascending");
    return server.ask("POST", INSTANCES, JsonText.print(query));
  }

  @Override
  public Map<String, @Nullable Object> file(ElsaInstance instance) {
    var path =
        INSTANCES
            + "/"
            + encoded(instance.id())
            + "/export?includeBookmarks=true&includeActivityExecutionLog=true"
            + "&includeWorkflowExecutionLog=true";
    var answer = server.ask("GET", path, null);
    if (answer.isMissing()) {
      throw new RefusedException(
          Reason.INSTANCE_AT_WORK, "it has ended or was deleted in Elsa meanwhile");
    }
    return Json.copy(answer.object("Instance " + instance.id()));
  }

  /** Before 3.8 Elsa has no such request. */
  @Override
  public @Nullable String contradiction() {
    var answer = server.ask("GET", "/admin/workflow-runtime/status", null);
    if (answer.isRefused()) {
      return null;
    }
    var status = answer.object("The status of the runtime");
    if (Json.flag(Json.object(status, "state"), "isAcceptingNewWork")) {
      return "Elsa answers that its runtime is not paused";
    }
    int count = Json.number(status, "activeExecutionCycleCount");
    return count == 0 ? null : "Elsa answers that it executes still (" + count + ")";
  }

  @Override
  public void close() {}

  /**
   * The items of all pages by their ids. Elsa counts from the first item for each page, so that one
   * is missed when an earlier one ends meanwhile, or when two of the same time change their order.
   */
  private static Map<String, Map<?, ?>> pages(String what, IntFunction<JsonServer.Answer> pages) {
    var all = new LinkedHashMap<String, Map<?, ?>>();
    var totals = new TreeSet<Integer>();
    int size = PAGE;
    for (int page = 0; size >= PAGE; page++) {
      var answer = pages.apply(page).object(what);
      var items = Json.objects(answer, "items");
      items.forEach(item -> all.putIfAbsent(Json.textOr(item, "id"), item));
      if (Json.get(answer, "totalCount") instanceof Number) {
        totals.add(Json.number(answer, "totalCount"));
      }
      size = items.size();
    }
    if (!totals.isEmpty() && !totals.equals(Set.of(all.size()))) {
      throw new CannotStartException(
          what
              + " changed in Elsa while it was read: "
              + all.size()
              + " were read, and Elsa counts "
              + totals.stream().map(String::valueOf).collect(Collectors.joining(" or "))
              + ". Repeat the command");
    }
    return all;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
