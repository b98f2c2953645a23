package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.cluster.BatchesSeen;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.definitions.Definitions.Published;
import skein.graph.Reference;
import skein.graph.References;
import skein.messages.Command;
import skein.messages.Request;
import skein.model.Finding;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowStatus;
import skein.storage.DefinitionStore.Which;
import skein.storage.InstanceQuery;
import skein.storage.InstanceStore.Summary;
import skein.storage.TenantScope;

/** Workflows that use and start one another, with everything that a node has. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompositionIT {
  private static final int CHILDREN = 1_000;
  private OneNode node;

  @BeforeAll
  void start() {
    node = new OneNode();
  }

  @AfterAll
  void stop() {
    node.close();
  }

  private Published publish(String json) {
    return node.definitions
        .saveAndPublish(JsonText.parseObject(json.replace('\'', '"'), JsonLimits.DEFAULT), null)
        .await();
  }

  private static String workflow(String id, String options, String activities) {
    return ("{'definitionId':'%s','name':'%s','options':{%s},'root':"
            + "{'type':'Elsa.Sequence','id':'s','activities':[%s]}}")
        .formatted(id, id, options, activities);
  }

  private static String usable(String id, String activities) {
    return workflow(id, "'usableAsActivity':true", activities);
  }

  private static String followed(String id, String activities) {
    return workflow(id, "'usableAsActivity':true,'autoUpdateConsumingWorkflows':true", activities);
  }

  private static String line(String id, String text) {
    return "{'type':'Elsa.WriteLine','id':'%s','text':'%s'}".formatted(id, text);
  }

  private static String event(String id) {
    return "{'type':'Elsa.Event','id':'%s','eventName':'go'}".formatted(id);
  }

  private static String use(String type, String members) {
    return "{'type':'%s','id':'use-%s'%s}".formatted(type, type, members);
  }

  private List<String> lines(InstanceId id) {
    var lines = new ArrayList<String>();
    for (var entry : node.instances.journal(id).await()) {
      if (entry.activityType().equals("Elsa.WriteLine") && entry.event().equals("Started")) {
        var state = (Map<?, ?>) entry.data().get("state");
        lines.add(String.valueOf(state == null ? null : state.get("Text")));
      }
    }
    return lines;
  }

  private List<Summary> instancesOf(String definitionId) {
    var query =
        new InstanceQuery(
            new InstanceQuery.Named(List.of(definitionId), List.of(), null, null, null, null),
            List.of(),
            null,
            null,
            List.of(),
            new InstanceQuery.Window(InstanceQuery.Order.Created, false, 0, 1_000));
    var page = node.instances.list(query, TenantScope.ALL).await();
    assertThat(page.total()).isEqualTo(page.items().size());
    return page.items();
  }

  @Test
  void of_a_thousand_children_each_is_counted_once_though_told_of_twice() {
    publish(workflow("Bulk-kid", "", line("k", "kid")));
    publish(
        workflow(
            "Bulk",
            "",
            "{'type':'Elsa.BulkDispatchWorkflows','id':'b','workflowDefinitionId':'Bulk-kid',"
                + "'items':'1..%d','childCompleted':%s},%s"
                    .formatted(CHILDREN, line("one", "one"), line("end", "all"))));
    Set<String> told = ConcurrentHashMap.newKeySet();
    for (int lane = 0; lane < 2; lane++) {
      node.router.stopServing(lane); // what goes over the bus can be seen here
    }
    node.vertx
        .eventBus()
        .addOutboundInterceptor(context -> {
          for (var command : BatchesSeen.commands(context)) {
            if (command instanceof Command.Fire(var timer)
                && timer.kind() == Timer.Kind.ChildDone
                && told.add(timer.id())) {
              node.router.nudge(new Command.Fire(timer));
            }
          }
          context.next();
        });

    var parent =
        node.ingress
            .start(new Request.Start("Bulk", Map.of(), null, null, null, null, true))
            .await()
            .instanceId();
    var end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!node.get(parent).status().finished() && System.nanoTime() < end) {
      node.vertx.timer(100).await();
    }

    assertThat(node.get(parent).status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(told).hasSize(CHILDREN);
    var lines = lines(parent);
    assertThat(lines.stream().filter("one"::equals)).hasSize(CHILDREN);
    assertThat(lines).hasSize(CHILDREN + 1).endsWith("all");
    assertThat(instancesOf("Bulk-kid"))
        .hasSize(CHILDREN)
        .allMatch(kid -> kid.status() == WorkflowStatus.Completed);
  }

  @Test
  void a_used_workflow_that_is_not_pinned_is_the_newest_and_one_that_is_pinned_stays() {
    var first = publish(usable("Floating", line("a", "first")));
    publish(workflow("By-name", "", use("Floating", ",'version':7")));
    publish(
        workflow(
            "By-version",
            "",
            use(
                "Floating",
                ",'workflowDefinitionVersionId':'%s'"
                    .formatted(first.definition().ref().versionId()))));
    assertThat(lines(node.start("By-name"))).containsExactly("first");

    publish(usable("Floating", line("a", "second")));

    assertThat(lines(node.start("By-name"))).containsExactly("second");
    assertThat(lines(node.start("By-version"))).containsExactly("first");
  }

  @Test
  void a_workflow_that_comes_after_its_user_is_found_and_the_user_is_warned() {
    var user = publish(workflow("Early", "", use("Late", "")));
    assertThat(user.findings()).singleElement().asString().contains("Late", "Workflow1:s:use-Late");
    assertThat(node.get(node.start("Early")).status()).isEqualTo(WorkflowStatus.Faulted);

    publish(usable("Late", line("a", "here")));

    assertThat(lines(node.start("Early"))).containsExactly("here");
  }

  @Test
  void a_start_of_what_is_not_published_is_warned_of_and_faults() {
    var done =
        publish(
            workflow(
                "Hopeful",
                "",
                "{'type':'Elsa.ExecuteWorkflow','id':'x','workflowDefinitionId':'nowhere',"
                    + "'waitForCompletion':true}"));

    assertThat(done.findings())
        .extracting(Finding::message)
        .containsExactly(
            "Elsa.ExecuteWorkflow (Workflow1:s:x): the workflow definition nowhere is not"
                + " published; starting it will fail");
    var ended = node.awaitStatus(node.start("Hopeful"), WorkflowStatus.Faulted);
    assertThat(ended.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(ended.incidents()).hasSize(1);
  }

  @Test
  void an_instance_goes_on_inside_what_it_uses_when_that_is_published_anew() {
    var first = publish(usable("Waiting", event("e") + "," + line("a", "old")));
    publish(
        workflow(
            "Outer",
            "",
            use(
                "Waiting",
                ",'workflowDefinitionVersionId':'%s'"
                    .formatted(first.definition().ref().versionId()))));
    var id = node.start("Outer");
    publish(usable("Waiting", event("other") + "," + line("b", "new")));

    node.ingress.resume(new Request.Resume(id, null, Map.of())).await();

    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(lines(id)).containsExactly("old");
  }

  @Test
  void publishing_takes_those_along_who_use_it() {
    publish(followed("Leaf", line("a", "one")));
    publish(followed("Branch", use("Leaf", "")));
    publish(workflow("Tree", "", use("Branch", "")));
    var draft = workflow("Sapling", "", use("Leaf", ""));
    node.definitions
        .save(JsonText.parseObject(draft.replace('\'', '"'), JsonLimits.DEFAULT), null)
        .await();

    var done = publish(followed("Leaf", line("a", "two")));

    assertThat(done.consumers()).containsExactlyInAnyOrder("Branch", "Tree", "Sapling");
    assertThat(lines(node.start("Tree"))).containsExactly("two");
    assertThat(pins(latest("Branch"))).containsExactly(done.definition().ref().versionId());
    assertThat(pins(latest("Sapling"))).containsExactly(done.definition().ref().versionId());
    assertThat(latest("Sapling").published()).isFalse();
    assertThat(node.definitions.updateReferences("Leaf").await()).isEmpty();
  }

  @Test
  void publishing_at_many_places_at_once_ends_with_the_version_that_is_published() {
    publish(followed("Busy", line("a", "0")));
    publish(workflow("Follower", "", use("Busy", "")));

    var all =
        IntStream.rangeClosed(1, 6)
            .mapToObj(n ->
                node.definitions
                    .saveAndPublish(
                        JsonText.parseObject(
                            followed("Busy", line("a", "" + n)).replace('\'', '"'),
                            JsonLimits.DEFAULT),
                        null)
                    .otherwiseEmpty())
            .toList();
    Future.join(List.copyOf(all)).await();
    node.definitions.publish("Busy").await();

    var published = node.definitionStore.find("Busy", Which.PUBLISHED).await();
    assertThat(published).isNotNull();
    assertThat(pins(latest("Follower"))).containsExactly(published.ref().versionId());
    assertThat(latest("Follower").published()).isTrue();
  }

  private @Nullable WorkflowDefinition found(String definitionId) {
    return node.definitionStore.find(definitionId, Which.LATEST).await();
  }

  private WorkflowDefinition latest(String definitionId) {
    var found = found(definitionId);
    if (found == null) {
      throw new AssertionError("There is no " + definitionId);
    }
    return found;
  }

  private static List<@Nullable String> pins(WorkflowDefinition definition) {
    return References.in(definition, Activities.builtIn()).stream()
        .<@Nullable String>map(Reference::versionId)
        .toList();
  }

  @Test
  void consumers_are_found_through_others() {
    publish(usable("Low", line("a", "x")));
    publish(usable("Middle", use("Low", "")));
    publish(workflow("High", "", use("Middle", "")));

    assertThat(node.definitions.consumers("Low").await()).containsExactly("Middle", "High");
    assertThat(node.definitions.consumers("High").await()).isEmpty();
    assertThatThrownBy(() -> node.definitions.consumers("none-such").await())
        .isInstanceOf(SkeinException.class)
        .hasMessageContaining("none-such");
    assertThat(node.definitions.documents().usableAsActivities(TenantScope.ALL).await())
        .extracting(ActivityDescriptor::typeName)
        .contains("Low", "Middle")
        .doesNotContain("High");
  }

  @Test
  void a_workflow_that_would_contain_itself_is_not_published() {
    publish(usable("Ring", line("a", "x")));
    publish(usable("Rung", use("Ring", "")));

    assertThatThrownBy(() -> publish(usable("Ring", use("Rung", ""))))
        .isInstanceOf(SkeinException.class)
        .satisfies(e ->
            assertThat(((SkeinException) e).errors())
                .singleElement()
                .asString()
                .contains("cannot contain itself: Ring uses Rung uses Ring"));
  }
}
