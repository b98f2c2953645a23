package skein.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.ElsaClientWorld.json;

import java.io.IOException;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That {@link ElsaClient} is as strict as the library it stands for. */
class ElsaClientTest {
  private ElsaClientTable table;
  private ElsaClientJson types;

  @BeforeEach
  void read() throws IOException {
    table = ElsaClientTable.read();
    types = new ElsaClientJson(table);
  }

  @Test
  void a_query_has_the_names_and_forms_of_net() {
    var query =
        Map.<String, @Nullable Object>of(
            "Page",
            0L,
            "DefinitionIds",
            List.of("a", "b c"),
            "label",
            List.of("x", "y"),
            "IsSystem",
            false,
            "OrderBy",
            "Name");

    assertThat(target("IWorkflowDefinitionsApi.ListAsync", Map.of("query", query)))
        .isEqualTo(
            "/workflow-definitions?versionOptions=&Page=0&DefinitionIds=a&DefinitionIds=b%20c"
                + "&label=x%2Cy&IsSystem=False&OrderBy=Name");
    assertThat(
            target(
                "IWorkflowDefinitionsApi.GetIsNameUniqueAsync",
                Map.of("name", "a/b & c", "definitionId", "ü")))
        .isEqualTo(
            "/workflow-definitions/validation/is-name-unique?name=a%2Fb%20%26%20c"
                + "&definitionId=%C3%BC");
    assertThat(target("IWorkflowInstancesApi.GetJournalAsync", Map.of("workflowInstanceId", "i/1")))
        .isEqualTo("/workflow-instances/i%2F1/journal");
  }

  private String target(String key, Map<String, @Nullable Object> values) {
    var client = new ElsaClient(table, URI.create("http://skein.test"), "ApiKey none");
    return client.target(requireNonNull(table.methods.get(key)), values);
  }

  @Test
  void a_body_has_all_members_of_its_type() {
    var filter = Map.of("timestampFilters", List.of(Map.of("column", "CreatedAt")));

    assertThat(types.written("AlterationPlanParams", Map.of("filter", filter)))
        .containsEntry("id", null)
        .containsEntry("alterations", List.of())
        .extractingByKey("filter")
        .isEqualTo(
            json(
                "{'emptyFilterSelectsAll':false,'workflowInstanceIds':null,'correlationIds':null,"
                    + "'names':null,'searchTerm':null,'timestampFilters':[{'column':'CreatedAt',"
                    + "'operator':'Is','timestamp':'0001-01-01T00:00:00+00:00'}],"
                    + "'definitionIds':null,'definitionVersionIds':null,'hasIncidents':null,"
                    + "'isSystem':false,'statuses':null,'subStatuses':null,"
                    + "'activityFilters':null}"));
  }

  @Test
  void what_the_library_could_not_read_is_a_violation() {
    assertThat(types.violations("int", 2_147_483_648L)).hasSize(1);
    assertThat(types.violations("long", 1.5)).hasSize(1);
    assertThat(types.violations("bool", "true")).hasSize(1);
    assertThat(types.violations("date", "2026-01-01T00:00:00")).hasSize(1);
    assertThat(types.violations("span", "PT1S")).hasSize(1);
    assertThat(types.violations("version", "3")).hasSize(1);
    assertThat(types.violations("map<text>", Map.of("a", 1L))).hasSize(1);
    assertThat(types.violations("WorkflowStatus", "Sleeping")).hasSize(1);
    assertThat(types.violations("Link[]", json("{'href':'a'}"))).hasSize(1);
    assertThat(types.violations("Link[]", List.of(json("{'href':'a','Rel':'b','method':null}"))))
        .containsExactly("answer[0].rel is not there", "answer[0].method is not text: null");
    assertThat(
            types.violations("ListResponse<FeatureDescriptor>", json("{'items':[{}],'count':1}")))
        .hasSize(5);
  }

  @Test
  void what_the_library_reads_is_none() {
    assertThat(types.violations("int?", null)).isEmpty();
    assertThat(types.violations("number", 1.5)).isEmpty();
    assertThat(types.violations("date", "2026-01-01T00:00:00.1234567+01:00")).isEmpty();
    assertThat(types.violations("span", "1.02:03:04.5")).isEmpty();
    assertThat(types.violations("version", "3.8.0.0")).isEmpty();
    assertThat(types.violations("WorkflowStatus", "running")).isEmpty();
    assertThat(types.violations("WorkflowStatus", 1L)).isEmpty();
    assertThat(types.violations("ListResponse<object>", json("{'items':[{}],'count':1,'x':1}")))
        .isEmpty();
  }

  /** A name that is misspelt would be read as nothing. */
  @Test
  void every_type_that_is_named_is_declared() {
    var known = new HashSet<>(table.types.keySet());
    known.addAll(table.enums.keySet());
    known.addAll(
        List.of(
            "text",
            "int",
            "long",
            "number",
            "bool",
            "date",
            "span",
            "version",
            "object",
            "map",
            "map<text>",
            "any",
            "joined",
            "T"));
    table.types.forEach((type, members) ->
        members.forEach(member ->
            assertThat(known)
                .as(type)
                .contains(member.kind().replaceAll("[?=~]$", "").replaceAll("\\[]$", ""))));
    for (var method : table.methods.values()) {
      var body = method.sends().body();
      if (body != null) {
        assertThat(table.types).as(method.key()).containsKey(body);
      }
      var query = method.sends().query();
      if (query != null) {
        assertThat(table.types).as(method.key()).containsKey(query);
      }
    }
  }
}
