package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class TenantImportsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  private long now = Duration.ofSeconds(10).toNanos();

  private TenantImports imports(Quota starts, Quota instances) {
    return new TenantImports(new TenantLimits(starts, instances), () -> now);
  }

  private static WorkflowInstance instance(String tenant, WorkflowStatus status) {
    return new WorkflowInstance(
        new InstanceId("i"),
        new DefinitionRef("d", "d-1", 1, tenant),
        status,
        1,
        Labels.NONE,
        new Timing(NOW, NOW, status.finished() ? NOW : null),
        new Counters(1, 1, 1),
        null,
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static @Nullable ErrorCode code(@Nullable SkeinException refusal) {
    return refusal == null ? null : refusal.code();
  }

  @Test
  void a_tenant_with_all_instances_it_may_have_imports_only_those_that_have_ended() {
    var imports = imports(Quota.UNLIMITED, Quota.of(2));
    var waits = instance("shop", WorkflowStatus.Suspended);
    var ended = instance("shop", WorkflowStatus.Completed);

    assertThat(imports.refusal(ended)).isNull();
    assertThat(imports.refusal(waits)).isNull();
    assertThat(imports.refusal(waits)).isNull();

    assertThat(code(imports.refusal(waits))).isEqualTo(ErrorCode.TOO_MANY_INSTANCES);
    assertThat(imports.refusal(ended)).isNull();
    assertThat(imports.refusal(instance("bank", WorkflowStatus.Suspended))).isNull();
    imports.notAdded(ended);
    assertThat(code(imports.refusal(waits))).isEqualTo(ErrorCode.TOO_MANY_INSTANCES);
    imports.notAdded(waits);
    assertThat(imports.refusal(waits)).isNull();
  }

  @Test
  void a_tenant_imports_as_many_in_a_second_as_it_may_start() {
    var imports = imports(Quota.of(3), Quota.UNLIMITED);
    var ended = instance("shop", WorkflowStatus.Completed);
    for (int i = 0; i < 3; i++) {
      assertThat(imports.refusal(ended)).isNull();
    }

    assertThat(code(imports.refusal(ended))).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
    assertThat(imports.limits().mayStart("shop", now)).as("a start by a caller").isFalse();
    assertThat(imports.refusal(instance("bank", WorkflowStatus.Completed))).isNull();
    now += Duration.ofSeconds(1).toNanos();
    assertThat(imports.refusal(ended)).isNull();
  }

  @Test
  void one_that_is_refused_for_the_rate_counts_for_nothing() {
    var imports = imports(Quota.of(1), Quota.of(2));
    var waits = instance("shop", WorkflowStatus.Suspended);
    assertThat(imports.refusal(waits)).isNull();
    for (int i = 0; i < 5; i++) {
      assertThat(code(imports.refusal(waits))).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
    }

    now += Duration.ofSeconds(1).toNanos();
    assertThat(imports.refusal(waits)).isNull();
  }

  @Test
  void the_default_tenant_imports_any_number() {
    var imports = imports(Quota.of(1), Quota.of(1));

    for (int i = 0; i < 100; i++) {
      assertThat(imports.refusal(instance("", WorkflowStatus.Suspended))).isNull();
    }
  }
}
