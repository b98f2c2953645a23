package skein.retention;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import skein.execution.OneNode;
import skein.messages.Request;
import skein.metrics.RetentionMetrics;
import skein.model.Alteration;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;
import skein.storage.JournalPartitions;
import skein.storage.PassStore;
import skein.storage.PassStore.Claim;
import skein.storage.RetentionStore;
import skein.storage.TestSql;

/** Passes over instances that real workflows have made. */
@Tag("long")
class RetentionIT {
  private final RetentionMetrics metrics = new RetentionMetrics();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(RetentionPass.class);
  private OneNode node;
  private PassStore passes;

  @BeforeEach
  void start() {
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
    node = new OneNode();
    passes = new PassStore(node.database, PassStore.Kind.RETENTION);
    publish("done", "{'type':'Elsa.WriteLine','id':'w','text':'hello'}");
    publish("kept", "{'type':'Elsa.WriteLine','id':'w','text':'hello'}");
    publish("waits", "{'type':'Elsa.Event','id':'e','eventName':'go'}");
  }

  private void publish(String id, String activity) {
    node.publish(
        ("{'definitionId':'%s','name':'%s','variables':[{'id':'v','name':'Text',"
                + "'typeName':'String','value':'no'}],'root':{'type':'Elsa.Sequence','id':'root',"
                + "'activities':[%s]}}")
            .formatted(id, id, activity)
            .replace('\'', '"'));
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setLevel(null);
    node.close();
  }

  private RetentionDependencies dependencies() {
    return dependencies(4, Duration.ofMillis(1), Duration.ofSeconds(5));
  }

  private RetentionDependencies dependencies(int rowsMax, Duration pause, Duration timeout) {
    var rules = new RetentionRules(Duration.ofDays(30), Map.of(), Map.of("kept", Optional.empty()));
    var slice = new RetentionOptions.Slice(rowsMax, pause, timeout, Duration.ofMillis(100));
    var options =
        new RetentionOptions(
            true, rules, Duration.ofDays(30), Duration.ofDays(30), Duration.ofHours(1), slice);
    return new RetentionDependencies(options, node.cluster, node.database, metrics);
  }

  private void age() {
    TestSql.change(
        node.database,
        "update workflow_instances set created_at = created_at - interval '40 days',"
            + " finished_at = finished_at - interval '31 days'");
  }

  private Claim claim(String nodeId) {
    return Objects.requireNonNull(
        passes.look(nodeId, nodeId, dependencies().options().terms()).await().claim());
  }

  private boolean pass(RetentionDependencies dependencies) {
    return pass(dependencies, () -> true);
  }

  private boolean pass(RetentionDependencies dependencies, BooleanSupplier mayGoOn) {
    passes.request().await();
    return new RetentionPass(dependencies, claim("n1"), mayGoOn).run();
  }

  /**
   * Done once, when a pass has looked at its first instances and not yet deleted any: it asks
   * whether it may continue before it looks, and before each transaction.
   */
  private static BooleanSupplier betweenLookAndDeletion(Runnable harm) {
    var asked = new AtomicInteger();
    return () -> {
      if (asked.incrementAndGet() == 2) {
        harm.run();
      }
      return true;
    };
  }

  private List<String> ids() {
    return TestSql.texts(node.database, "select id from workflow_instances");
  }

  /** Events of the log, each with what it names. */
  private List<String> logged() {
    return List.copyOf(lines.list).stream()
        .map(line ->
            line.getLevel()
                + " "
                + line.getMessage()
                + line.getKeyValuePairs().stream()
                    .filter(pair -> !pair.key.equals("durationMs"))
                    .map(pair -> " " + pair.key + "=" + pair.value)
                    .collect(Collectors.joining()))
        .toList();
  }

  @Test
  void a_pass_deletes_old_instances_that_have_ended_and_counts_what_a_dry_run_counted() {
    for (int i = 0; i < 7; i++) {
      node.awaitStatus(node.start("done"), WorkflowStatus.Completed);
    }
    var kept = node.start("kept");
    node.awaitStatus(kept, WorkflowStatus.Completed);
    var waiting = node.start("waits");
    node.awaitStatus(waiting, WorkflowStatus.Suspended);
    age();
    var young = node.start("done");
    node.awaitStatus(young, WorkflowStatus.Completed);
    var dependencies = dependencies();

    var dry =
        new DryRun(node.database, dependencies.options().rules())
            .part(RetentionStore.BEGINNING, 100)
            .await();
    assertThat(dry.counts()).containsExactly(new DryRun.Count("done", WorkflowStatus.Completed, 7));
    assertThat(ids()).hasSize(10);
    var claim = claim("n1");
    assertThat(new RetentionPass(dependencies, claim, () -> true).run()).isTrue();

    assertThat(TestSql.texts(node.database, "select id from workflow_instances"))
        .containsExactlyInAnyOrder(kept.value(), waiting.value(), young.value());
    assertThat(TestSql.texts(node.database, "select distinct workflow_instance_id from journal"))
        .containsExactlyInAnyOrder(kept.value(), waiting.value(), young.value());
    assertThat(metrics.instances()).containsEntry("Completed", 7L).containsEntry("Faulted", 0L);
    assertThat(metrics.passes().sum()).isOne();
    var result = (Map<?, ?>) Objects.requireNonNull(passes.progress().await().result());
    assertThat(result.get("instances")).isEqualTo(Map.of("Completed", 7L));
    assertThat(logged()).containsExactly("INFO retention.passed instances=7 skipped=0");
  }

  @Test
  void one_that_is_retried_after_it_was_looked_at_stays_and_goes_on() {
    publish(
        "fails",
        "{'type':'Elsa.RunJavaScript','id':'f',"
            + "'script':'if (getText() !== \\\"ok\\\") throw new Error(\\\"not yet\\\")'},"
            + "{'type':'Elsa.Event','id':'e','eventName':'go'}");
    var failed = node.start("fails");
    node.awaitStatus(failed, WorkflowStatus.Faulted);
    node.awaitStatus(node.start("done"), WorkflowStatus.Completed);
    age();
    var retry =
        List.<Alteration>of(
            new Alteration.ModifyVariable("v", "ok"), new Alteration.Retry(List.of()));

    assertThat(
            pass(
                dependencies(100, Duration.ofMillis(1), Duration.ofSeconds(5)),
                betweenLookAndDeletion(() -> node.ingress.alter(failed, retry, "test").await())))
        .isTrue();

    assertThat(ids()).containsExactly(failed.value());
    resume(failed);
    assertThat(node.awaitStatus(failed, WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
    assertThat(metrics.instances()).containsEntry("Faulted", 0L).containsEntry("Completed", 1L);
  }

  private void resume(InstanceId id) {
    var bookmark = node.get(id).bookmarks().getFirst();
    node.ingress.resume(new Request.Resume(id, bookmark.id(), Map.of())).await();
  }

  @Test
  void a_child_stays_while_its_parent_waits_for_others_and_goes_with_it() {
    publish(
        "mother",
        "{'type':'Elsa.BulkDispatchWorkflows','id':'b','workflowDefinitionId':'waits',"
            + "'items':'1..2','waitForCompletion':true}");
    var mother = node.start("mother");
    node.awaitStatus(mother, WorkflowStatus.Suspended);
    while (node.number("select count(*) from bookmarks where name = 'Elsa.Event'") < 2) {
      node.vertx.timer(10).await();
    }
    var children = node.instances.unfinishedChildren(mother, 10).await();
    resume(children.getFirst());
    node.awaitStatus(children.getFirst(), WorkflowStatus.Completed);
    age();

    assertThat(pass(dependencies())).isTrue();
    assertThat(ids()).hasSize(3);

    resume(children.getLast());
    assertThat(node.awaitStatus(mother, WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
    age();
    assertThat(pass(dependencies())).isTrue();
    assertThat(ids()).isEmpty();
  }

  @Test
  void one_that_cannot_be_deleted_in_time_is_skipped_and_the_others_go() {
    for (int i = 0; i < 3; i++) {
      node.awaitStatus(node.start("done"), WorkflowStatus.Completed);
    }
    age();
    var held = ids().get(1);
    var holder = TestSql.connection(node.database);
    holder
        .query(
            "begin; select 1 from journal where workflow_instance_id = '" + held + "' for update")
        .execute()
        .await();

    assertThat(pass(dependencies(100, Duration.ofMillis(1), Duration.ofSeconds(2)))).isTrue();

    assertThat(ids()).containsExactly(held);
    assertThat(metrics.skipped().sum()).isOne();
    assertThat(logged())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("WARN retention.skipped instanceId=" + held + " rows=2"))
        .contains("INFO retention.passed instances=2 skipped=1");
    holder.query("rollback").execute().await();
    holder.close().await();
    assertThat(pass(dependencies())).isTrue();
    assertThat(ids()).isEmpty();
  }

  @Test
  void a_pass_that_another_node_has_taken_over_deletes_nothing_more() {
    for (int i = 0; i < 3; i++) {
      node.awaitStatus(node.start("done"), WorkflowStatus.Completed);
    }
    age();
    var first = claim("n1");
    var others =
        betweenLookAndDeletion(() -> {
          passes.giveUp(first.number()).await();
          assertThat(new RetentionPass(dependencies(), claim("n2"), () -> true).run()).isTrue();
        });

    assertThat(new RetentionPass(dependencies(), first, others).run()).isFalse();

    assertThat(ids()).isEmpty();
    assertThat(metrics.instances()).containsEntry("Completed", 3L);
    assertThat(metrics.passes().sum()).isOne();
    assertThat(passes.progress().await().node()).isEqualTo("n2");
  }

  @Test
  void a_pass_rests_also_where_it_finds_nothing_to_delete() {
    for (int i = 0; i < 4; i++) {
      node.awaitStatus(node.start("waits"), WorkflowStatus.Suspended);
    }
    age();
    long start = System.nanoTime();

    assertThat(pass(dependencies(1, Duration.ofMillis(100), Duration.ofSeconds(5)))).isTrue();

    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(400));
    assertThat(ids()).hasSize(4);
  }

  @Test
  void an_empty_day_of_the_journal_is_dropped_and_told() {
    new JournalPartitions(node.database).prepare(LocalDate.of(2020, 1, 1), 0).await();

    assertThat(pass(dependencies())).isTrue();

    assertThat(metrics.rest()).containsEntry("journal_days", 1L);
    assertThat(logged())
        .containsExactly(
            "INFO journal.partition_dropped day=journal_20200101",
            "INFO retention.passed instances=0 skipped=0");
  }

  @Test
  void a_pass_that_is_broken_off_is_left_to_another_node() {
    node.awaitStatus(node.start("done"), WorkflowStatus.Completed);
    age();
    var dependencies = dependencies();
    var claim = claim("n1");

    assertThat(new RetentionPass(dependencies, claim, () -> false).run()).isFalse();

    assertThat(node.number("select count(*) from workflow_instances")).isOne();
    assertThat(passes.look("n2", "n2", dependencies.options().terms()).await().claim()).isNull();
    passes.giveUp(claim.number()).await();
    assertThat(passes.look("n2", "n2", dependencies.options().terms()).await().claim()).isNotNull();
  }

  @Test
  void the_verticle_makes_a_pass_at_once() {
    node.awaitStatus(node.start("done"), WorkflowStatus.Completed);
    age();

    node.vertx.deployVerticle(new RetentionVerticle(dependencies())).await();

    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (metrics.passes().sum() == 0 && System.nanoTime() < end) {
      node.vertx.timer(20).await();
    }
    assertThat(node.number("select count(*) from workflow_instances")).isZero();
    assertThat(metrics.active()).isTrue();
  }
}
