package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.http.Tenancy.Site;
import skein.identity.Caller;
import skein.identity.Permissions;
import skein.model.SkeinException;
import skein.storage.TenantScope;

class TenancyTest {
  private static final Tenancy TENANCY =
      new Tenancy(true, "X-Tenant", Map.of("shop.example.com", "shop"));
  private static final Caller NOBODY = Caller.Anonymous.INSTANCE;

  private static Site site(@Nullable String host, boolean proxied, String... named) {
    var headers = MultiMap.caseInsensitiveMultiMap();
    List.of(named).forEach(name -> headers.add("x-tenant", name));
    return new Site(headers, host, proxied);
  }

  private static Caller caller(String tenant, String... permissions) {
    return new Caller.User("kim", List.of(), new Permissions(Set.of(permissions)), tenant);
  }

  @Test
  void where_there_are_no_tenants_everybody_sees_everything() {
    assertThat(Tenancy.OFF.of(caller("acme"), site("shop.example.com", true, "x")))
        .isEqualTo(TenantScope.ALL);
    assertThat(Tenancy.OFF.ofSite(site("shop.example.com", true, "x"))).isEqualTo(TenantScope.ALL);
  }

  @Test
  void a_credential_of_a_tenant_comes_before_header_and_host_whatever_it_allows() {
    var everything = caller("acme", Permissions.EVERYTHING);
    assertThat(TENANCY.of(everything, site("shop.example.com", true, "globex")))
        .isEqualTo(TenantScope.of("acme"));
  }

  @Test
  void a_caller_of_the_default_tenant_chooses_another_by_the_header_if_they_may() {
    var allowed = caller("", Tenancy.CHOOSE);
    assertThat(TENANCY.of(allowed, site(null, false, "acme"))).isEqualTo(TenantScope.of("acme"));
    assertThat(TENANCY.of(allowed, site(null, false))).isEqualTo(TenantScope.of(""));
    assertThat(TENANCY.of(allowed, site(null, false, ""))).isEqualTo(TenantScope.of(""));
    var other = caller("", "read:workflow-instances");
    assertThat(TENANCY.of(other, site("shop.example.com", true, "acme")))
        .isEqualTo(TenantScope.of(""));
  }

  @Test
  void of_callers_who_are_not_asked_a_trusted_proxys_header_counts_else_the_host() {
    assertThat(TENANCY.of(NOBODY, site("shop.example.com", true, "acme")))
        .isEqualTo(TenantScope.of("acme"));
    assertThat(TENANCY.of(NOBODY, site("shop.example.com", false, "acme")))
        .as("any client can send a header")
        .isEqualTo(TenantScope.of("shop"));
    assertThat(TENANCY.of(NOBODY, site("SHOP.Example.com.", true)))
        .isEqualTo(TenantScope.of("shop"));
    assertThat(TENANCY.of(NOBODY, site("other.example.com", true))).isEqualTo(TenantScope.of(""));
    assertThat(TENANCY.of(NOBODY, site(null, true))).isEqualTo(TenantScope.of(""));
  }

  @Test
  void a_request_to_a_workflow_has_the_tenant_of_its_site() {
    assertThat(TENANCY.ofSite(site("shop.example.com", false))).isEqualTo(TenantScope.of("shop"));
    assertThat(TENANCY.ofSite(site("shop.example.com", true, "acme")))
        .isEqualTo(TenantScope.of("acme"));
  }

  @Test
  void a_header_that_names_no_tenant_or_two_is_refused() {
    for (var site : List.of(site(null, true, "a b"), site(null, true, "a", "b"))) {
      assertThatThrownBy(() -> TENANCY.of(NOBODY, site)).isInstanceOf(SkeinException.class);
    }
  }
}
