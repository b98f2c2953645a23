package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore.Listed;
import skein.storage.DefinitionStore.OrderBy;
import skein.storage.DefinitionStore.Query;
import skein.storage.DefinitionStore.Window;

/** What lists read of definitions, each of which may be megabytes. */
class DefinitionStoreIT {
  private static final String ROOT = "x".repeat(10_000);

  private final Database database = TestDatabase.migrated();

  @Test
  void a_list_reads_what_it_shows() {
    for (int i = 3; i > 0; i--) {
      save("d" + i, Map.of("root", ROOT, "isReadonly", true, "providerName", ROOT));
    }
    var window = new Window(OrderBy.Name, true, 1, 2);
    var query = new Query(Listed.Latest, null, List.of(), List.of(), window);

    var page =
        new DefinitionStore(database, new ReadLimit(1_000)).list(query, TenantScope.ALL).await();

    assertThat(page.total()).isEqualTo(3);
    assertThat(page.items()).extracting(WorkflowDefinition::name).containsExactly("d2", "d1");
    assertThat(page.items())
        .allSatisfy(item ->
            assertThat(item.json())
                .containsEntry("isReadonly", true)
                .containsEntry("providerName", null)
                .doesNotContainKey("root"));
  }

  @Test
  void what_is_usable_is_read_without_activities_and_within_a_limit() {
    for (int i = 1; i <= 3; i++) {
      save("d" + i, Map.of("root", ROOT, "outcomes", List.of("x".repeat(500))));
    }

    var found =
        new DefinitionStore(database, new ReadLimit(1_500)).usable(10, TenantScope.ALL).await();

    assertThat(found).extracting(WorkflowDefinition::name).containsExactly("d1", "d2");
    assertThat(found)
        .allSatisfy(
            item -> assertThat(item.json()).containsKey("outcomes").doesNotContainKey("root"));
  }

  @Test
  void versions_are_named_in_the_order_that_is_asked_for() {
    var refs = new ArrayList<DefinitionRef>();
    for (int i = 1; i <= 3; i++) {
      refs.add(save("d" + i, Map.of("root", ROOT)));
    }
    var store = new DefinitionStore(database);

    assertThat(store.refs(List.of("d3:1", "none", "d1:1"), TenantScope.ALL).await())
        .containsExactly(refs.get(2), refs.get(0));
    assertThat(store.latest(List.of("d2", "d1")).await()).containsExactly(refs.get(1), refs.get(0));
    assertThat(store.versions("d2").await()).containsExactly(refs.get(1));
  }

  private DefinitionRef save(String id, Map<String, Object> json) {
    var ref = new DefinitionRef(id, id + ":1", 1);
    var draft = new WorkflowDefinition(ref, id, null, true, false, Instant.EPOCH, Map.copyOf(json));
    new PublicationStore(database)
        .saveDraft(draft, new PublicationStore.Names(id, List.of()), true)
        .await();
    return ref;
  }
}
