package skein.encryption;

/**
 * A data key as it is stored.
 *
 * @param number 1 or more; newer keys have higher ones
 * @param masterKeyId of the key that unwraps it
 * @param bytes encrypted
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WrappedKey(int number, String masterKeyId, byte[] bytes) {}
