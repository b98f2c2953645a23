package skein.forms;

import org.jspecify.annotations.Nullable;

/** The place of a value in the checked data; formatted only for an error. */
record FormLocation(@Nullable FormLocation parent, Object step) {
  static final FormLocation WHOLE = new FormLocation(null, "");

  FormLocation at(Object nameOrIndex) {
    return new FormLocation(this, nameOrIndex);
  }

  /** {@code /lines/0/amount}; the whole is {@code result}. */
  String words() {
    if (parent == null) {
      return "result";
    }
    var words = new StringBuilder();
    for (var at = this; at.parent != null; at = at.parent) {
      words.insert(0, "/" + escaped(String.valueOf(at.step)));
    }
    return words.toString();
  }

  /** As a JSON pointer has it; long names are cut. */
  static String escaped(String name) {
    return cut(name).replace("~", "~0").replace("/", "~1");
  }

  static String cut(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }
}
