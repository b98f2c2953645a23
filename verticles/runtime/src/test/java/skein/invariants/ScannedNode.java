package skein.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import skein.execution.OneNode;
import skein.metrics.ScannerMetrics;
import skein.model.InstanceId;
import skein.model.Recurrence;
import skein.model.Schedule;
import skein.model.Timetable;
import skein.model.Timetable.Misfire;
import skein.model.Timetable.Overlap;
import skein.model.Timetable.Policies;
import skein.model.WorkflowStatus;
import skein.storage.PassStore;
import skein.storage.PassStore.Claim;
import skein.storage.PassStore.Terms;
import skein.storage.TenantScope;
import skein.storage.TestSql;
import skein.storage.ViolationStore;
import skein.storage.ViolationStore.Query;
import skein.storage.ViolationStore.State;
import skein.storage.ViolationStore.Violation;

/** A node with definitions that wait, the means to harm its tables, and passes to find it. */
final class ScannedNode implements AutoCloseable {
  final ScannerMetrics metrics = new ScannerMetrics();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Pass.class);
  final OneNode node = new OneNode();
  final ViolationStore violations = new ViolationStore(node.database);
  final PassStore scanner = new PassStore(node.database, PassStore.Kind.SCANNER);

  ScannedNode() {
    metrics.active(true);
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
    publish("waits", "{'type':'Elsa.Event','id':'e','eventName':'go'}");
    publish("sleeps", "{'type':'Elsa.Delay','id':'d','timeSpan':'01:00:00'}");
    publish("naps", "{'type':'Elsa.Delay','id':'d','timeSpan':'00:00:00.3'}");
    publish(
        "mother",
        "{'type':'Elsa.BulkDispatchWorkflows','id':'b','workflowDefinitionId':'naps',"
            + "'items':'1..20','waitForCompletion':true}");
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
    logger.setLevel(null);
    node.close();
  }

  void publish(String id, String activities) {
    node.publish(
        ("{'definitionId':'"
                + id
                + "','name':'"
                + id
                + "','root':{'type':'Elsa.Sequence',"
                + "'id':'root','activities':["
                + activities
                + "]}}")
            .replace('\'', '"'));
  }

  /** What the last pass counted on its way. */
  Map<String, Object> counted(String what) {
    var counted = new TreeMap<String, Object>();
    if (scanner.progress().await().result() instanceof Map<?, ?> result
        && result.get(what) instanceof Map<?, ?> counts) {
      counts.forEach((name, n) -> counted.put(String.valueOf(name), n));
    }
    return counted;
  }

  void pass(boolean repair) {
    pass(repair, Duration.ZERO, 3);
  }

  void pass(boolean repair, Duration grace, int pageSize) {
    var options = options(Duration.ZERO, repair, grace, pageSize);
    var claim = claim("n1", options.terms());
    assertThat(claim).isNotNull();
    assertThat(new Pass(dependencies(options), claim, () -> true).run()).isTrue();
  }

  @Nullable Claim claim(String nodeId, Terms terms) {
    return scanner.look(nodeId, nodeId, terms).await().claim();
  }

  static ScannerOptions options(Duration interval, boolean repair, Duration grace, int pageSize) {
    return new ScannerOptions(
        new Terms(interval, Duration.ofHours(1), Duration.ofMillis(50)),
        new ScannerOptions.Pace(pageSize, Duration.ofMillis(1)),
        Duration.ofMillis(50),
        grace,
        Duration.ofSeconds(5),
        repair,
        Duration.ofDays(1));
  }

  ScannerDependencies dependencies(ScannerOptions options) {
    return new ScannerDependencies(
        options,
        node.cluster,
        node.database,
        node.instances,
        node.scheduleStore,
        InstantSource.system(),
        metrics);
  }

  List<Violation> list(State state) {
    return violations.list(new Query(state, null, 0, 1_000)).await().items();
  }

  InstanceId waiting(String definitionId) {
    var id = node.start(definitionId);
    assertThat(node.awaitStatus(id, WorkflowStatus.Suspended).status())
        .isEqualTo(WorkflowStatus.Suspended);
    return id;
  }

  int harm(String sql, Object... parameters) {
    return TestSql.change(node.database, sql, parameters);
  }

  List<String> events() {
    return lines.list.stream().map(ILoggingEvent::getMessage).toList();
  }

  void assertFound(Invariant invariant, String subject, boolean repaired) {
    var found = list(State.All);
    assertThat(found)
        .singleElement()
        .satisfies(violation -> {
          assertThat(violation.invariant()).isEqualTo(invariant.wireName());
          assertThat(violation.subjectId()).isEqualTo(subject);
          assertThat(violation.repairedAt() != null).isEqualTo(repaired);
          assertThat(violation.endedAt() != null).isEqualTo(repaired);
        });
    assertThat(metrics.found()).containsEntry(invariant.wireName(), 1L);
    assertThat(events()).containsOnlyOnce("invariant.violated");
    if (repaired) {
      assertThat(metrics.repaired()).containsEntry(invariant.wireName(), 1L);
      assertThat(metrics.open().values()).allMatch(count -> count == 0);
      assertThat(events()).containsOnlyOnce("invariant.repaired");
    } else {
      assertThat(metrics.open()).containsEntry(invariant.wireName(), 1L);
    }
  }

  Schedule schedule(String id, String definitionId, Overlap overlap) {
    var timetable =
        new Timetable(
            new Recurrence.Cron("0 0 * * * ?"),
            ZoneId.of("UTC"),
            null,
            null,
            Duration.ZERO,
            new Policies(Misfire.FireOnce, 100, overlap));
    var target = new Schedule.Target(definitionId, null, null, Map.of(), null);
    return node.schedules.create(id, timetable, target, false, null, TenantScope.ALL).await();
  }

  void awaitUntil(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      node.vertx.timer(50).await();
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
