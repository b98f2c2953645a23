package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IssuerTokensTest {
  private static VerifiedToken token(String claims) {
    return new VerifiedToken(new JsonObject(claims), Instant.MAX);
  }

  @Test
  void a_claim_names_the_tenant() {
    assertThat(IssuerTokens.tenant(token("{\"tenant\":\"acme\"}"), "tenant")).isEqualTo("acme");
    assertThat(IssuerTokens.tenant(token("{\"tenant\":\"acme\"}"), "")).isEmpty();
    assertThat(IssuerTokens.tenant(token("{}"), "tenant")).isEmpty();
  }

  @Test
  void an_issuer_that_is_bound_to_tenants_names_those_and_any_issuer_that_is_not() {
    var bound = new Issuer.Tenants("tenant", Set.of("acme", ""));
    assertThat(List.of("acme", "", "globex", "ACME"))
        .filteredOn(bound::allows)
        .containsExactly("acme", "");
    assertThat(Issuer.Tenants.of("tenant").allows("globex")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "[\"acme\"]", "\"\"", "\" \"", "true", "{}", "\"no name!\""})
  void a_claim_that_is_no_name_makes_nobody_the_default_tenants(String claim) {
    var token = token("{\"tenant\":" + claim + "}");

    assertThatIllegalArgumentException().isThrownBy(() -> IssuerTokens.tenant(token, "tenant"));
  }
}
