package skein.identity;

import java.util.List;

/** The keys of access tokens as they are given to a node. Thread-safe. */
@FunctionalInterface
public interface SigningKeys {
  /**
   * As they are now: the first signs, all are accepted. May block.
   *
   * @throws IllegalArgumentException they cannot be used; the message says why
   */
  List<String> now();
}
