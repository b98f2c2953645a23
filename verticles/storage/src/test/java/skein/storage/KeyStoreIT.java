package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.storage.IdempotencyKeys.Claim;
import skein.storage.IdempotencyKeys.Found;
import skein.storage.IdempotencyKeys.Kept;
import skein.storage.IdempotencyKeys.Written;

/** The statements on the rows of idempotency keys, each repeated, late, or by another node. */
class KeyStoreIT {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<String> MEMBERS = List.of("n1", "n2");
  private static final Written ANSWER = new Written(200, "{}", Buffer.buffer("done"));
  private static Database database;
  private static KeyStore store;
  private String key = "";

  @BeforeAll
  static void migrate() {
    database = TestDatabase.migrated();
    store = new KeyStore(database);
  }

  @BeforeEach
  void another() {
    key = UUID.randomUUID().toString();
  }

  private Claim by(String node) {
    return new Claim(key, "print", UUID.randomUUID(), node);
  }

  private static Found claim(Claim claim, Duration lease) {
    return store.claim(claim, MEMBERS, lease, HOUR).await();
  }

  private long rows(String condition) {
    return TestDatabase.number(
        database, "select count(*) from idempotency_keys where key = $1 and " + condition, key);
  }

  @Test
  void a_claim_that_is_made_twice_is_one() {
    var claim = by("n1");

    assertThat(claim(claim, HOUR).mine()).isTrue();
    assertThat(claim(claim, HOUR).mine()).isTrue();

    assertThat(claim(by("n2"), HOUR))
        .isEqualTo(new Found(false, "print", true, null, false, null, null));
    assertThat(store.holds(key, claim.id()).await()).isTrue();
  }

  @Test
  void a_claim_is_renewed_by_whoever_has_it_and_else_free_after_its_lease() {
    var claim = by("n1");
    claim(claim, Duration.ZERO);
    assertThat(store.renew(Map.of(claim.id(), key, UUID.randomUUID(), key), HOUR).await())
        .containsExactly(claim.id());
    assertThat(claim(by("n2"), HOUR).mine()).isFalse();

    store.renew(Map.of(claim.id(), key), Duration.ZERO).await();
    var other = by("n2");
    assertThat(claim(other, HOUR).mine()).isTrue();

    assertThat(store.renew(Map.of(claim.id(), key), HOUR).await()).isEmpty();
    assertThat(store.holds(key, claim.id()).await()).isFalse();
    assertThat(store.finish(key, claim.id(), ANSWER, false).await()).isEqualTo(Kept.TAKEN_OVER);
    store.release(key, claim.id()).await();
    assertThat(store.holds(key, other.id()).await()).isTrue();
  }

  @Test
  void a_refusal_is_kept_once_and_not_after_a_commit() {
    var refusal = new Written(404, "{}", Buffer.buffer("no"));
    var claim = by("n1");
    claim(claim, HOUR);
    for (int i = 0; i < 2; i++) { // As after an answer that was lost.
      assertThat(store.finish(key, claim.id(), refusal, true).await()).isEqualTo(Kept.YES);
    }
    assertThat(claim(by("n2"), HOUR).written()).isEqualTo(refusal);

    key = "after a commit " + key;
    for (boolean complete : new boolean[] {false, true}) {
      key += complete;
      var committed = by("n1");
      claim(committed, HOUR);
      var reply = Buffer.buffer("reply");
      var kept = new Transition.Kept(key, reply.getBytes(), complete);
      var stimuli = new StimulusStore(database);
      var list = Buffer.buffer("[]");
      assertThat(stimuli.deliverOnce(kept, committed.id(), List.of(), list, 1).await()).isTrue();

      assertThat(store.finish(key, committed.id(), refusal, true).await())
          .isEqualTo(Kept.TAKEN_OVER);
      var refused = Buffer.buffer("refused");
      assertThat(store.finish(key, committed.id(), refused, true).await())
          .isEqualTo(Kept.TAKEN_OVER);

      var found = store.find(key, MEMBERS).await();
      assertThat(found == null ? null : found.reply()).isEqualTo(reply);
      assertThat(found == null ? null : found.written()).isNull();
    }
  }

  @Test
  void an_answer_is_not_kept_when_whoever_took_the_claim_over_has_released_it() {
    var claim = by("n1");
    claim(claim, Duration.ZERO);
    var other = by("n2");
    assertThat(claim(other, HOUR).mine()).isTrue();
    store.release(key, other.id()).await();

    assertThat(store.finish(key, claim.id(), ANSWER, false).await()).isEqualTo(Kept.NO);

    assertThat(store.find(key, MEMBERS).await()).isNull();
  }

  @Test
  void a_claim_of_a_node_that_is_gone_is_free_at_once() {
    claim(by("gone"), HOUR);

    assertThat(claim(by("n1"), HOUR).mine()).isTrue();
  }

  @Test
  void an_answer_is_kept_once_and_may_be_written_again() {
    var claim = by("n1");
    claim(claim, HOUR);

    assertThat(store.finish(key, claim.id(), ANSWER, false).await()).isEqualTo(Kept.YES);
    var otherwise = new Written(500, "{}", Buffer.buffer("x"));
    assertThat(store.finish(key, claim.id(), otherwise, false).await()).isEqualTo(Kept.YES);

    assertThat(claim(by("n2"), HOUR).written()).isEqualTo(ANSWER);
    assertThat(store.find(key, MEMBERS).await())
        .isEqualTo(new Found(false, "print", true, null, true, ANSWER, null));
  }

  @Test
  void a_claim_that_arrives_after_it_was_revoked_claims_nothing() {
    var claim = by("n1");
    store.revoke(claim).await();

    assertThat(claim(claim, HOUR).mine()).isFalse();

    assertThat(store.holds(key, claim.id()).await()).isFalse();
    assertThat(store.find(key, MEMBERS).await()).isNull();
    assertThat(store.removeExpired(100).await()).isZero();
    assertThat(claim(by("n2"), HOUR).mine()).isTrue();
  }

  @Test
  void a_revoked_claim_commits_nothing_and_is_removed_after_a_minute() {
    var claim = by("n1");
    claim(claim, HOUR);
    store.revoke(claim).await();
    assertThat(store.holds(key, claim.id()).await()).isFalse();
    assertThat(rows("status = 0")).isEqualTo(1);

    TestDatabase.number(
        database,
        "with aged as (update idempotency_keys set expires_at = now() - interval '61 s'"
            + " where key = $1) select 1::int8",
        key);

    store.removeExpired(100).await();
    assertThat(rows("true")).isZero();
  }

  @Test
  void what_was_committed_and_not_answered_is_taken_over_with_its_reply() {
    var claim = by("n1");
    claim(claim, Duration.ofMillis(1));
    var reply = Buffer.buffer("reply");
    var list = Buffer.buffer("[]");
    var kept = new Transition.Kept(key, reply.getBytes(), false);
    var stimuli = new StimulusStore(database);
    for (int i = 0; i < 2; i++) { // As after an answer that was lost.
      assertThat(stimuli.deliverOnce(kept, claim.id(), List.of(), list, 1).await()).isTrue();
    }

    var other = by("n2");
    assertThat(claim(other, HOUR))
        .isEqualTo(new Found(true, "print", false, reply, false, null, list));

    assertThat(stimuli.deliverOnce(kept, claim.id(), List.of(), list, 1).await()).isFalse();
    assertThat(store.holds(key, other.id()).await()).isFalse();
    assertThat(claim(by("n1"), HOUR).live()).isTrue();
    assertThat(store.finish(key, claim.id(), ANSWER, false).await()).isEqualTo(Kept.TAKEN_OVER);
    assertThat(store.finish(key, other.id(), ANSWER, false).await()).isEqualTo(Kept.YES);
    assertThat(claim(by("n1"), HOUR).written()).isEqualTo(ANSWER);
  }

  @Test
  void an_event_of_an_instance_that_was_delivered_is_not_delivered_again() {
    var stimuli = new StimulusStore(database);
    var late =
        new Timer(
            "delivered " + key + "/b",
            Instant.EPOCH,
            new InstanceId("i-1"),
            Timer.Kind.Resume,
            Map.of());

    stimuli.deliver("delivered " + key, List.of(late), 1).await();

    var made = "select count(*) from timers where id = $1";
    assertThat(TestDatabase.number(database, made, late.id())).isZero();
    stimuli.deliver("", List.of(late), 1).await();
    assertThat(TestDatabase.number(database, made, late.id())).isEqualTo(1);
  }
}
