package skein.model;

/**
 * Names a bookmark: its instance and a number that the instance never uses again. Written {@code
 * {instanceId}-{number}}, so the instance is found from the id without a look-up.
 *
 * @param number 1 or more
 */
public record BookmarkId(InstanceId instanceId, int number) {
  public BookmarkId {
    if (number < 1) {
      throw SkeinException.invalidId("bookmark", instanceId + "-" + number);
    }
  }

  /** Reads the written form; throws {@code INVALID_ID} when it is not one. */
  public static BookmarkId parse(String text) {
    int dash = text.lastIndexOf('-');
    if (dash < 1 || text.length() - dash > 10 || !digits(text, dash + 1)) {
      throw SkeinException.invalidId("bookmark", text);
    }
    return new BookmarkId(
        new InstanceId(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
  }

  private static boolean digits(String text, int from) {
    return from < text.length()
        && text.chars().skip(from).allMatch(c -> c >= '0' && c <= '9')
        && text.charAt(from) != '0';
  }

  @Override
  public String toString() {
    return instanceId.value() + "-" + number;
  }
}
