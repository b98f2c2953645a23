package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.model.SkeinException;
import skein.storage.IdempotencyKeys;

/** The rows of keys as {@code KeyStore} has them, and a connection that breaks when told to. */
final class KeysInMemory implements IdempotencyKeys {
  enum Statement {
    CLAIM,
    RENEW,
    FIND,
    FINISH,
    RELEASE,
    REVOKE
  }

  /** The outcome of a statement without an answer. */
  enum Lost {
    BEFORE_IT_ARRIVED,
    AFTER_IT_WAS_DONE,
    ON_ITS_WAY
  }

  private static final class Row {
    String fingerprint = "";
    UUID claim = new UUID(0, 0);
    String node = "";
    long claimedUntil;
    long expiresAt;
    @Nullable Buffer reply;
    @Nullable Buffer deliveries;
    @Nullable Written written;
    boolean complete;
    boolean revoked;
  }

  private final LongSupplier clock;
  private final Map<String, Row> rows = new HashMap<>();
  private final Map<Statement, Queue<Lost>> faults = new HashMap<>();
  private final Map<Statement, Lost> broken = new HashMap<>();
  private final List<@Nullable Object> unheard = new ArrayList<>();
  private final List<Runnable> onTheirWay = new ArrayList<>();
  private final Map<Statement, Integer> counts = new HashMap<>();

  KeysInMemory(LongSupplier clock) {
    this.clock = clock;
  }

  void lose(Statement statement, Lost... what) {
    faults.computeIfAbsent(statement, _ -> new ArrayDeque<>()).addAll(List.of(what));
  }

  /** From now on, until {@link #heal}. */
  void loseAll(Statement statement, Lost what) {
    broken.put(statement, what);
  }

  void heal(Statement statement) {
    broken.remove(statement);
  }

  /** Those that were on their way. */
  void arrive() {
    onTheirWay.forEach(Runnable::run);
    onTheirWay.clear();
  }

  int count(Statement statement) {
    return counts.getOrDefault(statement, 0);
  }

  /** As a commit does that demands the claim. */
  boolean commit(String key, UUID claim, Buffer reply, boolean complete) {
    var row = rows.get(key);
    if (row == null || !mayCommit(row, claim)) {
      return false;
    }
    row.reply = reply;
    row.complete = complete;
    return true;
  }

  private static boolean mayCommit(Row row, UUID claim) {
    return row.claim.equals(claim) && row.reply == null && row.written == null && !row.revoked;
  }

  private <T extends @Nullable Object> Future<T> run(Statement statement, Supplier<T> work) {
    counts.merge(statement, 1, Integer::sum);
    var fault = faults.getOrDefault(statement, new ArrayDeque<>()).poll();
    switch (fault == null ? broken.get(statement) : fault) {
      case null -> {
        return Future.succeededFuture(work.get());
      }
      case BEFORE_IT_ARRIVED -> {}
      case AFTER_IT_WAS_DONE -> unheard.add(work.get());
      case ON_ITS_WAY -> onTheirWay.add(() -> unheard.add(work.get()));
    }
    return Future.failedFuture(
        SkeinException.storageUnavailable(statement.name(), new RuntimeException("cut")));
  }

  @Override
  public Future<Found> claim(
      Claim claim, Collection<String> members, Duration lease, Duration keep) {
    return run(
        Statement.CLAIM,
        () -> {
          long now = clock.getAsLong();
          var row = rows.get(claim.key());
          if (row == null || mayTake(row, claim, members, now)) {
            var taken = new Row();
            taken.expiresAt = now + keep.toNanos();
            if (row != null && row.expiresAt > now && row.reply != null) {
              taken.reply = row.reply;
              taken.deliveries = row.deliveries;
              taken.expiresAt = row.expiresAt;
            }
            taken.fingerprint = claim.fingerprint();
            taken.claim = claim.id();
            taken.node = claim.node();
            taken.claimedUntil = now + lease.toNanos();
            rows.put(claim.key(), taken);
            return found(taken, true, members);
          }
          return found(row, false, members);
        });
  }

  private static boolean mayTake(Row row, Claim claim, Collection<String> members, long now) {
    if (row.claim.equals(claim.id())) {
      return !row.complete;
    }
    return row.expiresAt <= now
        || (row.fingerprint.equals(claim.fingerprint())
            && !row.complete
            && (row.claimedUntil <= now || !members.contains(row.node)));
  }

  private Found found(Row row, boolean mine, Collection<String> members) {
    return new Found(
        mine,
        row.fingerprint,
        row.claimedUntil > clock.getAsLong() && members.contains(row.node),
        row.reply,
        row.complete,
        row.written,
        row.deliveries);
  }

  @Override
  public Future<Set<UUID>> renew(Map<UUID, String> keys, Duration lease) {
    return run(
        Statement.RENEW,
        () -> {
          var renewed = new HashSet<UUID>();
          keys.forEach((claim, key) -> {
            var row = rows.get(key);
            if (row != null && row.claim.equals(claim) && !row.complete) {
              row.claimedUntil = clock.getAsLong() + lease.toNanos();
              renewed.add(claim);
            }
          });
          return renewed;
        });
  }

  @Override
  public Future<@Nullable Found> find(String key, Collection<String> members) {
    return this.<@Nullable Found>run(
        Statement.FIND,
        () -> {
          var row = rows.get(key);
          return row == null || row.expiresAt <= clock.getAsLong()
              ? null
              : found(row, false, members);
        });
  }

  @Override
  public Future<Boolean> holds(String key, UUID claim) {
    var row = rows.get(key);
    return Future.succeededFuture(row != null && mayCommit(row, claim));
  }

  @Override
  public Future<Kept> finish(String key, UUID claim, Written answer, boolean refusal) {
    return finish(
        key,
        claim,
        row -> !refusal || answer.equals(row.written),
        row -> {
          if (!refusal || row.reply == null) {
            row.written = answer;
            row.complete = true;
          }
        });
  }

  @Override
  public Future<Kept> finish(String key, UUID claim, Buffer reply, boolean refusal) {
    return finish(
        key,
        claim,
        row -> !refusal || reply.equals(row.reply),
        row -> {
          if (!refusal || row.reply == null) {
            row.reply = reply;
            row.complete = true;
          }
        });
  }

  private Future<Kept> finish(
      String key, UUID claim, Predicate<Row> isKept, Consumer<Row> writing) {
    return run(
        Statement.FINISH,
        () -> {
          var row = rows.get(key);
          if (row == null) {
            return Kept.NO;
          }
          if (!row.claim.equals(claim)) {
            return Kept.TAKEN_OVER;
          }
          if (!row.complete) {
            writing.accept(row);
          }
          return row.complete && isKept.test(row) ? Kept.YES : Kept.TAKEN_OVER;
        });
  }

  @Override
  public Future<Void> release(String key, UUID claim) {
    return this.<@Nullable Object>run(
            Statement.RELEASE,
            () -> {
              var row = rows.get(key);
              if (row != null && mayCommit(row, claim)) {
                rows.remove(key);
              } else if (row != null && row.claim.equals(claim) && !row.complete) {
                row.claimedUntil = clock.getAsLong();
              }
              return null;
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> revoke(Claim claim) {
    return this.<@Nullable Object>run(
            Statement.REVOKE,
            () -> {
              long now = clock.getAsLong();
              var row = rows.get(claim.key());
              if (row == null) {
                row = new Row();
                row.fingerprint = claim.fingerprint();
                row.claim = claim.id();
                row.node = claim.node();
                rows.put(claim.key(), row);
              } else if (!row.claim.equals(claim.id()) || row.complete) {
                return null;
              }
              row.claimedUntil = now;
              if (row.reply == null) {
                row.expiresAt = now;
                row.complete = true;
                row.revoked = true;
              }
              return null;
            })
        .mapEmpty();
  }
}
