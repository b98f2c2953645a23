package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import skein.http.AuditRule.NoLine;
import skein.identity.Requirement;

class RouteTableTest {
  @Test
  void a_route_without_an_entry_is_refused_by_its_name() {
    assertThatThrownBy(() -> RouteTable.of("POST", Routes.API + "/new/:id/thing"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("POST /new/:id/thing");
    assertThatThrownBy(() -> RouteTable.of("DELETE", Routes.API + "/audit"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("DELETE /audit");
  }

  @Test
  void two_entries_of_one_route_are_refused() {
    var lists = RouteRule.get("/things", Requirement.SIGNED_IN, TenantRule.SCOPED);
    var open = RouteRule.get(Routes.API + "/things", Requirement.NOTHING, TenantRule.OPEN);

    assertThatThrownBy(() -> RouteTable.byRoute(List.of(lists, open)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("GET /things");
  }

  @Test
  void head_needs_what_get_needs() {
    assertThat(RouteTable.of("HEAD", Routes.API + "/audit"))
        .isEqualTo(RouteTable.of("GET", Routes.API + "/audit"));
  }

  @Test
  void an_entry_says_what_the_route_needs_whose_objects_it_sees_and_how_it_is_audited() {
    assertThat(RouteTable.of("POST", Routes.API + "/cluster/nodes/:node/kill"))
        .isEqualTo(
            new RouteRule(
                "POST /cluster/nodes/:node/kill",
                Requirement.oneOf("ManageWorkflowRuntime"),
                TenantRule.OF_CLUSTER,
                AuditRule.urgent("node.kill")));
    assertThat(RouteTable.of("GET", Routes.API + "/workflow-instances/:id"))
        .isEqualTo(
            new RouteRule(
                "GET /workflow-instances/:id",
                Requirement.oneOf("read:workflow-instances"),
                TenantRule.path("id", TenantRule.Thing.INSTANCE),
                NoLine.READS));
  }
}
