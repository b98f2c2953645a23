package skein.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static skein.ingress.KeysInMemory.Lost.AFTER_IT_WAS_DONE;
import static skein.ingress.KeysInMemory.Lost.BEFORE_IT_ARRIVED;
import static skein.ingress.KeysInMemory.Lost.ON_ITS_WAY;
import static skein.ingress.KeysInMemory.Statement.CLAIM;
import static skein.ingress.KeysInMemory.Statement.FIND;
import static skein.ingress.KeysInMemory.Statement.FINISH;
import static skein.ingress.KeysInMemory.Statement.RELEASE;
import static skein.ingress.KeysInMemory.Statement.RENEW;
import static skein.ingress.KeysInMemory.Statement.REVOKE;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import skein.cluster.Cluster;
import skein.codecs.ReplyBytes;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.IdempotencyKeys.Written;

/** Keys on a clock of their own, with a database whose answers get lost. */
class KeysTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Keys.Options OPTIONS =
      new Keys.Options(Duration.ofHours(1), PATIENCE, Duration.ofMinutes(5), LEASE);
  private static final Written ANSWER = new Written(200, "{}", Buffer.buffer("done"));

  private final ManualDelays delays = new ManualDelays();

  /** Of a frozen node. */
  private final ManualDelays frozen = new ManualDelays();

  private final KeysInMemory store = new KeysInMemory(delays::nanoTime);
  private final Random random = new Random(1);
  private final Keys first = keys("n1", delays);
  private final Keys second = keys("n2", delays);
  private final Keys standing = keys("n3", frozen);

  private Keys keys(String node, ManualDelays by) {
    return new Keys(
        by, store, new Nodes(node), () -> new UUID(random.nextLong(), random.nextLong()), OPTIONS);
  }

  private record Nodes(String name) implements Cluster {
    @Override
    public Node self() {
      return new Node(name, name, 1);
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return self();
    }

    @Override
    public List<Node> members() {
      return List.of(new Node("n1", "n1", 1), new Node("n2", "n2", 1), new Node("n3", "n3", 1));
    }

    @Override
    public void onChange(Runnable listener) {}
  }

  private Keys.Verdict claim(Keys keys) {
    return settled(keys.claim("key", "print"));
  }

  private Once.Claimed claimed(Keys keys) {
    var verdict = claim(keys);
    assertThat(verdict).isInstanceOf(Keys.Verdict.Execute.class);
    return ((Keys.Verdict.Execute) verdict).claim();
  }

  /** What comes of it within the patience that is granted. */
  private <T> T settled(Future<T> future) {
    for (int i = 0; i < 300 && !future.isComplete(); i++) {
      delays.advance(Duration.ofMillis(10));
    }
    assertThat(future.isComplete()).isTrue();
    if (future.cause() instanceof RuntimeException e) {
      throw e;
    }
    return future.result();
  }

  private ErrorCode refusal(Keys keys) {
    return assertThatExceptionOfType(SkeinException.class)
        .isThrownBy(() -> claim(keys))
        .actual()
        .code();
  }

  private ErrorCode refusal(Future<?> future) {
    return assertThatExceptionOfType(SkeinException.class)
        .isThrownBy(() -> settled(future))
        .actual()
        .code();
  }

  @Test
  void a_claim_whose_answer_was_lost_is_made_again_and_is_the_same() {
    store.lose(CLAIM, AFTER_IT_WAS_DONE, BEFORE_IT_ARRIVED, AFTER_IT_WAS_DONE);

    var claim = claimed(first);

    assertThat(store.holds(claim.key(), claim.id()).result()).isTrue();
    assertThat(refusal(second)).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE);
  }

  @Test
  void a_claim_that_was_given_up_leaves_its_key_free() {
    store.loseAll(CLAIM, AFTER_IT_WAS_DONE);
    var claiming = first.claim("key", "print");
    while (!claiming.isComplete()) {
      delays.advance(Duration.ofMillis(10));
    }
    assertThat(claiming.cause())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
    assertThat(delays.nanoTime()).isLessThan(LEASE.dividedBy(2).toNanos());

    store.heal(CLAIM);
    assertThat(claimed(second)).isNotNull();
  }

  @Test
  void a_claim_that_arrives_after_it_was_given_up_claims_nothing() {
    store.loseAll(CLAIM, ON_ITS_WAY);
    var claiming = first.claim("key", "print");
    while (!claiming.isComplete()) {
      delays.advance(Duration.ofMillis(10));
    }
    store.heal(CLAIM);

    store.arrive();

    assertThat(claimed(second)).isNotNull();
  }

  @Test
  void a_claim_that_arrives_twice_commits_nothing_after_its_release() {
    store.lose(CLAIM, ON_ITS_WAY);
    var claim = claimed(first);
    settled(first.release(claim));

    store.arrive();

    assertThat(store.commit(claim.key(), claim.id(), Buffer.buffer("late"), true)).isFalse();
    assertThat(claimed(second)).isNotNull();
  }

  @Test
  void a_release_that_was_lost_is_repeated() {
    store.lose(RELEASE, BEFORE_IT_ARRIVED, BEFORE_IT_ARRIVED);
    var claim = claimed(first);

    settled(first.release(claim));
    var waiting = second.claim("key", "print");
    assertThat(waiting.isComplete()).isFalse();

    assertThat(settled(waiting)).isInstanceOf(Keys.Verdict.Execute.class);
    assertThat(delays.nanoTime()).isLessThan(SECOND.toNanos());
  }

  @Test
  void a_release_that_is_never_heard_of_frees_the_key_when_its_lease_is_over() {
    store.loseAll(RELEASE, BEFORE_IT_ARRIVED);
    settled(first.release(claimed(first)));

    delays.advance(LEASE);

    assertThat(claimed(second)).isNotNull();
    delays.advance(LEASE.multipliedBy(2));
    assertThat(store.count(RELEASE)).isLessThan(20);
  }

  @Test
  void a_long_request_keeps_its_claim_until_it_has_taken_too_long() {
    var claim = claimed(first);

    delays.advance(OPTIONS.claimMax());
    assertThat(refusal(second)).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE);
    assertThat(first.isHeld(claim)).isTrue();

    delays.advance(LEASE);
    assertThat(claimed(second)).isNotNull();
    assertThat(first.isHeld(claim)).isFalse();
  }

  @Test
  void a_renewal_that_is_lost_costs_nothing() {
    var claim = claimed(first);
    store.lose(RENEW, BEFORE_IT_ARRIVED, AFTER_IT_WAS_DONE, BEFORE_IT_ARRIVED);

    delays.advance(LEASE.multipliedBy(3));

    assertThat(refusal(second)).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE);
    assertThat(first.isHeld(claim)).isTrue();
  }

  @Test
  void all_claims_of_a_node_are_renewed_by_one_statement_and_none_by_none() {
    for (int i = 0; i < 50; i++) {
      assertThat(first.claim("key " + i, "print").result())
          .isInstanceOf(Keys.Verdict.Execute.class);
    }
    delays.advance(LEASE);
    assertThat(store.count(RENEW)).isBetween(2, 3);

    var keys = keys("n1", delays);
    int before = store.count(RENEW);
    var brief = keys.claim("short", "print").result();
    assertThat(brief).isInstanceOf(Keys.Verdict.Execute.class);
    settled(keys.keep(((Keys.Verdict.Execute) brief).claim(), ANSWER, null));
    assertThat(store.count(RENEW)).isEqualTo(before);
  }

  @Test
  void nothing_waits_when_all_claims_have_ended() {
    settled(first.keep(claimed(first), ANSWER, null));

    delays.advance(LEASE);

    assertThat(delays.waiting()).isZero();
    assertThat(store.count(RENEW)).isZero();
  }

  @Test
  void the_claim_of_a_node_that_stands_still_is_taken_over_and_commits_nothing() {
    var claim = claimed(standing);
    delays.advance(LEASE);

    var taken = claimed(second);

    assertThat(store.commit(claim.key(), claim.id(), Buffer.buffer("late"), true)).isFalse();
    assertThat(refusal(standing.keep(claim, ANSWER, null)))
        .isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE);
    frozen.advance(LEASE);
    assertThat(standing.isHeld(claim)).isFalse();
    assertThat(store.holds(taken.key(), taken.id()).result()).isTrue();
  }

  @Test
  void an_answer_that_was_lost_is_written_again_and_given_to_who_repeats() {
    store.lose(FINISH, BEFORE_IT_ARRIVED, BEFORE_IT_ARRIVED, AFTER_IT_WAS_DONE);
    var claim = claimed(first);

    settled(first.keep(claim, ANSWER, null));

    assertThat(claim(second)).isEqualTo(new Keys.Verdict.Answered(ANSWER));
    delays.advance(LEASE);
    assertThat(delays.waiting()).isZero();
  }

  @Test
  void a_refusal_is_told_only_when_a_repetition_gets_it_too() {
    var reply = new Reply.Refused(ErrorCode.INSTANCE_FINISHED, "It has ended", List.of());
    var claim = claimed(first);
    store.loseAll(FINISH, BEFORE_IT_ARRIVED);

    assertThat(refusal(first.end(claim, reply))).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);

    store.heal(FINISH);
    delays.advance(SECOND);
    assertThat(claim(second)).isEqualTo(new Keys.Verdict.Committed(reply));
    assertThat(settled(first.end(claim, reply))).isEqualTo(reply);
  }

  @Test
  void a_success_is_told_only_when_a_repetition_gets_it_too() {
    var claim = claimed(first);
    store.loseAll(FINISH, BEFORE_IT_ARRIVED);

    assertThat(refusal(first.keep(claim, ANSWER, null))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);

    store.heal(FINISH);
    delays.advance(SECOND);
    assertThat(claim(second)).isEqualTo(new Keys.Verdict.Answered(ANSWER));
  }

  @Test
  void a_refusal_is_not_told_when_its_claim_was_taken_over_and_released() {
    var reply = new Reply.Refused(ErrorCode.SEVERAL_BOOKMARKS, "Name one", List.of());
    var claim = claimed(standing);
    delays.advance(LEASE);
    settled(second.release(claimed(second)));

    assertThat(refusal(standing.end(claim, reply))).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
    assertThat(claimed(first)).isNotNull();
  }

  @Test
  void an_answer_is_written_even_when_the_database_is_gone_for_longer_than_a_lease() {
    var claim = claimed(first);
    store.loseAll(FINISH, BEFORE_IT_ARRIVED);
    store.loseAll(RENEW, BEFORE_IT_ARRIVED);

    assertThat(refusal(first.keep(claim, ANSWER, null))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    delays.advance(LEASE.multipliedBy(3));
    store.heal(FINISH);
    store.heal(RENEW);
    delays.advance(SECOND);

    assertThat(claim(second)).isEqualTo(new Keys.Verdict.Answered(ANSWER));
  }

  @Test
  void what_was_committed_and_not_answered_is_answered_by_one_alone() {
    var reply = new Reply.Delivered(0, 0, List.of());
    var bytes = Buffer.buffer(ReplyBytes.encode(reply));
    var claim = claimed(standing);
    assertThat(store.commit(claim.key(), claim.id(), bytes, false)).isTrue();
    assertThat(refusal(first)).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE);
    delays.advance(LEASE);

    var verdict = claim(first);

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Keys.Verdict.Continue.class, c -> assertThat(c.from().reply()).isEqualTo(reply));
    assertThat(refusal(second)).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE);
    var other = new Written(200, "{}", Buffer.buffer("of the one that stood still"));
    assertThat(refusal(standing.keep(claim, other, null)))
        .isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE);
    settled(first.keep(((Keys.Verdict.Continue) verdict).claim(), ANSWER, null));
    assertThat(claim(second)).isEqualTo(new Keys.Verdict.Answered(ANSWER));
  }

  @Test
  void a_repetition_that_cannot_look_leaves_nothing_behind() {
    var claim = claimed(first);
    store.lose(FIND, BEFORE_IT_ARRIVED);

    assertThat(refusal(second)).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);

    assertThat(store.count(REVOKE)).isZero();
    assertThat(store.holds(claim.key(), claim.id()).result()).isTrue();
  }
}
