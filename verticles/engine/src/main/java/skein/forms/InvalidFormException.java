package skein.forms;

import java.util.List;

/** A form that cannot be used, whatever is entered. */
public final class InvalidFormException extends RuntimeException {
  private final List<String> problems;

  InvalidFormException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /** A sentence each, with its place in the form: {@code /properties/amount/minimum: …}. */
  public List<String> problems() {
    return problems;
  }
}
