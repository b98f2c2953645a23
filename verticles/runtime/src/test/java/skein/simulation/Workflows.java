package skein.simulation;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import skein.activities.Activities;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.definitions.Graphs;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** The definitions of the simulated cluster: all are published from the beginning. */
final class Workflows implements Graphs {
  private static final Map<String, Graph> GRAPHS = new LinkedHashMap<>();

  /** Those that a caller starts. */
  static final List<String> NAMES;

  /** Starts the second of two others when every node has counted the first. */
  static final String WAVES = "waves";

  /** Waits several times, for one thing at a time. */
  static final String ROW = "row";

  /** The tenant of {@link #OF_TENANT}; all others are of the default tenant. */
  private static final String TENANT = "acme";

  private static final String TENANT_CHILD = "acme-leaf";

  /** Starts others and does not wait for them: their starts may have to wait for its end. */
  private static final String TENANT_STARTS = "acme-starts";

  /** Waits for one event after another. */
  static final String TENANT_ROW = "acme-row";

  /** Those of a tenant that a caller starts. */
  static final List<String> OF_TENANT = List.of(TENANT_STARTS, TENANT_ROW, TENANT_STARTS);

  /** Waits for the clock in two places. */
  static final String TIMED = "delays";

  private static final Set<String> OF_EVENTS = Set.of("fork2", "fork4", "forks", ROW, "any");

  /** Waits for several children, each of which may fault, go on and end again. */
  static final String BULK = "bulk";

  /** The same, in several attempts of which each has little time. */
  static final String BULK_AGAIN = "bulk-again";

  /** The children that {@link #BULK} and each attempt of {@link #BULK_AGAIN} start. */
  static final int ITEMS = 3;

  /** Faults after an event, and waits for another one if it goes on. */
  static final String FRAGILE = "fragile";

  /** Faults after an event while it waits for others and has a job. */
  static final String FAULTS = "faults";

  /** The activity of {@link #FRAGILE} and {@link #FAULTS} that faults. */
  static final String FAULT = "fault";

  private static final String CHILD = "leaf";
  private static final Set<String> OWN =
      Set.of("UserTask", "Job", "GenerateBookmarkTriggerUrl", WaitsTwice.NAME);

  private static final Activities ACTIVITIES = Activities.builtIn().with(List.of(new WaitsTwice()));

  static {
    add("fork2", fork("WaitAll", event("a"), event("b")));
    add("fork4", fork("WaitAll", event("a"), event("b"), event("c"), event("d")));
    add(
        "forks",
        sequence(
            fork("WaitAll", event("a"), event("b"), event("c")),
            fork("WaitAll", event("d"), event("e"))));
    add(ROW, sequence(event("a"), event("b"), event("c"), event("d")));
    add("any", sequence(fork("WaitAny", event("a"), event("b"), event("c")), event("d")));
    add(TIMED, fork("WaitAll", delay("x", 40), event("a"), sequence(delay("y", 15), event("b"))));
    add("tasks", fork("WaitAll", userTask("t"), runTask("r"), userTask("s")));
    add("children", fork("WaitAll", child("p"), event("b"), child("q")));
    add(
        "publishing",
        sequence(event("a"), publish("o", "c"), fork("WaitAll", event("b"), userTask("t"))));
    add("working", fork("WaitAll", work("w"), event("a"), sequence(work("v"), event("b"))));
    add(
        "mixed",
        fork(
            "WaitAll",
            sequence(event("a"), event("b")),
            userTask("t"),
            sequence(delay("x", 25), work("w")),
            child("p")));
    add("repeating", fork("WaitAll", activity(WaitsTwice.NAME, "w"), event("b")));
    add("jobs", fork("WaitAll", job("i"), event("a"), sequence(job("j"), event("b"))));
    add("linking", fork("WaitAll", link("l"), sequence(event("a"), link("k")), event("b")));
    var names = new ArrayList<>(GRAPHS.keySet());
    names.add("working"); // Where owners change while work is under way.
    names.add(TIMED); // Where timers are put off while the database is away.
    NAMES = List.copyOf(names);
    add(WAVES, fork("WaitAll", child("p"), sequence(delay("x", 500), child("q"))));
    add(BULK, sequence(bulk(""), event("c")));
    add(
        BULK_AGAIN,
        sequence(
            bulk(
                ",'customProperties':{'timeout':'00:00:01.400',"
                    + "'retry':{'attempts':3,'delay':'00:00:00.050'}}"),
            event("c")));
    add(CHILD, sequence(event("a")));
    add(FRAGILE, sequence(event("a"), activity("Fault", FAULT), event("b")));
    add(
        FAULTS,
        fork(
            "WaitAll",
            sequence(event("a"), activity("Fault", FAULT), event("b")),
            event("c"),
            event("d"),
            job("i")));
    addOf(
        TENANT,
        TENANT_STARTS,
        fork("WaitAll", dispatch("p"), sequence(delay("x", 500), dispatch("q")), event("b")));
    addOf(TENANT, TENANT_ROW, sequence(event("a"), event("b")));
    addOf(TENANT, TENANT_CHILD, sequence(event("a")));
  }

  private static String bulk(String members) {
    return activity(
        "BulkDispatchWorkflows",
        "k",
        literal("workflowDefinitionId", "String", "'" + FRAGILE + "'"),
        literal("items", "Object", "'1.." + ITEMS + "'") + members);
  }

  private static void add(String id, String root) {
    addOf(DefinitionRef.DEFAULT_TENANT, id, root);
  }

  private static void addOf(String tenant, String id, String root) {
    var json =
        "{'definitionId':'%s','name':'%s','variables':[{'id':'v','name':'v','typeName':'Object'}],'root':%s}"
            .formatted(id, id, root)
            .replace('\'', '"');
    var document = JsonText.parseObject(json, JsonLimits.STORED);
    var definition = DefinitionCodec.read(document, Instant.EPOCH, id, id + "-v1").of(tenant);
    var graph = GraphCompiler.compile(definition, ACTIVITIES);
    if (!graph.problems().isEmpty()) {
      throw new IllegalStateException(id + ": " + graph.problems());
    }
    GRAPHS.put(id, graph);
  }

  private static int count;

  static boolean hasTasks(String name) {
    return name.equals("tasks") || name.equals("mixed") || name.equals("publishing");
  }

  static boolean startsOthers(String name) {
    return name.equals("children")
        || name.equals("mixed")
        || name.equals(WAVES)
        || name.equals(TENANT_STARTS)
        || awaitsFragile(name);
  }

  static boolean waitsForEventsAlone(String name) {
    return OF_EVENTS.contains(name);
  }

  /** Whose it is. */
  static String tenantOf(String name) {
    return GRAPHS.get(name).ref().tenant();
  }

  /** Whether its children may fault. */
  static boolean awaitsFragile(String name) {
    return name.equals(BULK) || name.equals(BULK_AGAIN);
  }

  private static String activity(String type, String id, String... members) {
    var all =
        Stream.concat(
            Stream.of(
                "'type':'" + (OWN.contains(type) ? "Skein." : "Elsa.") + type + "'",
                "'id':'" + id + "'"),
            Stream.of(members));
    return "{" + String.join(",", all.toList()) + "}";
  }

  private static String literal(String name, String type, String value) {
    return "'%s':{'typeName':'%s','expression':{'type':'Literal','value':%s}}"
        .formatted(name, type, value);
  }

  private static String sequence(String... activities) {
    return activity(
        "Sequence", "s" + ++count, "'activities':[" + String.join(",", activities) + "]");
  }

  private static String fork(String mode, String... branches) {
    return activity(
        "Fork",
        "f" + ++count,
        "'joinMode':'" + mode + "'",
        "'branches':[" + String.join(",", branches) + "]");
  }

  private static String event(String name) {
    return activity(
        "Event", name + "-" + ++count, literal("eventName", "String", "'" + name + "'"));
  }

  private static String delay(String id, int millis) {
    return activity(
        "Delay", id, literal("timeSpan", "TimeSpan", "'00:00:00.%03d'".formatted(millis)));
  }

  private static String userTask(String id) {
    return activity("UserTask", id, literal("title", "String", "'" + id + "'"));
  }

  private static String runTask(String id) {
    return activity("RunTask", id, literal("taskName", "String", "'" + id + "'"));
  }

  private static String child(String id) {
    return activity(
        "DispatchWorkflow",
        id,
        literal("workflowDefinitionId", "String", "'" + CHILD + "'"),
        literal("waitForCompletion", "Boolean", "true"));
  }

  private static String dispatch(String id) {
    return activity(
        "DispatchWorkflow",
        id,
        literal("workflowDefinitionId", "String", "'" + TENANT_CHILD + "'"));
  }

  private static String publish(String id, String event) {
    return activity("PublishEvent", id, literal("eventName", "String", "'" + event + "'"));
  }

  private static String work(String id) {
    return activity("SendHttpRequest", id, literal("url", "Uri", "'http://localhost/'"));
  }

  private static String job(String id) {
    return activity(
        "Job",
        id,
        literal("jobType", "String", "'job'"),
        "'customProperties':{'retry':{'attempts':1000,'delay':'00:00:00.010'}}");
  }

  static boolean hasJobs(String name) {
    return name.equals("jobs") || name.equals(FAULTS);
  }

  /** Whether its activities set the variable that callers set, too. */
  static boolean setsVariables(String name) {
    return name.equals("linking");
  }

  /** Makes a link, which its body sends. */
  private static String link(String id) {
    return activity(
        "GenerateBookmarkTriggerUrl",
        id,
        "'url':{'typeName':'String','memoryReference':{'id':'v'}}",
        "'body':"
            + activity(
                "SendHttpRequest",
                id + "-sent",
                "'url':{'typeName':'Uri','expression':{'type':'Variable','value':{'id':'v'}}}"));
  }

  @Override
  public Future<Graph> published(String definitionId) {
    var graph = GRAPHS.get(definitionId);
    return graph == null
        ? Future.failedFuture(new SkeinException(ErrorCode.DEFINITION_NOT_FOUND, definitionId))
        : Future.succeededFuture(graph);
  }

  @Override
  public Future<Graph> version(String versionId) {
    return Future.succeededFuture(GRAPHS.get(versionId.replace("-v1", "")));
  }

  @Override
  public Future<Graph> version(String definitionId, int number) {
    return version(definitionId);
  }

  @Override
  public void invalidate(List<String> definitionIds) {
    // They do not change.
  }
}
