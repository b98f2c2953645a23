package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import java.util.stream.Stream;
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

class ImportLimitsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  private long now = Duration.ofSeconds(10).toNanos();

  private ImportLimits imports(Quota starts, Quota instances) {
    return new ImportLimits(
        new InstanceLimit(InstanceLimit.NONE), new TenantLimits(starts, instances), () -> now);
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

  private static void assertRefused(
      ImportLimits imports, WorkflowInstance instance, ErrorCode code) {
    assertThatThrownBy(() -> imports.reserve(instance))
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void a_tenant_with_all_instances_it_may_have_imports_only_those_that_have_ended() {
    var imports = imports(Quota.UNLIMITED, Quota.of(2));
    var waits = instance("shop", WorkflowStatus.Suspended);
    var ended = instance("shop", WorkflowStatus.Completed);

    imports.reserve(ended);
    imports.reserve(waits);
    var last = imports.reserve(waits);

    assertRefused(imports, waits, ErrorCode.TOO_MANY_INSTANCES);
    imports.reserve(instance("bank", WorkflowStatus.Suspended));
    imports.reserve(ended).release();
    assertRefused(imports, waits, ErrorCode.TOO_MANY_INSTANCES);
    last.release();
    imports.reserve(waits);
    assertRefused(imports, waits, ErrorCode.TOO_MANY_INSTANCES);
  }

  @Test
  void a_definition_with_all_instances_it_may_have_gets_only_those_that_have_ended() {
    var limit = new InstanceLimit(2);
    var imports = new ImportLimits(limit, TenantLimits.NONE, () -> now);
    var waits = instance("", WorkflowStatus.Suspended);

    imports.reserve(waits);
    var last = imports.reserve(waits);

    assertRefused(imports, waits, ErrorCode.TOO_MANY_INSTANCES);
    assertThat(limit.isReached("d")).as("a start").isTrue();
    imports.reserve(instance("", WorkflowStatus.Completed)).release();
    assertThat(limit.isReached("d")).isTrue();
    last.release();
    assertThat(limit.isReached("d")).isFalse();
  }

  @Test
  void one_that_the_tenant_may_not_have_does_not_count_for_the_definition() {
    var limit = new InstanceLimit(1);
    var tenants = new TenantLimits(Quota.of(1), Quota.UNLIMITED);
    var imports = new ImportLimits(limit, tenants, () -> now);
    imports.reserve(instance("shop", WorkflowStatus.Completed));

    assertRefused(imports, instance("shop", WorkflowStatus.Suspended), ErrorCode.TOO_MANY_REQUESTS);

    assertThat(limit.isReached("d")).isFalse();
  }

  @Test
  void what_is_not_added_after_the_next_count_makes_no_room() {
    var limit = new InstanceLimit(2);
    var tenants = new TenantLimits(Quota.UNLIMITED, Quota.of(2));
    var imports = new ImportLimits(limit, tenants, () -> now);
    var waits = instance("shop", WorkflowStatus.Suspended);
    var first = imports.reserve(waits);
    var second = imports.reserve(waits);

    limit.counted(Map.of("d", 2L));
    tenants.counted(Map.of("shop", 2L));
    first.release();
    second.release();

    assertThat(limit.isReached("d")).isTrue();
    assertThat(tenants.isFull("shop")).isTrue();
  }

  @Test
  void what_is_being_added_counts_whatever_counts_come_meanwhile() {
    var limit = new InstanceLimit(2);
    var tenants = new TenantLimits(Quota.UNLIMITED, Quota.of(2));
    var imports = new ImportLimits(limit, tenants, () -> now);
    var waits = instance("shop", WorkflowStatus.Suspended);
    var first = imports.reserve(waits);
    var second = imports.reserve(waits);

    limit.counted(Map.of());
    tenants.counted(Map.of());

    assertThat(limit.isReached("d")).isTrue();
    assertThat(tenants.isFull("shop")).isTrue();
    first.added();
    second.added();
    assertThat(limit.isReached("d")).isTrue();
    assertThat(tenants.isFull("shop")).isTrue();
    limit.counted(Map.of("d", 2L));
    tenants.counted(Map.of("shop", 2L));
    assertThat(limit.isReached("d")).isTrue();
    limit.counted(Map.of("d", 1L));
    assertThat(limit.isReached("d")).isFalse();
  }

  @Test
  void a_tenant_imports_as_many_in_a_second_as_it_may_start() {
    var imports = imports(Quota.of(3), Quota.UNLIMITED);
    var ended = instance("shop", WorkflowStatus.Completed);
    for (int i = 0; i < 3; i++) {
      imports.reserve(ended);
    }

    assertRefused(imports, ended, ErrorCode.TOO_MANY_REQUESTS);
    assertThat(imports.tenants().mayStart("shop", now)).as("a start by a caller").isFalse();
    imports.reserve(instance("bank", WorkflowStatus.Completed));
    now += Duration.ofSeconds(1).toNanos();
    imports.reserve(ended);
  }

  @Test
  void one_that_is_refused_for_the_rate_counts_for_nothing() {
    var imports = imports(Quota.of(1), Quota.of(2));
    var waits = instance("shop", WorkflowStatus.Suspended);
    imports.reserve(waits);
    for (int i = 0; i < 5; i++) {
      assertRefused(imports, waits, ErrorCode.TOO_MANY_REQUESTS);
    }

    now += Duration.ofSeconds(1).toNanos();
    imports.reserve(waits);
  }

  @Test
  void the_default_tenant_imports_any_number() {
    var imports = imports(Quota.of(1), Quota.of(1));

    for (int i = 0; i < 100; i++) {
      imports.reserve(instance("", WorkflowStatus.Suspended));
    }

    assertThat(imports.tenants().isFull("")).isFalse();
  }

  /** Of each of many last places, which several imports want at one time. */
  private static void assertOneGetsTheLastPlace(Supplier<ImportLimits> limits) throws Exception {
    int rounds = 10_000;
    int importers = 4;
    var waits = instance("shop", WorkflowStatus.Suspended);
    var rooms = Stream.generate(limits).limit(rounds).toList();
    var added = new AtomicIntegerArray(rounds);
    var barrier = new CyclicBarrier(importers);
    try (var threads = Executors.newFixedThreadPool(importers)) {
      var ends = new ArrayList<Future<?>>();
      for (int i = 0; i < importers; i++) {
        ends.add(
            threads.submit(() -> {
              for (int round = 0; round < rounds; round++) {
                barrier.await();
                try {
                  rooms.get(round).reserve(waits);
                  added.incrementAndGet(round);
                } catch (SkeinException e) {
                  assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_INSTANCES);
                }
              }
              return null;
            }));
      }
      for (var end : ends) {
        end.get();
      }
    }
    for (int round = 0; round < rounds; round++) {
      assertThat(added.get(round)).as("round %d", round).isEqualTo(1);
    }
  }

  @Test
  void of_several_imports_at_once_one_gets_the_last_place_of_a_definition() throws Exception {
    assertOneGetsTheLastPlace(
        () -> new ImportLimits(new InstanceLimit(1), TenantLimits.NONE, () -> 0));
  }

  @Test
  void of_several_imports_at_once_one_gets_the_last_place_of_a_tenant() throws Exception {
    assertOneGetsTheLastPlace(() ->
        new ImportLimits(
            new InstanceLimit(InstanceLimit.NONE),
            new TenantLimits(Quota.UNLIMITED, Quota.of(1)),
            () -> 0));
  }
}
