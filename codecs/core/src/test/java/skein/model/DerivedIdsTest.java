package skein.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DerivedIdsTest {
  private static final InstanceId OF_DEFAULT = DerivedIds.of("", "nightly@0");
  private static final InstanceId OF_ACME = DerivedIds.of("acme", "nightly@0");
  private static final InstanceId CHILD = new InstanceId("0123456789ABCDEF0123456789");

  @Test
  void what_is_derived_for_two_tenants_never_meets() {
    assertThat(OF_DEFAULT.value()).isEqualTo(StimulusHash.id("nightly@0"));
    assertThat(OF_ACME.value()).matches("t[0-9a-f]{8}-[0-9a-f]{26}").hasSize(36);
    assertThat(DerivedIds.of("globex", "nightly@0").value().substring(0, 10))
        .isNotEqualTo(OF_ACME.value().substring(0, 10));
    assertThat(DerivedIds.of("acme", "nightly@0")).isEqualTo(OF_ACME);
    assertThat(DerivedIds.of("acme", "nightly@1")).isNotEqualTo(OF_ACME);
  }

  @Test
  void an_id_has_the_mark_of_its_tenant() {
    assertThat(DerivedIds.markOf(OF_ACME)).isEqualTo(DerivedIds.mark("acme"));
    assertThat(DerivedIds.mark("acme")).matches("t[0-9a-f]{8}-");
    assertThat(DerivedIds.markOf(OF_DEFAULT)).isNull();
    assertThat(DerivedIds.markOf(CHILD)).isNull();
    assertThat(DerivedIds.markOf(new InstanceId("tacme-1"))).isNull();
  }

  @Test
  void callers_cannot_choose_an_id_that_is_derived_for_a_tenant() {
    for (var tenant : List.of("", "acme", "globex")) {
      assertThat(DerivedIds.mayChoose(tenant, OF_ACME)).as(tenant).isFalse();
    }
    assertThat(DerivedIds.mayChoose("acme", OF_DEFAULT)).isFalse();
    assertThat(DerivedIds.mayChoose("acme", CHILD)).isFalse();
    assertThat(DerivedIds.mayChoose("", OF_DEFAULT)).isTrue();
    assertThat(DerivedIds.mayChoose("", CHILD)).isTrue();
  }

  @Test
  void an_instance_is_restored_under_an_id_of_its_own_tenant_alone() {
    assertThat(DerivedIds.mayRestore("acme", OF_ACME)).isTrue();
    assertThat(DerivedIds.mayRestore("globex", OF_ACME)).isFalse();
    assertThat(DerivedIds.mayRestore("", OF_ACME)).isFalse();
    assertThat(DerivedIds.mayRestore("acme", OF_DEFAULT)).isFalse();
    assertThat(DerivedIds.mayRestore("acme", CHILD)).isFalse();
    assertThat(DerivedIds.mayRestore("", OF_DEFAULT)).isTrue();
  }

  @Test
  void all_other_ids_are_free() {
    for (var id :
        List.of(
            "order-17",
            "01k2q3v4w5x6y7z8a9b0c1d2e3",
            "123e4567-e89b-12d3-a456-426614174000",
            "tacme-1")) {
      for (var tenant : List.of("", "acme")) {
        assertThat(DerivedIds.mayChoose(tenant, new InstanceId(id))).as(id).isTrue();
        assertThat(DerivedIds.mayRestore(tenant, new InstanceId(id))).as(id).isTrue();
      }
    }
  }
}
