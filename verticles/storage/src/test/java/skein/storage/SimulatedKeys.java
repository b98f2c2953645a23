package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.storage.SimulatedTables.KeyRow;

/** The table of idempotency keys by the rules of {@link KeyStore}. */
final class SimulatedKeys implements IdempotencyKeys {
  private static final Found NOTHING = new Found(false, null, false, null, false, null, null);

  private final SimulatedDatabase database;
  private final SimulatedTables tables;

  SimulatedKeys(SimulatedDatabase database, SimulatedTables tables) {
    this.database = database;
    this.tables = tables;
  }

  private <T extends @Nullable Object> Future<T> run(String what, Supplier<T> effect) {
    return database.run(what, List.of(), effect);
  }

  @Override
  public Future<Found> claim(
      Claim claim, Collection<String> members, Duration lease, Duration keep) {
    var there = List.copyOf(members);
    return run("claim a key", () -> claimNow(claim, there, lease, keep));
  }

  private Found claimNow(Claim claim, List<String> members, Duration lease, Duration keep) {
    var now = database.now();
    var row = tables.keys().get(claim.key());
    if (row != null && !isFree(row, claim, members)) {
      return found(row, members, false);
    }
    boolean lives = row != null && row.expiresAt.isAfter(now);
    var next = new KeyRow();
    next.fingerprint = claim.fingerprint();
    next.claim = claim.id();
    next.node = claim.node();
    next.claimedUntil = now.plus(lease);
    next.expiresAt = now.plus(keep);
    if (row != null && lives) {
      next.reply = row.reply;
      next.body = row.body;
      next.expiresAt = row.reply == null ? next.expiresAt : row.expiresAt;
    }
    tables.keys().put(claim.key(), next);
    var before = row == null ? NOTHING : found(row, members, false);
    return new Found(true, before.fingerprint(), before.live(), next.reply, false, null, next.body);
  }

  private boolean isFree(KeyRow row, Claim claim, Collection<String> members) {
    var now = database.now();
    if (row.claim.equals(claim.id())) {
      return !row.complete;
    }
    return !row.expiresAt.isAfter(now)
        || (row.fingerprint.equals(claim.fingerprint())
            && !row.complete
            && (!row.claimedUntil.isAfter(now) || !members.contains(row.node)));
  }

  private Found found(KeyRow row, Collection<String> members, boolean mine) {
    return new Found(
        mine,
        row.fingerprint,
        row.claimedUntil.isAfter(database.now()) && members.contains(row.node),
        row.reply,
        row.complete,
        row.status == null
            ? null
            : new Written(
                row.status,
                row.head == null ? "" : row.head,
                row.body == null ? Buffer.buffer() : row.body),
        row.status == null ? row.body : null);
  }

  @Override
  public Future<Set<UUID>> renew(Map<UUID, String> keys, Duration lease) {
    var asked = Map.copyOf(keys);
    return run(
        "renew claims",
        () -> {
          var renewed = new HashSet<UUID>();
          asked.forEach((claim, key) -> {
            var row = tables.keys().get(key);
            if (row != null && row.claim.equals(claim) && !row.complete) {
              row.claimedUntil = database.now().plus(lease);
              renewed.add(claim);
            }
          });
          return renewed;
        });
  }

  @Override
  public Future<@Nullable Found> find(String key, Collection<String> members) {
    var there = List.copyOf(members);
    return run(
        "look for a key",
        () -> {
          var row = tables.keys().get(key);
          return row == null || !row.expiresAt.isAfter(database.now())
              ? null
              : found(row, there, false);
        });
  }

  @Override
  public Future<Boolean> holds(String key, UUID claim) {
    return run("ask for a claim", () -> tables.holds(key, claim));
  }

  @Override
  public Future<Kept> finish(String key, UUID claim, Written answer, boolean refusal) {
    return run(
        "keep an answer",
        () ->
            finishNow(
                key,
                claim,
                row -> !refusal || isAnsweredBy(row, answer),
                row -> {
                  if (!refusal || row.reply == null) {
                    row.status = answer.status();
                    row.head = answer.head();
                    row.body = answer.body();
                    row.complete = true;
                  }
                }));
  }

  @Override
  public Future<Kept> finish(String key, UUID claim, Buffer reply, boolean refusal) {
    return run(
        "keep a reply",
        () ->
            finishNow(
                key,
                claim,
                row -> !refusal || reply.equals(row.reply),
                row -> {
                  if (!refusal || row.reply == null) {
                    row.reply = reply;
                    row.body = null;
                    row.complete = true;
                  }
                }));
  }

  private static boolean isAnsweredBy(KeyRow row, Written answer) {
    return row.status != null
        && row.status == answer.status()
        && Objects.equals(row.body, answer.body());
  }

  private Kept finishNow(
      String key, UUID claim, Predicate<KeyRow> isKept, Consumer<KeyRow> change) {
    var row = tables.keys().get(key);
    if (row == null) {
      return Kept.NO;
    }
    if (!row.claim.equals(claim)) {
      return Kept.TAKEN_OVER;
    }
    if (!row.complete) {
      change.accept(row);
    }
    return row.complete && isKept.test(row) ? Kept.YES : Kept.TAKEN_OVER;
  }

  @Override
  public Future<Void> release(String key, UUID claim) {
    return run(
            "release a key",
            () -> {
              var row = tables.keys().get(key);
              if (row == null || !row.claim.equals(claim)) {
                return null;
              }
              if (row.reply == null && row.status == null) {
                tables.keys().remove(key);
              } else if (row.reply != null && !row.complete) {
                row.claimedUntil = database.now();
              }
              return null;
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> revoke(Claim claim) {
    return run("revoke a claim", () -> revokeNow(claim)).mapEmpty();
  }

  private @Nullable Void revokeNow(Claim claim) {
    var now = database.now();
    var row = tables.keys().get(claim.key());
    if (row == null) {
      row = new KeyRow();
      row.fingerprint = claim.fingerprint();
      row.claim = claim.id();
      row.node = claim.node();
      tables.keys().put(claim.key(), row);
    } else if (!row.claim.equals(claim.id()) || row.complete) {
      return null;
    }
    row.claimedUntil = now;
    if (row.reply == null) {
      row.expiresAt = now;
      row.complete = true;
      row.status = 0;
    }
    return null;
  }
}
