package skein.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import skein.encryption.KeyRing;
import skein.model.SkeinException;
import skein.storage.IdempotencyKeys.Written;

/** The answer to a request with an idempotency key, encrypted: its head and body as one value. */
final class StoredAnswer {
  /** Stands for the head, which is a JSON object otherwise. */
  private static final String HEAD = "\"sealed\"";

  private StoredAnswer() {}

  static Written seal(String key, Written answer, StoredValues values) {
    var head = answer.head().getBytes(UTF_8);
    var clear =
        Buffer.buffer().appendInt(head.length).appendBytes(head).appendBuffer(answer.body());
    var sealed = values.seal(StoredValues.Place.answer(key), clear.getBytes());
    return KeyRing.isSealed(sealed)
        ? new Written(answer.status(), HEAD, Buffer.buffer(sealed))
        : answer;
  }

  static Written open(String key, Written stored, StoredValues values) {
    if (!HEAD.equals(stored.head())) {
      return stored;
    }
    var place = StoredValues.Place.answer(key);
    var sealed = stored.body().getBytes();
    if (!KeyRing.isSealed(sealed)) {
      throw SkeinException.encryptedValueDamaged(key, "answer", null);
    }
    var clear = Buffer.buffer(values.open(place, sealed));
    int body = Integer.BYTES + clear.getInt(0);
    return new Written(
        stored.status(),
        clear.getString(Integer.BYTES, body),
        clear.getBuffer(body, clear.length()));
  }
}
