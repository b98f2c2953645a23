package skein.activities;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.graph.CompilerOptions;
import skein.graph.GraphCompiler;
import skein.graph.UsedWorkflows;
import skein.model.DefinitionRef;
import skein.model.Finding;
import skein.model.WorkflowDefinition;

class SecretUsesTest {
  private static GraphCompiler.Checked checked(String activity) {
    var json = "{'root':%s}".formatted(activity).replace('\'', '"');
    var definition =
        new WorkflowDefinition(
            new DefinitionRef("d", "d1", 1),
            null,
            null,
            true,
            true,
            Instant.EPOCH,
            JsonText.parseObject(json, JsonLimits.DEFAULT));
    return GraphCompiler.check(
        definition, UsedWorkflows.NONE, Activities.builtIn(), CompilerOptions.DEFAULT);
  }

  @Test
  @Timeout(20) // it was minutes
  void a_header_whose_secrets_do_not_end_is_read_once() {
    var header = "${".repeat(300_000) + "${billing}";

    assertThat(SecretUses.IN_HEADER.matcher(header).results().map(one -> one.group(1)))
        .containsExactly("billing");
  }

  @Test
  void a_connection_string_may_be_a_secret() {
    var checked =
        checked(
            """
            {'type':'Elsa.SqlQuery','id':'find',
             'connectionString':{'typeName':'String',
               'expression':{'type':'Secret','value':'billing'}},
             'query':{'typeName':'String','expression':{'type':'Literal','value':'select 1'}}}
            """);

    assertThat(checked.findings()).noneMatch(Finding::isError);
    assertThat(checked.graph().nodes())
        .singleElement()
        .satisfies(node ->
            assertThat(SecretUses.of(node))
                .isEqualTo(Map.of("connectionString", Set.of("billing"))));
  }

  @Test
  void what_becomes_part_of_the_instance_may_be_none() {
    var checked =
        checked(
            """
            {'type':'Elsa.WriteLine','id':'say',
             'text':{'typeName':'String','expression':{'type':'Secret','value':'billing'}}}
            """);

    assertThat(checked.findings())
        .filteredOn(Finding::isError)
        .singleElement()
        .satisfies(one -> {
          assertThat(one.path()).isEqualTo("/root/text");
          assertThat(one.message()).contains("Authorization or ConnectionString", "SecretHeaders");
        });
  }
}
