package skein.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.definitions.EndpointTable.Waiting;
import skein.model.DefinitionRef;
import skein.storage.DefinitionStore.Endpoint;

class EndpointTableTest {
  @Test
  void the_most_exact_template_is_meant() {
    var table =
        new EndpointTable(List.of(start("byId", "orders/{id}"), start("new", "orders/new")));

    assertThat(table.match("GET", "orders/new"))
        .extracting(m -> m.definition().definitionId())
        .containsExactly("new");
    assertThat(table.match("get", "Orders/17").getFirst().route()).isEqualTo(Map.of("id", "17"));
    assertThat(table.match("POST", "orders/new")).isEmpty();
    assertThat(table.match("GET", "orders")).isEmpty();
  }

  @Test
  void two_templates_that_differ_in_names_alone_are_ambiguous() {
    var table = new EndpointTable(List.of(start("a", "users/{id}"), start("b", "users/{name}")));

    assertThat(table.match("GET", "users/x")).hasSize(2);
  }

  @Test
  void whoever_waits_may_wait_at_the_path_itself_or_at_a_template() {
    var table = new EndpointTable(List.of(route("orders/{id}/approve"), start("s", "orders/{id}")));

    assertThat(table.waiting("/Orders/17/Approve"))
        .containsExactly(
            new Waiting("orders/17/approve", Map.of()),
            new Waiting("orders/{id}/approve", Map.of("id", "17")));
    assertThat(table.match("GET", "orders/17/approve")).isEmpty();
  }

  @Test
  void the_methods_of_a_path_are_listed() {
    var table = new EndpointTable(List.of(start("a", "a/{x}"), route("a/{x}")));

    assertThat(table.methods("a/1")).containsExactly("GET");
    assertThat(table.methods("b")).isEmpty();
  }

  private static Endpoint start(String definitionId, String path) {
    return endpoint(definitionId, Map.of("path", path, "method", "get"));
  }

  private static Endpoint route(String path) {
    return endpoint("w", Map.of("path", path));
  }

  private static Endpoint endpoint(String definitionId, Map<String, ?> payload) {
    return new Endpoint("t", new DefinitionRef(definitionId, "v", 1), "A", payload);
  }
}
