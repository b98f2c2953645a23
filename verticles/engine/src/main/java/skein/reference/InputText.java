package skein.reference;

import java.util.ArrayList;
import java.util.List;
import skein.activities.Input;

/** The description of an input, in a sentence or two. */
final class InputText {
  /** Of longer lists the first and the last are named. */
  private static final int CHOICES_MAX = 20;

  private InputText() {}

  static String of(Input input) {
    var words = new ArrayList<String>();
    words.add(TypeNames.shown(input.typeName()) + ".");
    var said = input.editor().description();
    if (said != null) {
      words.add(said);
    }
    words.addAll(List.of(choices(input, ""), form(input), secrecy(input)));
    words.removeIf(String::isEmpty);
    return String.join(" ", words);
  }

  /** {@code quote}: around each of them. */
  static String choices(Input input, String quote) {
    var choices =
        input.editor().choices().stream()
            .filter(choice -> !choice.isEmpty())
            .map(choice -> quote + choice + quote)
            .toList();
    if (choices.isEmpty()) {
      return "";
    }
    return "Designers offer "
        + (choices.size() <= CHOICES_MAX
            ? String.join(", ", choices)
            : choices.size() + ", from " + choices.getFirst() + " to " + choices.getLast())
        + ".";
  }

  static String form(Input input) {
    return switch (input.form()) {
      case EVALUATED, OWN -> "";
      case LAZY -> "Evaluated whenever it is needed.";
      case RAW -> "Plain JSON, no expression.";
    };
  }

  static String secrecy(Input input) {
    return switch (input.secrecy()) {
      case NONE -> "";
      case ALL -> "Secret: the journal does not show it.";
      case CONNECTION -> "Secret unless it is the name of a data source.";
      case HEADERS -> "Credentials in it are secret.";
      case URL -> "Credentials in its query are secret.";
    };
  }
}
