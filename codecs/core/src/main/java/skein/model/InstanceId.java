package skein.model;

/**
 * Names one workflow instance. 1 to 36 letters, digits, {@code _} or {@code -}; generated ids are
 * ULIDs in lower case, so that they sort by time of creation.
 */
public record InstanceId(String value) implements Comparable<InstanceId> {
  public static final int LENGTH_MAX = 36;

  /** Throws {@code INVALID_ID} for anything else. */
  public InstanceId {
    if (!isValid(value)) {
      throw SkeinException.invalidId("workflow instance", value);
    }
  }

  public static boolean isValid(String value) {
    if (value.isEmpty() || value.length() > LENGTH_MAX) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean letterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letterOrDigit && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  @Override
  public int compareTo(InstanceId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
