package skein.node.cli;

import org.jspecify.annotations.Nullable;

/** A path with its query; what is null is left out. */
final class Query {
  private final StringBuilder text;
  private boolean hasQuery;

  Query(String path) {
    text = new StringBuilder(path);
  }

  Query with(String name, @Nullable Object value) {
    if (value != null) {
      text.append(hasQuery ? '&' : '?').append(name).append('=');
      text.append(RemoteOptions.encoded(value.toString()));
      hasQuery = true;
    }
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
