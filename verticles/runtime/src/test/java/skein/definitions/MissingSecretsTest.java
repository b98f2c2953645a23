package skein.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.graph.CompilerOptions;
import skein.graph.GraphCompiler;
import skein.graph.UsedWorkflows;
import skein.model.DefinitionRef;
import skein.model.Finding;
import skein.model.FindingCode;
import skein.model.WorkflowDefinition;

class MissingSecretsTest {
  private static final String CALLS =
      """
      {'root':{'type':'Elsa.Sequence','id':'s','activities':[
        {'type':'Elsa.SendHttpRequest','id':'pay',
         'url':{'typeName':'System.Uri','expression':{'type':'Literal','value':'http://x.test/'}},
         'authorization':{'typeName':'String','expression':{'type':'Secret','value':'pay-token'}},
         'secretHeaders':{'X-Key':'${pay-key}','X-Both':'${known}-${pay-key}','X-None':'plain'}},
        {'type':'Elsa.WriteLine','id':'w'}]}}
      """;

  private static GraphCompiler.Checked checked(String json) {
    var definition =
        new WorkflowDefinition(
            new DefinitionRef("d", "d1", 1),
            null,
            null,
            true,
            true,
            Instant.EPOCH,
            JsonText.parseObject(json.replace('\'', '"'), JsonLimits.DEFAULT));
    return GraphCompiler.check(
        definition, UsedWorkflows.NONE, Activities.builtIn(), CompilerOptions.DEFAULT);
  }

  private static List<Finding> found(String json, Set<String> there) {
    SecretPresence presence =
        names -> {
          var missing = new HashSet<>(names);
          missing.removeAll(there);
          return Future.succeededFuture(new SecretPresence.Missing(missing, there));
        };
    return new MissingSecrets(presence).of(checked(json)).result();
  }

  @Test
  void each_secret_that_is_not_there_is_a_warning_at_the_member_that_names_it() {
    var found = found(CALLS, Set.of("known"));

    assertThat(found)
        .allMatch(one -> one.code() == FindingCode.UNKNOWN_SECRET && !one.isError())
        .allMatch(one -> String.valueOf(one.nodeId()).endsWith("pay"));
    assertThat(found)
        .extracting(Finding::path)
        .containsExactlyInAnyOrder(
            "/root/activities/0/authorization", "/root/activities/0/secretHeaders");
    assertThat(found)
        .extracting(Finding::message)
        .anyMatch(message -> message.contains("no secret pay-token "))
        .anyMatch(message -> message.contains("no secret pay-key "));
  }

  @Test
  void a_name_that_is_nearly_right_is_a_suggestion() {
    var found = found(CALLS, Set.of("known", "pay-key", "pay-tokens", "other"));

    assertThat(found)
        .singleElement()
        .satisfies(one -> {
          assertThat(one.path()).isEqualTo("/root/activities/0/authorization");
          assertThat(one.suggestion()).isEqualTo("pay-tokens");
          assertThat(one.message()).endsWith("; did you mean \"pay-tokens\"?");
        });
  }

  @Test
  void nothing_is_said_when_all_are_there() {
    assertThat(found(CALLS, Set.of("known", "pay-key", "pay-token"))).isEmpty();
  }

  @Test
  void a_definition_without_secrets_asks_for_none() {
    var plain = "{'root':{'type':'Elsa.WriteLine','id':'w'}}";
    SecretPresence nobody =
        names -> {
          throw new AssertionError(names);
        };

    assertThat(new MissingSecrets(nobody).of(checked(plain)).result()).isEmpty();
  }

  @Test
  void many_names_cost_no_more_than_a_thousand() {
    var many = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      many.append("${s").append(i).append('}');
    }

    assertThat(found(CALLS.replace("plain", many.toString()), Set.of())).hasSize(1_000);
  }
}
