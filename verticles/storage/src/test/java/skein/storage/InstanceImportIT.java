package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.DerivedIds;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceLimits;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.Schedule;
import skein.model.SkeinException;
import skein.model.Timing;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

@ExtendWith(TestDatabase.class)
class InstanceImportIT {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final InstanceId ID = new InstanceId("moved");

  @Test
  void an_instance_comes_back_with_bookmarks_timers_and_journal(Database database, Vertx vertx) {
    define(database);

    restore(database, vertx, instance(Samples.NOW.plusSeconds(60)), Samples.entry(2)).await();

    var found = new InstanceStore(database).get(ID).await();
    assertThat(found.revision()).isEqualTo(1);
    assertThat(found.bookmarks()).isEqualTo(instance(Samples.NOW.plusSeconds(60)).bookmarks());
    assertThat(found.timing()).isEqualTo(new Timing(Samples.NOW, NOW, null));
    assertThat(count(database, "bookmarks where id = 'moved-1'")).isEqualTo(1);
    assertThat(count(database, "timers where id = 'moved-1' and kind = 'Bookmark'")).isEqualTo(1);
    assertThat(new InstanceStore(database).journal(ID).await()).containsExactly(Samples.entry(2));
  }

  @Test
  void an_instance_is_restored_for_the_tenant_that_restores_it_and_whose_its_definition_is(
      Database database, Vertx vertx) {
    define(database, "acme");
    var acme = TenantScope.of("acme");

    for (var other : List.of("", "globex")) {
      assertCode(
          restore(database, vertx, TenantScope.of(other), instance(null)),
          ErrorCode.DEFINITION_NOT_FOUND);
    }
    restore(database, vertx, acme, instance(null)).await();

    assertThat(count(database, "workflow_instances where tenant_id = 'acme'")).isEqualTo(1);
    assertThat(new InstanceStore(database).get(ID).await().definition().tenant()).isEqualTo("acme");
  }

  @Test
  void an_instance_is_not_restored_under_an_id_that_is_made_for_others(
      Database database, Vertx vertx) {
    define(database, "acme");
    var acme = TenantScope.of("acme");

    for (var tenant : List.of("", "globex")) {
      var id = DerivedIds.of(tenant, "nightly@0");
      assertCode(restore(database, vertx, acme, withId(id)), ErrorCode.INVALID_ID);
    }
    restore(database, vertx, acme, withId(DerivedIds.of("acme", "nightly@0"))).await();
    assertCode(
        restore(database, vertx, TenantScope.of(""), withId(DerivedIds.of("globex", "nightly@1"))),
        ErrorCode.INVALID_ID);
    restore(database, vertx, withId(DerivedIds.of("globex", "nightly@0"))).await();
  }

  @Test
  void an_instance_is_not_restored_below_a_parent_of_another_tenant(
      Database database, Vertx vertx) {
    define(database, "acme");
    var acme = TenantScope.of("acme");
    database
        .run(
            "add",
            "insert into workflow_instances (id, definition_id, definition_version_id, version,"
                + " status, incident_count, revision, created_at, updated_at, state)"
                + " values ('theirs', 'd', 'd-1', 1, 'Suspended', 0, 1, now(), now(), '\\x00')",
            Tuple.tuple())
        .await();
    database
        .run(
            "add",
            "insert into schedules (id, instance_id, definition_id, origin, rule, policies, target,"
                + " revision, created_at, updated_at)"
                + " values ('s', $1, 'd', 'Api', '{}', '{}', '{}', 1, now(), now())",
            Tuple.of(Schedule.laneOf("s").value()))
        .await();
    var parents =
        List.of(
            new Parent(new InstanceId("theirs"), 1, Parent.Notice.AtEnd),
            Parent.schedule(Schedule.laneOf("s")));

    for (var parent : parents) {
      assertCode(restore(database, vertx, acme, below(parent)), ErrorCode.INSTANCE_NOT_FOUND);
    }
    restore(
            database,
            vertx,
            acme,
            below(new Parent(new InstanceId("gone"), 1, Parent.Notice.AtEnd)))
        .await();
  }

  @Test
  void an_instance_is_not_restored_where_its_tenant_may_not_have_another_one(
      Database database, Vertx vertx) {
    define(database, "acme");
    var bounds = new OneInstance("acme");

    restore(database, vertx, bounds, withId(new InstanceId("first"))).await();
    assertCode(
        restore(database, vertx, bounds, withId(new InstanceId("second"))),
        ErrorCode.TOO_MANY_INSTANCES);

    assertThat(count(database, "workflow_instances where id = 'first'")).isEqualTo(1);
    assertThat(count(database, "workflow_instances")).isEqualTo(1);
    assertThat(count(database, "journal")).isEqualTo(1);
  }

  @Test
  void an_instance_that_exists_or_has_no_definition_counts_for_no_limit(
      Database database, Vertx vertx) {
    var bounds = new OneInstance("acme");
    assertCode(restore(database, vertx, bounds, instance(null)), ErrorCode.DEFINITION_NOT_FOUND);
    define(database, "acme");
    restore(database, vertx, instance(null)).await();

    assertCode(restore(database, vertx, bounds, instance(null)), ErrorCode.INSTANCE_EXISTS);
    assertThat(bounds.added).isZero();
    restore(database, vertx, bounds, withId(new InstanceId("other"))).await();
  }

  /** Lets one instance of a tenant be imported. */
  private static final class OneInstance implements ImportBounds {
    private final String tenant;
    private volatile int added;

    OneInstance(String tenant) {
      this.tenant = tenant;
    }

    @Override
    public Reservation reserve(WorkflowInstance instance) {
      assertThat(instance.definition().tenant()).isEqualTo(tenant);
      if (added > 0) {
        throw SkeinException.tooManyInstancesOfTenant(tenant, 1);
      }
      added = 1;
      return () -> added = 0;
    }
  }

  private static Future<Void> restore(
      Database database, Vertx vertx, ImportBounds bounds, WorkflowInstance instance) {
    return restore(database, vertx, TenantScope.of("acme"), bounds, instance);
  }

  @Test
  void an_instance_that_exists_is_left_alone(Database database, Vertx vertx) {
    define(database);
    restore(database, vertx, instance(null)).await();

    assertCode(restore(database, vertx, instance(Samples.NOW)), ErrorCode.INSTANCE_EXISTS);
    assertThat(count(database, "timers")).isZero();
    assertThat(count(database, "journal")).isEqualTo(1);
  }

  @Test
  void an_instance_without_its_definition_is_refused(Database database, Vertx vertx) {
    assertCode(restore(database, vertx, instance(null)), ErrorCode.DEFINITION_NOT_FOUND);
    assertThat(count(database, "workflow_instances")).isZero();
  }

  @Test
  void an_id_of_a_definition_that_cannot_be_stored_is_the_senders_mistake(
      Database database, Vertx vertx) {
    for (var ref :
        List.of(new DefinitionRef("a\0b", "order-1", 1), new DefinitionRef("Order", "a\0b", 1))) {
      var made = of(ref, instance(null));
      assertThatThrownBy(() -> restore(database, vertx, made).await())
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
          .hasMessageContaining("cannot be stored");
    }
  }

  private static WorkflowInstance of(DefinitionRef ref, WorkflowInstance instance) {
    return new WorkflowInstance(
        instance.id(),
        ref,
        instance.status(),
        instance.revision(),
        instance.labels(),
        instance.timing(),
        instance.counters(),
        instance.pending(),
        instance.input(),
        instance.output(),
        instance.results(),
        instance.executions(),
        instance.bookmarks(),
        instance.shelved(),
        instance.incidents(),
        instance.fingerprint());
  }

  @Test
  void parts_that_do_not_belong_together_are_refused(Database database, Vertx vertx) {
    define(database);

    assertThatThrownBy(() -> restore(database, vertx, instance(null), Samples.entry(3)).await())
        .hasMessageContaining("journal");
    assertThatThrownBy(() ->
            restore(database, vertx, instance(Instant.parse("+12000-01-01T00:00:00Z"))).await())
        .hasMessageContaining("between the years");
    var waiting = instance(null);
    var bookmark = waiting.bookmarks().getFirst();
    assertThatThrownBy(() ->
            restore(database, vertx, waitingAt(waiting, List.of(bookmark, again(bookmark))))
                .await())
        .hasMessageContaining("what another one waits for");
    assertThat(count(database, "workflow_instances")).isZero();
  }

  private static Bookmark again(Bookmark first) {
    return new Bookmark(
        new BookmarkId(ID, 2),
        first.name(),
        first.hash(),
        first.payload(),
        first.activityId(),
        first.nodeId(),
        first.execution(),
        first.createdAt(),
        first.dueAt(),
        null,
        null);
  }

  private static WorkflowInstance waitingAt(WorkflowInstance from, List<Bookmark> bookmarks) {
    return new WorkflowInstance(
        from.id(),
        from.definition(),
        from.status(),
        from.revision(),
        from.labels(),
        from.timing(),
        new Counters(1, 2, 2),
        from.pending(),
        from.input(),
        from.output(),
        from.results(),
        from.executions(),
        bookmarks,
        from.shelved(),
        from.incidents(),
        from.fingerprint());
  }

  private static Future<Void> restore(
      Database database, Vertx vertx, WorkflowInstance instance, JournalEntry... journal) {
    return restore(database, vertx, TenantScope.ALL, instance, journal);
  }

  private static Future<Void> restore(
      Database database,
      Vertx vertx,
      TenantScope scope,
      WorkflowInstance instance,
      JournalEntry... journal) {
    return restore(database, vertx, scope, ImportBounds.NONE, instance, journal);
  }

  private static Future<Void> restore(
      Database database,
      Vertx vertx,
      TenantScope scope,
      ImportBounds bounds,
      WorkflowInstance instance,
      JournalEntry... journal) {
    var context = vertx.getOrCreateContext();
    Promise<Void> promise = Promise.promise();
    context.runOnContext(_ -> {
      var options =
          new CommitOptions(
              new CommitOptions.Batches(10, 2, 4, 200),
              10,
              new CommitOptions.Retries(3, 20),
              1_000_000);
      var committer = new Committer(vertx, context, database, options, "test");
      var imports =
          new InstanceImport(
              new DefinitionStore(database),
              new TenantStore(database),
              committer,
              InstantSource.fixed(NOW),
              UUID::randomUUID,
              InstanceLimits.DEFAULT,
              bounds);
      try {
        imports.restore(instance, List.of(journal), scope).onComplete(promise);
      } catch (SkeinException e) {
        promise.fail(e);
      }
    });
    return promise.future();
  }

  private static void define(Database database) {
    define(database, "");
  }

  private static void define(Database database, String tenant) {
    var definition =
        new WorkflowDefinition(
            new DefinitionRef("Order", "order-1", 1, tenant),
            "Order",
            null,
            true,
            false,
            Samples.NOW,
            Map.of("root", Map.of("id", "a", "type", "Elsa.Event")));
    new PublicationStore(database)
        .saveDraft(definition, new PublicationStore.Names("Order", List.of()), true)
        .await();
  }

  private static WorkflowInstance withId(InstanceId id) {
    return instance(id, Labels.NONE, null);
  }

  private static WorkflowInstance below(Parent parent) {
    return instance(ID, new Labels(null, null, parent), null);
  }

  private static WorkflowInstance instance(@Nullable Instant dueAt) {
    return instance(ID, Labels.NONE, dueAt);
  }

  private static WorkflowInstance instance(InstanceId id, Labels labels, @Nullable Instant dueAt) {
    var bookmark =
        new Bookmark(
            new BookmarkId(id, 1),
            "Elsa.Delay",
            "HASH",
            null,
            "a",
            "Workflow1:a",
            1,
            Samples.NOW,
            dueAt,
            null,
            null);
    var execution =
        new ActivityExecution(
            1, 0, "Workflow1:a", ActivityStatus.Running, Map.of(), Map.of(), null, Samples.NOW);
    return new WorkflowInstance(
        id,
        new DefinitionRef("Order", "order-1", 1),
        WorkflowStatus.Suspended,
        5,
        labels,
        new Timing(Samples.NOW, Samples.NOW, null),
        new Counters(1, 1, 2),
        null,
        Map.of("amount", 12L),
        Map.of(),
        Map.of(),
        List.of(execution),
        List.of(bookmark),
        List.of(),
        List.of(),
        null);
  }

  private static void assertCode(Future<?> future, ErrorCode code) {
    assertThatThrownBy(future::await)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static long count(Database database, String table) {
    return database
        .run("count", "select count(*) from " + table, Tuple.tuple())
        .await()
        .iterator()
        .next()
        .getLong(0);
  }
}
