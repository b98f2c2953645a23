package skein.node.supply;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Versions from one to another: {@code [4.2.0.Final,4.2.15.Final)} with the first and without the
 * last, {@code (,1.5.24]} from the beginning, {@code [1.0]} that one alone.
 */
record VersionRange(
    Optional<Version> from, boolean withFrom, Optional<Version> to, boolean withTo) {
  private static final Pattern RANGE = Pattern.compile("([\\[(])([^,]*),([^,]*)([])])");
  private static final Pattern ONE = Pattern.compile("\\[([^,]+)]");

  static VersionRange of(String text) {
    var one = ONE.matcher(text);
    if (one.matches()) {
      var version = Optional.of(new Version(one.group(1)));
      return new VersionRange(version, true, version, true);
    }
    var range = RANGE.matcher(text);
    if (!range.matches()) {
      throw new IllegalArgumentException("\"" + text + "\" is not a range of versions");
    }
    var from = end(range.group(2));
    var to = end(range.group(3));
    if (from.isEmpty() && to.isEmpty()) {
      throw new IllegalArgumentException("\"" + text + "\" has no end");
    }
    if (from.isPresent() && to.isPresent() && from.get().compareTo(to.get()) > 0) {
      throw new IllegalArgumentException("\"" + text + "\" ends before it begins");
    }
    return new VersionRange(from, range.group(1).equals("["), to, range.group(4).equals("]"));
  }

  private static Optional<Version> end(String text) {
    return text.isBlank() ? Optional.empty() : Optional.of(new Version(text.strip()));
  }

  boolean contains(Version version) {
    return isAfterStart(version) && isBeforeEnd(version);
  }

  private boolean isAfterStart(Version version) {
    int order = from.map(version::compareTo).orElse(1);
    return withFrom ? order >= 0 : order > 0;
  }

  private boolean isBeforeEnd(Version version) {
    int order = to.map(version::compareTo).orElse(-1);
    return withTo ? order <= 0 : order < 0;
  }
}
