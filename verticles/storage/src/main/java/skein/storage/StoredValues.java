package skein.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.encryption.KeyRing;
import skein.encryption.Sealer;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Values of workflows in the database, as they are stored: encrypted if the node has a key for it,
 * and bound to its place, so that no value is read at another. Values that are stored without
 * encryption are read as they are. Thread-safe.
 *
 * <p>In JSON, {@value #SEALED} is the member that has what was encrypted, in Base64; members that
 * statements look at, which are names and ids, stay beside it.
 */
final class StoredValues {
  static final String SEALED = "sealed";

  private final KeyRing keys;

  StoredValues(KeyRing keys) {
    this.keys = keys;
  }

  /**
   * Where a value is.
   *
   * @param subject whose it is: values of one subject have one key
   * @param column of the table
   * @param row the kind of row
   * @param key distinguishes such rows of the subject; null: there is one
   */
  record Place(String subject, String column, String row, @Nullable Object key) {
    static Place state(InstanceId id, long revision) {
      return new Place(id.value(), "state", "revision", revision);
    }

    static Place reply(InstanceId id, UUID commandId) {
      return new Place(id.value(), "reply", "commit", commandId);
    }

    static Place entry(InstanceId id, long sequence) {
      return new Place(id.value(), "journal", "entry", sequence);
    }

    static Place task(BookmarkId id) {
      return new Place(id.instanceId().value(), "task", "bookmark", id);
    }

    static Place job(BookmarkId id) {
      return new Place(id.instanceId().value(), "job", "bookmark", id);
    }

    static Place timer(InstanceId id, String timerId) {
      return new Place(id.value(), "payload", "timer", timerId);
    }

    static Place plan(String planId) {
      return new Place(planId, "alterations", "plan", null);
    }

    static Place answer(String key) {
      return new Place(key, "answer", "idempotency key", null);
    }

    static Place reply(String key) {
      return new Place(key, "reply", "idempotency key", null);
    }

    private String within() {
      return column + " of " + row + (key == null ? "" : " " + key);
    }
  }

  byte[] seal(Place place, byte[] clear) {
    var sealer = keys.sealer(place.subject());
    return sealer == null ? clear : sealer.seal(place.within(), clear);
  }

  /** A value that does not begin as an encrypted one does is returned as it is. */
  byte[] open(Place place, byte[] stored) {
    return KeyRing.isSealed(stored) ? keys.open(place.subject(), place.within(), stored) : stored;
  }

  @Nullable Buffer seal(Place place, @Nullable Buffer clear) {
    var sealer = clear == null ? null : keys.sealer(place.subject());
    return clear == null || sealer == null
        ? clear
        : Buffer.buffer(sealer.seal(place.within(), clear.getBytes()));
  }

  @Nullable Buffer open(Place place, @Nullable Buffer stored) {
    return stored == null || stored.length() == 0 || !KeyRing.isSealed(stored.getBytes(0, 1))
        ? stored
        : Buffer.buffer(keys.open(place.subject(), place.within(), stored.getBytes()));
  }

  /** {@code clear}: members that stay as they are. */
  Map<?, ?> seal(Place place, Map<?, ?> json, Set<String> clear) {
    if (keys.current() == 0) {
      return json;
    }
    var secret = new LinkedHashMap<Object, @Nullable Object>(json);
    secret.keySet().removeAll(clear);
    var sealer = secret.isEmpty() ? null : keys.sealer(place.subject());
    if (sealer == null) {
      return json;
    }
    var sealed = new LinkedHashMap<Object, @Nullable Object>(json);
    sealed.keySet().retainAll(clear);
    sealed.put(SEALED, sealed(sealer, place, secret));
    return sealed;
  }

  /** {@code {"sealed": …}}; the value itself while nothing is encrypted. */
  Object seal(Place place, Object json) {
    var sealer = keys.sealer(place.subject());
    return sealer == null ? json : Map.of(SEALED, sealed(sealer, place, json));
  }

  /** Opens an object, or the result of {@link #seal(Place, Object)}. */
  @Nullable Object open(Place place, @Nullable Object stored) {
    if (!(stored instanceof Map<?, ?> json) || !json.containsKey(SEALED)) {
      return stored;
    }
    var opened = opened(place, json.get(SEALED));
    if (!(opened instanceof Map<?, ?> secret)) {
      return opened;
    }
    var whole = new LinkedHashMap<Object, @Nullable Object>(json);
    whole.remove(SEALED);
    whole.putAll(secret);
    return whole;
  }

  /** Opens a JSON object. */
  @SuppressWarnings("unchecked")
  Map<String, @Nullable Object> openObject(Place place, String stored) {
    var opened = open(place, (Object) JsonText.parseObject(stored, JsonLimits.STORED));
    if (!(opened instanceof Map<?, ?> json)) {
      throw SkeinException.encryptedValueDamaged(place.subject(), place.within(), null);
    }
    return (Map<String, @Nullable Object>) json;
  }

  /** Whether it would be stored as it is: with this key, or with none. */
  boolean isCurrent(byte[] stored) {
    int key = KeyRing.isSealed(stored) ? KeyRing.keyOf(stored) : 0;
    return key == keys.current();
  }

  /** The same of what was encrypted in JSON; null: nothing was. */
  boolean isCurrent(@Nullable Object sealed) {
    int key = 0;
    if (sealed instanceof String text) {
      try {
        key = KeyRing.keyOf(Base64.getDecoder().decode(text));
      } catch (IllegalArgumentException _) {
        key = 0;
      }
    }
    return key == keys.current();
  }

  /** The entries of one transition, or those that are read of one instance. */
  Entries entries(InstanceId id) {
    return new Entries(id, keys.sealer(id.value()));
  }

  /** Encrypts what entries of an instance's journal say, and decrypts it. */
  final class Entries {
    private final InstanceId id;
    private final @Nullable Sealer sealer;

    private Entries(InstanceId id, @Nullable Sealer sealer) {
      this.id = id;
      this.sealer = sealer;
    }

    /** False: all of them are stored as they are. */
    boolean isEncrypting() {
      return sealer != null;
    }

    /** Null: it is stored as it is. */
    @Nullable String seal(long sequence, List<@Nullable Object> secret) {
      return sealer == null ? null : sealed(sealer, Place.entry(id, sequence), secret);
    }

    List<?> open(long sequence, @Nullable Object sealed) {
      return opened(Place.entry(id, sequence), sealed) instanceof List<?> secret
          ? secret
          : List.of();
    }
  }

  private static String sealed(Sealer sealer, Place place, Object secret) {
    var sealed = sealer.seal(place.within(), JsonText.print(secret).getBytes(UTF_8));
    return Base64.getEncoder().encodeToString(sealed);
  }

  private @Nullable Object opened(Place place, @Nullable Object sealed) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(String.valueOf(sealed));
    } catch (IllegalArgumentException e) {
      throw SkeinException.encryptedValueDamaged(place.subject(), place.within(), e);
    }
    var opened = keys.open(place.subject(), place.within(), bytes);
    return JsonText.parse(new String(opened, UTF_8), JsonLimits.STORED);
  }
}
