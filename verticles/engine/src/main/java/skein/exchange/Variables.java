package skein.exchange;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.activities.VariableDeclaration;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.model.SkeinException;

/**
 * The variables of one scope as Elsa keeps them: in a dictionary among the properties of a context
 * or, in older versions, of the whole instance, by the id of the variable or by a path that ends
 * with its name. Nothing is kept of a variable that is null or has its default.
 */
final class Variables {
  private static final List<String> DICTIONARIES =
      List.of(ContextWriter.VARIABLES, "PersistentVariablesDictionary");

  private final NavigableMap<String, @Nullable Object> kept = new TreeMap<>();

  /** {@code properties}: decoded. */
  Variables add(Map<String, @Nullable Object> properties) {
    for (var name : DICTIONARIES) {
      if (properties.get(name) instanceof Map<?, ?> dictionary) {
        kept.putAll(Members.of(dictionary));
      }
    }
    return this;
  }

  /** The state of a context that an older version keeps among the properties of the instance. */
  Variables addOf(String contextId, Variables all) {
    all.kept
        .subMap(contextId + ':', contextId + (char) (':' + 1))
        .forEach((path, value) -> kept.put(path.substring(path.lastIndexOf(':') + 1), value));
    return this;
  }

  /**
   * Takes the declared ones out.
   *
   * @param activityId of the scope; Elsa names variables without an id by their place in it
   */
  Map<String, @Nullable Object> take(List<VariableDeclaration> declared, String activityId) {
    var taken = new LinkedHashMap<String, @Nullable Object>();
    for (var i = 0; i < declared.size(); i++) {
      var variable = declared.get(i);
      var key = key(variable, activityId + ":variable-" + (i + 1));
      taken.put(
          variable.id(),
          key == null ? variable.defaultValue() : converted(kept.remove(key), variable.typeName()));
    }
    return taken;
  }

  private @Nullable String key(VariableDeclaration variable, String place) {
    for (var key : List.of(variable.id(), place, variable.name())) {
      if (kept.containsKey(key)) {
        return key;
      }
    }
    return null;
  }

  private static @Nullable Object converted(@Nullable Object value, String typeName) {
    try {
      return Expressions.convert(value, typeName);
    } catch (ExpressionException e) {
      return value; // As an output that does not fit: it is kept as it is.
    }
  }

  /**
   * Takes the others out, by name: those of a loop, and what no declaration names any more.
   *
   * @param given what a loop is known to have given, better than a text of Elsa's says it
   */
  Map<String, @Nullable Object> takeOthers(
      List<Members> dynamic, Map<String, @Nullable Object> given) {
    var taken = new LinkedHashMap<String, @Nullable Object>();
    for (var variable : dynamic) {
      var name = variable.required("name");
      var id = variable.text("id");
      if (id != null && kept.containsKey(id)) {
        taken.put(name, kept.remove(id));
      } else if (given.containsKey(name)) {
        taken.put(name, given.get(name));
      } else {
        taken.put(name, parsed(variable));
      }
    }
    taken.putAll(kept);
    return taken;
  }

  private static @Nullable Object parsed(Members variable) {
    var text = variable.text("value");
    var type = variable.text("typeName");
    if (text == null || type == null || type.equals("String")) {
      return text;
    }
    try {
      return JsonText.parse(text, JsonLimits.STORED);
    } catch (SkeinException e) {
      return text; // Neither a number nor a document.
    }
  }
}
