package skein.storage;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.encryption.DataKey;
import skein.encryption.MasterKey;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.DataKeyStore.Stored;

/**
 * Gives the key ring of a database the data keys, and makes and renews them.
 *
 * <p>A data key is used when every node has it: until then each keeps using the one before, or
 * stores values as they are. Once it is used, a node without it does not start. One look at a time.
 */
public final class DataKeys {
  private static final Logger log = LoggerFactory.getLogger(DataKeys.class);

  private final Database database;
  private final DataKeyStore store;
  private final Options options;
  private volatile @Nullable String trouble;

  /**
   * @param enabled whether values are encrypted; what is encrypted is read in any case
   * @param maxAge of a data key, after which a new one is made
   * @param settleTime nodes that were seen within it must have a key before it is used
   */
  public record Options(boolean enabled, Duration maxAge, Duration settleTime) {}

  public DataKeys(Database database, Options options) {
    this.database = database;
    this.store = new DataKeyStore(database);
    this.options = options;
  }

  /** The reason why this node cannot read what the others encrypt; null: there is none. */
  public @Nullable String trouble() {
    int missing = database.keys().missing();
    return missing > 0 ? lacking(List.of(missing)) : trouble;
  }

  private static String lacking(List<Integer> numbers) {
    return "this node lacks the master key of data key "
        + numbers.stream().map(String::valueOf).collect(Collectors.joining(", "))
        + ", by which values in the database are encrypted: set encryption.master-key-file to that"
        + " of the other nodes";
  }

  /**
   * Whether a node with these master keys could read all that is encrypted; changes nothing. Fails
   * with {@code ENCRYPTION_KEY_MISSING}.
   */
  public Future<Void> check(List<MasterKey> masterKeys) {
    return store
        .all()
        .compose(stored -> {
          var lacking = unreadable(stored, known(stored, masterKeys));
          return lacking.isEmpty()
              ? Future.succeededFuture()
              : Future.failedFuture(
                  new SkeinException(ErrorCode.ENCRYPTION_KEY_MISSING, lacking(lacking)));
        });
  }

  /**
   * Reads the keys, and does what is due: makes a key, wraps keys by the first of the master keys,
   * begins to use the newest one.
   *
   * @param nodeId in the table of nodes
   * @param masterKeys as they are now
   */
  public Future<Void> refresh(String nodeId, List<MasterKey> masterKeys) {
    return store
        .all()
        .compose(stored -> made(stored, masterKeys))
        .compose(stored -> {
          var known = known(stored, masterKeys);
          return rewrapped(stored, known, masterKeys)
              .compose(_ -> agreed(nodeId, stored, known, masterKeys))
              .map(agreed -> take(stored, known, agreed));
        });
  }

  /** Makes the next data key now, whatever the age of the last one; nodes take it up. */
  public Future<Integer> rotate(List<MasterKey> masterKeys) {
    if (masterKeys.isEmpty()) {
      throw new IllegalArgumentException("There is no master key: set encryption.master-key-file");
    }
    return store
        .all()
        .compose(stored -> {
          int next = last(stored) + 1;
          return store.add(masterKeys.getFirst().newKey(next)).map(next);
        });
  }

  /**
   * A data key, for people.
   *
   * @param phase {@code new}: not every node has it; {@code used}, {@code retired}
   */
  public record Status(
      int number, String masterKeyId, String phase, Duration age, boolean isReadable) {
    public boolean isInUse() {
      return phase.equals("used");
    }
  }

  /** All keys, the oldest first, and which of them these master keys decrypt. */
  public Future<List<Status>> status(List<MasterKey> masterKeys) {
    return store
        .all()
        .map(stored -> stored.stream().map(each -> status(each, masterKeys)).toList());
  }

  private static Status status(Stored stored, List<MasterKey> masterKeys) {
    var key = stored.key();
    return new Status(
        key.number(),
        key.masterKeyId(),
        stored.retired() ? "retired" : stored.usedAt() == null ? "new" : "used",
        stored.age(),
        MasterKey.unwrap(key, masterKeys) != null);
  }

  /** When no row is encrypted any more: nodes start without the master key. */
  public Future<Void> retireAll() {
    return store.retireAll();
  }

  private static int last(List<Stored> stored) {
    return stored.isEmpty() ? 0 : stored.getLast().key().number();
  }

  private Future<List<Stored>> made(List<Stored> stored, List<MasterKey> masterKeys) {
    var newest = stored.isEmpty() ? null : stored.getLast();
    boolean isDue =
        newest == null
            || newest.retired()
            || (newest.usedAt() != null && newest.age().compareTo(options.maxAge()) > 0);
    if (!options.enabled() || masterKeys.isEmpty() || !isDue) {
      return Future.succeededFuture(stored);
    }
    int number = last(stored) + 1;
    log.atInfo().addKeyValue("key", number).log("encryption.keyMade");
    return store.add(masterKeys.getFirst().newKey(number)).compose(_ -> store.all());
  }

  /** Known keys stay known: the master key may have been removed too early. */
  private Map<Integer, DataKey> known(List<Stored> stored, List<MasterKey> masterKeys) {
    var before = database.keys().known();
    var known = new HashMap<Integer, DataKey>();
    for (var each : stored) {
      var key = before.get(each.key().number());
      var unwrapped = key == null ? MasterKey.unwrap(each.key(), masterKeys) : key;
      if (unwrapped != null) {
        known.put(unwrapped.number(), unwrapped);
      }
    }
    return known;
  }

  private static List<Integer> unreadable(List<Stored> stored, Map<Integer, DataKey> known) {
    return stored.stream()
        .filter(Stored::isInUse)
        .map(each -> each.key().number())
        .filter(number -> !known.containsKey(number))
        .toList();
  }

  private Future<Void> rewrapped(
      List<Stored> stored, Map<Integer, DataKey> known, List<MasterKey> masterKeys) {
    var done = Future.<Void>succeededFuture();
    if (masterKeys.isEmpty()) {
      return done;
    }
    var first = masterKeys.getFirst();
    for (var each : stored) {
      var before = each.key();
      var key = known.get(before.number());
      if (key != null && !before.masterKeyId().equals(first.id())) {
        log.atInfo()
            .addKeyValue("key", before.number())
            .addKeyValue("masterKey", first.id())
            .log("encryption.keyRewrapped");
        done = done.compose(_ -> store.rewrap(before, first.wrap(key)));
      }
    }
    return done;
  }

  /** The newest key that all nodes have. A node without a master key says nothing. */
  private Future<Integer> agreed(
      String nodeId, List<Stored> stored, Map<Integer, DataKey> known, List<MasterKey> masterKeys) {
    if (masterKeys.isEmpty()) {
      return Future.succeededFuture(0);
    }
    int newest = 0;
    for (var each : stored) {
      if (each.retired() || known.containsKey(each.key().number())) {
        newest = each.key().number();
      } else {
        break;
      }
    }
    return store
        .announce(nodeId, newest, options.settleTime())
        .compose(agreed -> used(stored, agreed));
  }

  private Future<Integer> used(List<Stored> stored, int agreed) {
    if (!options.enabled() || stored.isEmpty()) {
      return Future.succeededFuture(agreed);
    }
    var newest = stored.getLast();
    int number = newest.key().number();
    boolean begins = !newest.retired() && newest.usedAt() == null && number <= agreed;
    return begins ? store.use(number).map(agreed) : Future.succeededFuture(agreed);
  }

  private @Nullable Void take(List<Stored> stored, Map<Integer, DataKey> known, int agreed) {
    var lacking = unreadable(stored, known);
    trouble = lacking.isEmpty() ? null : lacking(lacking);
    var ring = database.keys();
    int before = ring.current();
    DataKey current = lacking.isEmpty() ? null : known.get(before);
    for (var each : stored) {
      int number = each.key().number();
      boolean isUsed = each.usedAt() != null || (number == last(stored) && number <= agreed);
      if (!each.retired() && isUsed) {
        current = known.getOrDefault(number, current);
      }
    }
    ring.set(known, options.enabled() ? current : null);
    if (ring.current() != before) {
      log.atInfo()
          .addKeyValue("key", ring.current())
          .addKeyValue("before", before)
          .log("encryption.keyChanged");
    }
    return null;
  }
}
