package skein.activities;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;

/** The secrets of the nodes that an activity names in its definition. */
public final class SecretUses {
  /** A secret in the text of a header; group 1 is its name. None begins within another. */
  public static final Pattern IN_HEADER = Pattern.compile("\\$\\{([^{}]*+)}");

  private SecretUses() {}

  /**
   * By member of the activity, as it is written there; what is not the name of a secret is left
   * out.
   */
  public static Map<String, Set<String>> of(ActivityNode node) {
    var uses = new LinkedHashMap<String, Set<String>>();
    for (var input : node.descriptor().inputs()) {
      var names = input.equals(HttpCall.SECRET_HEADERS) ? inHeaders(node) : in(node, input);
      if (!names.isEmpty()) {
        uses.put(input.property(), names);
      }
    }
    return uses;
  }

  private static Set<String> inHeaders(ActivityNode node) {
    var names = new LinkedHashSet<String>();
    if (node.raw(HttpCall.SECRET_HEADERS.property()) instanceof Map<?, ?> written) {
      written
          .values()
          .forEach(value ->
              IN_HEADER
                  .matcher(String.valueOf(value))
                  .results()
                  .forEach(one -> names.add(one.group(1))));
    }
    return names;
  }

  private static Set<String> in(ActivityNode node, Input input) {
    var binding = node.input(input);
    if (binding == null || !Expressions.isSecret(binding.expression())) {
      return Set.of();
    }
    try {
      return Set.of(Expressions.secretName(binding.expression()));
    } catch (ExpressionException _) {
      return Set.of(); // it is refused as such
    }
  }
}
