package skein.node.config;

import java.util.List;

/** The configuration cannot be used. Holds everything that was found, not the first only. */
public final class ConfigException extends RuntimeException {
  private final List<String> problems;

  public ConfigException(List<String> problems) {
    super(
        problems.size() == 1
            ? "The configuration has a problem: " + problems.getFirst()
            : "The configuration has " + problems.size() + " problems: " + problems);
    this.problems = List.copyOf(problems);
  }

  /** One sentence each, naming the key, the value and where it was written. */
  public List<String> problems() {
    return problems;
  }
}
