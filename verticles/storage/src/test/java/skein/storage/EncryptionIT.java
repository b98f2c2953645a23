package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.encryption.MasterKey;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.storage.IdempotencyKeys.Claim;
import skein.storage.IdempotencyKeys.Written;

@ExtendWith(TestDatabase.class)
class EncryptionIT {
  private static final String WORD = "canary-7f3a";
  private static final InstanceId ID = new InstanceId("i1");
  private static final CommitOptions OPTIONS =
      new CommitOptions(
          new CommitOptions.Batches(50, 2, 8, 200),
          10_000,
          new CommitOptions.Retries(5, 20),
          1_000_000);

  @Test
  void what_a_commit_writes_is_encrypted_and_read_back(Database database, Vertx vertx) {
    EncryptedValues.in(database);

    commitAll(database, vertx, ID);

    assertThat(EncryptedValues.rowsWith(database, WORD)).isEmpty();
    assertAllIsRead(database);
  }

  @Test
  void without_a_key_values_are_stored_as_they_are(Database database, Vertx vertx) {
    commitAll(database, vertx, ID);

    assertThat(EncryptedValues.rowsWith(database, WORD).keySet())
        .contains("workflow_instances", "bookmarks", "timers", "idempotency_keys");
    assertThat(TestSql.texts(database, "select number::text from encryption_keys")).isEmpty();
    assertAllIsRead(database);
  }

  @Test
  void rows_from_before_are_read_and_rows_from_while_it_was_on_are_read_after(
      Database database, Vertx vertx) {
    commitAll(database, vertx, ID);
    EncryptedValues.in(database);
    assertAllIsRead(database);
    var later = new InstanceId("i2");
    commitAll(database, vertx, later);

    EncryptedValues.dataKeys(database, false).refresh("test", EncryptedValues.MASTER).await();
    commit(database, vertx, Samples.transition("i3", 1));

    assertThat(database.keys().current()).isZero();
    assertThat(new InstanceStore(database).find(later).await()).isEqualTo(instance(later));
    assertThat(firstByte(database, "i2")).isEqualTo(0xEE);
    assertThat(firstByte(database, "i3")).isNotEqualTo(0xEE);
  }

  @Test
  void the_rows_that_there_are_are_encrypted_encrypted_anew_and_decrypted(
      Database database, Vertx vertx) {
    commitAll(database, vertx, ID);
    new AlterationStore(database)
        .submit("p1", List.of(Map.of("value", WORD)), List.of(ID), TenantScope.ALL, "kim")
        .await();
    EncryptedValues.in(database);

    assertThat(rewritten(database)).isEqualTo(7);
    assertThat(rewritten(database)).isZero();
    assertThat(EncryptedValues.rowsWith(database, WORD).keySet())
        .containsExactly("idempotency_keys");
    assertAllIsRead(database);

    var keys = EncryptedValues.dataKeys(database, true);
    keys.rotate(EncryptedValues.MASTER).await();
    keys.refresh("test", EncryptedValues.MASTER).await();
    assertThat(rewritten(database)).isEqualTo(7);
    assertThat(keyNumber(database, "i1")).isEqualTo(2);
    assertAllIsRead(database);

    var off = EncryptedValues.dataKeys(database, false);
    off.refresh("test", EncryptedValues.MASTER).await();
    assertThat(rewritten(database)).isEqualTo(7);
    off.retireAll().await();
    var other = sameSchema(database);
    EncryptedValues.dataKeys(other, false).check(List.of()).await();
    assertAllIsRead(other);
    assertThat(timer(other, "alter-p1:i1").payload())
        .isEqualTo(
            Map.of("planId", "p1", "alterations", List.of(Map.of("value", WORD)), "actor", "kim"));
  }

  private static long rewritten(Database database) {
    return new EncryptionRewrite(database, 2)
        .run().await().values().stream().mapToLong(EncryptionRewrite.Count::written).sum();
  }

  @Test
  void a_value_that_was_changed_or_cut_is_refused(Database database, Vertx vertx) {
    EncryptedValues.in(database);
    commitAll(database, vertx, ID);
    int bytes =
        (int) TestDatabase.number(database, "select length(state)::int8 from workflow_instances");

    for (int at : new int[] {1, 4, 5, 16, 17, bytes / 2, bytes - 1}) {
      var flip = "set_byte(state, %d, get_byte(state, %d) # 1)".formatted(at, at);
      TestSql.change(database, "update workflow_instances set state = " + flip);
      assertThat(refusal(() -> new InstanceStore(database).find(ID).await()))
          .isIn(ErrorCode.ENCRYPTED_VALUE_DAMAGED, ErrorCode.ENCRYPTION_KEY_MISSING);
      TestSql.change(database, "update workflow_instances set state = " + flip);
    }
    assertThat(new InstanceStore(database).find(ID).await()).isEqualTo(instance(ID));

    for (int length : new int[] {1, 5, 32, bytes - 1}) {
      TestSql.change(
          database,
          "update workflow_instances set state = substring(state from 1 for " + length + ")");
      assertThat(refusal(() -> new InstanceStore(database).find(ID).await()))
          .isEqualTo(ErrorCode.ENCRYPTED_VALUE_DAMAGED);
    }
  }

  @Test
  void a_value_is_read_at_its_place_alone(Database database, Vertx vertx) {
    EncryptedValues.in(database);
    commitAll(database, vertx, ID);
    commitAll(database, vertx, new InstanceId("i2"));

    TestSql.change(
        database,
        "update workflow_instances i set state = o.state from workflow_instances o"
            + " where o.id <> i.id");
    TestSql.change(
        database,
        "update bookmarks b set task = o.task, job = o.job from bookmarks o"
            + " where o.id = replace(b.id, 'i1', 'i2')");
    TestSql.change(
        database,
        "update timers t set payload = o.payload from timers o"
            + " where o.id = replace(t.id, 'i1', 'i2')");
    TestSql.change(
        database,
        "update journal j set entries = o.entries from journal o"
            + " where o.workflow_instance_id = 'i2' and j.workflow_instance_id = 'i1'");

    var damaged = ErrorCode.ENCRYPTED_VALUE_DAMAGED;
    var instances = new InstanceStore(database);
    assertThat(refusal(() -> instances.find(ID).await())).isEqualTo(damaged);
    assertThat(refusal(() -> instances.journal(ID).await())).isEqualTo(damaged);
    assertThat(refusal(() -> new TaskStore(database).find(new BookmarkId(ID, 1)).await()))
        .isEqualTo(damaged);
    assertThat(refusal(() -> timer(database, "child-i1"))).isEqualTo(damaged);
    assertThat(timer(database, "child-i2").payload()).isEqualTo(childPayload());
  }

  @Test
  void an_older_state_is_not_read_as_a_newer_one(Database database, Vertx vertx) {
    EncryptedValues.in(database);
    commit(database, vertx, Samples.transition("i1", 1));
    TestSql.change(database, "create table before as select state from workflow_instances");
    commit(database, vertx, Samples.transition("i1", 2));

    TestSql.change(database, "update workflow_instances i set state = b.state from before b");

    assertThat(refusal(() -> new InstanceStore(database).find(ID).await()))
        .isEqualTo(ErrorCode.ENCRYPTED_VALUE_DAMAGED);
  }

  @Test
  void a_job_that_cannot_be_read_does_not_keep_others_from_their_workers(
      Database database, Vertx vertx) {
    EncryptedValues.in(database);
    commitAll(database, vertx, ID);
    commitAll(database, vertx, new InstanceId("i2"));
    TestSql.change(
        database, "update bookmarks set job = '{\"sealed\":\"7gAA\"}' where id = 'i1-2'");
    var order = new JobRows.Order(List.of("charge"), "w1", 10, Duration.ofSeconds(30), 100);

    var leased = new JobStore(database).lease(order).await();

    assertThat(leased)
        .singleElement()
        .satisfies(job -> {
          assertThat(job.id()).isEqualTo(new BookmarkId(new InstanceId("i2"), 2));
          assertThat(job.job()).isEqualTo(jobPayload());
        });
  }

  @Test
  void a_node_without_the_key_neither_starts_nor_reads(Database database, Vertx vertx) {
    EncryptedValues.in(database);
    commit(database, vertx, Samples.transition("i1", 1));
    var other = sameSchema(database);
    var keys = EncryptedValues.dataKeys(other, true);
    var wrong = MasterKey.parse(EncryptedValues.line('b'));

    assertThat(refusal(() -> keys.check(List.of()).await()))
        .isEqualTo(ErrorCode.ENCRYPTION_KEY_MISSING);
    assertThat(refusal(() -> keys.check(wrong).await()))
        .isEqualTo(ErrorCode.ENCRYPTION_KEY_MISSING);
    assertThat(refusal(() -> new InstanceStore(other).find(ID).await()))
        .isEqualTo(ErrorCode.ENCRYPTION_KEY_MISSING);
    assertThat(keys.trouble()).contains("encryption.master-key-file");

    keys.check(EncryptedValues.MASTER).await();
    keys.refresh("n2", EncryptedValues.MASTER).await();
    assertThat(new InstanceStore(other).find(ID).await()).isEqualTo(Samples.instance("i1", 1));
    assertThat(keys.trouble()).isNull();
  }

  @Test
  void nothing_is_encrypted_before_every_node_has_the_key(Database database) {
    node(database, "old", "null");
    node(database, "n1", "null");
    var keys = EncryptedValues.dataKeys(database, true);

    keys.refresh("n1", EncryptedValues.MASTER).await();
    assertThat(database.keys().current()).isZero();
    assertThat(compatibleWith(database)).isEqualTo(24);

    TestSql.change(database, "update nodes set encryption_key = 1 where id = 'old'");
    keys.refresh("n1", EncryptedValues.MASTER).await();
    assertThat(database.keys().current()).isEqualTo(1);
    assertThat(compatibleWith(database)).isEqualTo(25);
  }

  @Test
  void a_new_data_key_is_used_for_what_is_written_then(Database database, Vertx vertx) {
    EncryptedValues.in(database);
    commit(database, vertx, Samples.transition("i1", 1));
    var other = EncryptedValues.in(sameSchema(database));

    EncryptedValues.dataKeys(database, true).rotate(EncryptedValues.MASTER).await();
    EncryptedValues.in(database);
    commit(database, vertx, Samples.transition("i2", 1));

    assertThat(keyNumber(database, "i1")).isEqualTo(1);
    assertThat(keyNumber(database, "i2")).isEqualTo(2);
    assertThat(new InstanceStore(database).find(ID).await()).isNotNull();
    EncryptedValues.in(other);
    assertThat(new InstanceStore(other).find(new InstanceId("i2")).await()).isNotNull();
  }

  @Test
  void a_key_that_is_too_old_is_followed_by_a_new_one(Database database) {
    EncryptedValues.in(database);
    TestSql.change(database, "update encryption_keys set made_at = now() - interval '91 days'");

    EncryptedValues.in(database);

    assertThat(database.keys().current()).isEqualTo(2);
  }

  @Test
  void a_new_master_key_wraps_the_data_keys_again(Database database, Vertx vertx) {
    EncryptedValues.in(database);
    commit(database, vertx, Samples.transition("i1", 1));
    var both = MasterKey.parse(EncryptedValues.line('b') + "\n" + EncryptedValues.line('a') + "\n");
    var onlyNew = MasterKey.parse(EncryptedValues.line('b'));
    var third = sameSchema(database);

    EncryptedValues.dataKeys(database, true).refresh("test", both).await();

    var other = sameSchema(database);
    EncryptedValues.dataKeys(other, true).refresh("n2", onlyNew).await();
    assertThat(new InstanceStore(other).find(ID).await()).isEqualTo(Samples.instance("i1", 1));
    assertThat(
            refusal(
                () -> EncryptedValues.dataKeys(third, true).check(EncryptedValues.MASTER).await()))
        .isEqualTo(ErrorCode.ENCRYPTION_KEY_MISSING);
  }

  @Test
  void answers_that_are_kept_for_repetitions_are_encrypted(Database database) {
    EncryptedValues.in(database);
    var store = new KeyStore(database);
    var claim = new Claim("k1", "f", UUID.randomUUID(), "n1");
    store.claim(claim, List.of("n1"), Duration.ofMinutes(1), Duration.ofHours(1)).await();
    var answer = new Written(200, "{\"headers\":{\"x\":\"" + WORD + "\"}}", Buffer.buffer(WORD));

    assertThat(store.finish("k1", claim.id(), answer, false).await())
        .isEqualTo(IdempotencyKeys.Kept.YES);
    assertThat(store.finish("k1", claim.id(), answer, false).await())
        .isEqualTo(IdempotencyKeys.Kept.YES);

    assertThat(EncryptedValues.rowsWith(database, WORD)).isEmpty();
    var found = store.find("k1", List.of("n1")).await();
    assertThat(found).isNotNull();
    assertThat(found.written()).isEqualTo(answer);
  }

  @Test
  void a_refusal_is_compared_with_what_is_stored(Database database) {
    EncryptedValues.in(database);
    var store = new KeyStore(database);
    var claim = new Claim("k1", "f", UUID.randomUUID(), "n1");
    store.claim(claim, List.of("n1"), Duration.ofMinutes(1), Duration.ofHours(1)).await();
    var refusal = new Written(409, "{}", Buffer.buffer("no"));

    store.finish("k1", claim.id(), refusal, true).await();

    assertThat(store.finish("k1", claim.id(), refusal, true).await())
        .isEqualTo(IdempotencyKeys.Kept.YES);
  }

  @Test
  void alterations_are_encrypted_in_their_plan_and_on_their_way(Database database) {
    EncryptedValues.in(database);
    var alterations = List.of(Map.of("type", "ModifyVariable", "value", WORD));
    var store = new AlterationStore(database);

    store.submit("p1", alterations, List.of(ID), TenantScope.ALL, "kim").await();

    assertThat(EncryptedValues.rowsWith(database, WORD)).isEmpty();
    var plan = store.find("p1", 0, 100).await();
    assertThat(plan).isNotNull();
    assertThat(plan.alterations()).isEqualTo(alterations);
    assertThat(timer(database, "alter-p1:i1").payload())
        .isEqualTo(Map.of("planId", "p1", "alterations", alterations, "actor", "kim"));
  }

  private static ErrorCode refusal(ThrowingCallable call) {
    var refused = catchThrowableOfType(SkeinException.class, call);
    assertThat(refused).isNotNull();
    return refused.code();
  }

  private static Timer timer(Database database, String id) {
    var store = new TimerStore(database);
    var due = store.due(TimerShard.ONLY, Duration.ofDays(1), Instant.EPOCH, "", 100).await();
    var stored = due.stream().filter(timer -> timer.id().equals(id)).findFirst().orElseThrow();
    return store.opened(stored);
  }

  private static Database sameSchema(Database database) {
    return TestDatabase.database(TestDatabase.vertx(), database.options().schema());
  }

  private static void node(Database database, String id, String key) {
    TestSql.change(
        database,
        "insert into nodes (id, name, cluster, format, schema_version, activities, started_at,"
            + " seen_at, encryption_key) values ($1, $1, 'c', 2, 25, '{}', now(), now(), "
            + key
            + ")",
        id);
  }

  private static long compatibleWith(Database database) {
    return TestDatabase.number(
        database, "select compatible_with::int8 from schema_version where version = 25");
  }

  private static int firstByte(Database database, String id) {
    var sql = "select get_byte(state, 0)::int8 from workflow_instances where id = $1";
    return (int) TestDatabase.number(database, sql, id);
  }

  private static int keyNumber(Database database, String id) {
    var sql = "select get_byte(state, 4)::int8 from workflow_instances where id = $1";
    return (int) TestDatabase.number(database, sql, id);
  }

  private static WorkflowInstance instance(InstanceId id) {
    var plain = Samples.instance(id.value(), 1);
    return new WorkflowInstance(
        id,
        plain.definition(),
        plain.status(),
        1,
        plain.labels(),
        plain.timing(),
        plain.counters(),
        null,
        Map.of("in", WORD),
        Map.of("out", WORD),
        Map.of(),
        List.of(),
        bookmarks(id),
        List.of(),
        List.of(),
        null);
  }

  private static List<Bookmark> bookmarks(InstanceId id) {
    return List.of(
        bookmark(id, 1, "Skein.UserTask", Map.of("title", WORD, "subjects", List.of("user:kim"))),
        bookmark(id, 2, Bookmark.JOB, jobPayload()));
  }

  private static Map<String, Object> jobPayload() {
    return Map.of("type", "charge", "payload", Map.of("card", WORD), "attempt", 1L);
  }

  private static Map<String, Object> childPayload() {
    return Map.of("definitionId", "Child", "parentId", "p", "input", Map.of("secret", WORD));
  }

  private static Bookmark bookmark(InstanceId id, int number, String name, Object payload) {
    return new Bookmark(
        new BookmarkId(id, number),
        name,
        "H" + number,
        payload,
        "a",
        "w:a",
        number,
        Samples.NOW,
        null,
        null,
        null);
  }

  private static JournalEntry entry() {
    return new JournalEntry(
        1,
        Samples.NOW,
        1,
        0,
        "a",
        "w:a",
        "Elsa.WriteLine",
        1,
        null,
        "Completed",
        "says " + WORD,
        Map.of("state", Map.of("Text", WORD), "outcomes", List.of("Done")));
  }

  /** All that one commit can write of what a workflow has. */
  private static void commitAll(Database database, Vertx vertx, InstanceId id) {
    var commit = UUID.randomUUID();
    var keys = new KeyStore(database);
    var claim = new Claim("key-" + id, "f", commit, "n1");
    keys.claim(claim, List.of("n1"), Duration.ofMinutes(1), Duration.ofHours(1)).await();
    var timer = new Timer("child-" + id, Samples.NOW, id, Timer.Kind.Child, childPayload());
    commit(
        database,
        vertx,
        new Transition(
            instance(id),
            commit,
            Transition.Guard.NONE,
            bookmarks(id),
            List.of(),
            List.of(timer),
            List.of(),
            List.of(entry()),
            List.of(),
            List.of(),
            new Transition.Kept("key-" + id, WORD.getBytes(StandardCharsets.UTF_8), true)));
  }

  private static void assertAllIsRead(Database database) {
    var instances = new InstanceStore(database);
    assertThat(instances.find(ID).await()).isEqualTo(instance(ID));
    assertThat(instances.journal(ID).await()).containsExactly(entry());
    var journal = new JournalStore(database);
    assertThat(journal.page(ID, JournalStore.Filter.ALL, 0, 10).await().entries())
        .containsExactly(entry());
    var completed =
        new JournalStore.Filter(List.of("a"), List.of(), List.of(), List.of("Completed"));
    assertThat(journal.page(ID, completed, 0, 10).await().entries()).containsExactly(entry());
    assertThat(timer(database, "child-i1").payload()).isEqualTo(childPayload());
    var task = new TaskStore(database).find(new BookmarkId(ID, 1)).await();
    assertThat(task).isNotNull();
    assertThat(task.task()).containsEntry("title", WORD);
    var kept = new KeyStore(database).find("key-i1", List.of("n1")).await();
    assertThat(kept).isNotNull();
    assertThat(kept.reply()).isEqualTo(Buffer.buffer(WORD));
    var usage = new ActivityUsageStore(database, 10);
    var asked = new ActivityUsageStore.Query("Order", null, Instant.EPOCH);
    assertThat(usage.usage(asked).await().activities())
        .singleElement()
        .satisfies(of -> assertThat(of.outcomes()).containsEntry("Done", 1L));
  }

  private static void commit(Database database, Vertx vertx, Transition transition) {
    var context = vertx.getOrCreateContext();
    var committer = new Committer(vertx, context, database, OPTIONS, "test");
    var promise = Promise.<Proposal.Outcome>promise();
    Future<Proposal.Outcome> outcome = promise.future();
    context.runOnContext(_ -> committer.commit(Samples.proposal(transition)).onComplete(promise));
    assertThat(outcome.await()).isEqualTo(Proposal.Outcome.COMMITTED);
  }
}
