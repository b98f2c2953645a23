package skein.node.elsa;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.node.elsa.ElsaDocuments.order;
import static skein.node.elsa.ElsaDocuments.there;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonText;
import skein.node.elsa.JsonServer.Answer;

/** A definition of which Elsa has published nothing: a version for instances, and a draft. */
class DefinitionTransferTest {
  private static final String DRAFT = "\"isLatest\": true, \"isPublished\": false";
  private static final String OLD = "\"isLatest\": false, \"isPublished\": false";
  private static final String PUBLISHED = "\"isLatest\": false, \"isPublished\": true";
  private static final String RETRACTS = "/workflow-definitions/order/retract";

  private final ElsaDefinition old = order(1, OLD, "one");
  private final ElsaDefinition draft = order(2, DRAFT, "two");
  private final List<String> changes = new ArrayList<>();
  private Answer retracted = new Answer(200, "{}");

  private List<Item> run(boolean dryRun, ClusterVersion... there) {
    var documents = List.of(there).stream().map(ClusterVersion::document).toList();
    JsonServer server =
        (method, path, _) -> {
          if (method.equals("GET")) {
            return new Answer(200, JsonText.print(documents));
          }
          if (path.endsWith("/validate")) {
            return new Answer(200, "{\"findings\": []}");
          }
          changes.add(path);
          return path.equals(RETRACTS)
              ? retracted
              : new Answer(200, "{\"workflowDefinition\": {\"id\": \"c9\", \"version\": 9}}");
        };
    var items = new ArrayList<Item>();
    new DefinitionTransfer(
            new Cluster(server), new Situation(null, true, false), dryRun, items::add)
        .run(List.of(old, draft));
    return items;
  }

  @Test
  void what_was_published_for_a_moment_is_retracted() {
    assertThat(run(false)).extracting(Item::action).containsOnly(Item.Action.TAKEN);
    assertThat(changes).containsExactly("/workflow-definitions", "/workflow-definitions", RETRACTS);
  }

  @Test
  void what_an_import_that_ended_early_has_left_published_is_retracted() {
    var left = new ClusterVersion[] {there(draft, 2, DRAFT), there(old, 1, PUBLISHED)};

    assertThat(run(true, left)).extracting(Item::action).containsOnly(Item.Action.SAME);
    assertThat(changes).isEmpty();
    assertThat(run(false, left)).extracting(Item::action).containsOnly(Item.Action.SAME);
    assertThat(changes).containsExactly(RETRACTS);
  }

  @Test
  void what_is_not_published_any_more_is_not_touched() {
    run(false, there(draft, 2, DRAFT), there(old, 1, OLD));

    assertThat(changes).isEmpty();
  }

  @Test
  void that_the_cluster_does_not_retract_it_is_told_and_the_import_goes_on() {
    retracted = new Answer(409, "{\"code\": \"DEFINITION_CONFLICT\", \"detail\": \"again\"}");

    var items = run(false);

    assertThat(items)
        .extracting(Item::action)
        .containsExactly(Item.Action.TAKEN, Item.Action.TAKEN, Item.Action.LEFT);
    assertThat(items.getLast().version()).isEqualTo(1);
    assertThat(items.getLast().reason()).isEqualTo(Reason.REFUSED);
    assertThat(items.getLast().detail())
        .isEqualTo(
            "it stays published in the cluster, other than in Elsa: DEFINITION_CONFLICT: again");
  }

  @Test
  void what_somebody_else_has_retracted_is_as_it_should_be() {
    retracted = new Answer(409, "{\"code\": \"DEFINITION_NOT_PUBLISHED\"}");

    assertThat(run(false)).extracting(Item::action).containsOnly(Item.Action.TAKEN);
  }
}
