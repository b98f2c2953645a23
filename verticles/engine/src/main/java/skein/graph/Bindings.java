package skein.graph;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.activities.Activity;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode.Binding;
import skein.activities.Input;
import skein.activities.Json;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.expressions.Expression;
import skein.expressions.Expressions;
import skein.forms.Form;
import skein.forms.FormLimits;
import skein.model.FindingCode;
import skein.model.SkeinException;

/** Reads what the activities of a definition are given and where their outputs go. */
final class Bindings {
  /** Languages whose values are JSON as it stands in the definition, or text that is such. */
  private static final Set<String> WRITTEN = Set.of("literal", "object", "json");

  /** Different forms of a definition together may have the patterns of so many of the largest. */
  private static final int LARGEST_FORMS_MAX = 10;

  private final Expressions expressions;
  private final FormLimits forms;

  /** The findings about each form, by its text: the same form of many tasks is one. */
  private final Map<String, Form.Checked> checkedForms = new HashMap<>();

  private boolean mayBlock;
  private long patternSize;

  Bindings(Expressions expressions, FormLimits forms) {
    this.expressions = expressions;
    this.forms = forms;
  }

  /** Takes what is wrong with an activity. */
  interface Problems {
    /** {@code member}: a JSON Pointer within the activity. */
    void add(FindingCode code, String member, String finding);
  }

  /** The bindings by {@link Input#name}; only for inputs that the activity sets. */
  Map<String, Binding> inputs(
      Map<String, @Nullable Object> json, Activity activity, Problems problems) {
    for (var expression : activity.expressions(json)) {
      mayBlock |= expressions.mayBlock(expression);
      expressions
          .problems(expression)
          .forEach(finding -> problems.add(FindingCode.INVALID_EXPRESSION, "", finding));
    }
    var bindings = new LinkedHashMap<String, Binding>();
    for (var input : activity.descriptor().inputs()) {
      var binding = binding(json, input, problems);
      if (binding != null) {
        bindings.put(input.name(), binding);
      }
    }
    var form = activity.form();
    var held = form == null ? null : bindings.get(form.name());
    if (form != null && held != null) {
      var member = Findings.member(json, form.property());
      checkForm(
          held.expression(), finding -> problems.add(FindingCode.INVALID_FORM, member, finding));
    }
    return bindings;
  }

  /** One that is computed is checked where it is used. */
  private void checkForm(Expression expression, Consumer<String> problem) {
    if (!WRITTEN.contains(expression.type().toLowerCase(Locale.ROOT))) {
      return;
    }
    try {
      if (expression.value() instanceof String text && text.isBlank()) {
        return;
      }
      var form =
          expression.value() instanceof String text
              ? JsonText.parseObject(text, JsonLimits.STORED)
              : Json.object(expression.value());
      if (form == null) {
        problem.accept("its form is wrong (INVALID_FORM): it is no JSON object");
        return;
      }
      var checked = check(form);
      if (checked == null) {
        problem.accept(
            "its form is one too many (INVALID_FORM): the forms before it have patterns of %d times forms.pattern-size-max (%d) instructions; write simpler ones, use the same form in several tasks, or divide the workflow"
                .formatted(LARGEST_FORMS_MAX, forms.patternSizeMax()));
        return;
      }
      checked
          .problems()
          .forEach(found -> problem.accept("its form is wrong (INVALID_FORM) at " + found));
    } catch (SkeinException e) {
      problem.accept("its form is wrong (INVALID_FORM): " + e.detail());
    }
  }

  /** Null when the different forms before it have reached the limit of the definition. */
  private Form.@Nullable Checked check(Map<String, @Nullable Object> form) {
    var text = JsonText.print(form);
    var known = checkedForms.get(text);
    if (known != null || patternSize >= (long) LARGEST_FORMS_MAX * forms.patternSizeMax()) {
      return known;
    }
    var checked = Form.check(form, forms);
    patternSize += checked.patternSize();
    checkedForms.put(text, checked);
    return checked;
  }

  /** Whether an expression so far does not belong on an event loop. */
  boolean mayBlock() {
    return mayBlock;
  }

  /** The targets of the outputs. */
  static Map<String, String> outputs(
      Map<String, @Nullable Object> json, ActivityDescriptor descriptor) {
    var outputs = new LinkedHashMap<String, String>();
    for (var output : descriptor.outputs()) {
      var target = boundTo(Json.member(json, output.property()));
      if (target != null) {
        outputs.put(output.name(), target);
      }
    }
    return outputs;
  }

  private @Nullable Binding binding(
      Map<String, @Nullable Object> json, Input input, Problems problems) {
    var given = Json.member(json, input.property());
    if (given == null || input.isUnbound()) {
      return null;
    }
    var wrapped = Json.object(given);
    var expression = wrapped == null ? new Expression("Literal", given) : wrapped(wrapped);
    if (expression == null) {
      return null;
    }
    for (var finding : expressions.problems(expression)) {
      problems.add(
          FindingCode.INVALID_EXPRESSION,
          Findings.member(json, input.property()),
          "the input " + input.name() + " is wrong: " + finding);
    }
    if (Expressions.isSecret(expression) && !input.takesSecret()) {
      problems.add(
          FindingCode.INVALID_EXPRESSION,
          Findings.member(json, input.property()),
          "the input "
              + input.name()
              + " is wrong: a secret can be Authorization or ConnectionString, a sensitive input of"
              + " an activity of one's own, or stand in SecretHeaders");
    }
    mayBlock |= expressions.mayBlock(expression);
    var written = wrapped == null ? null : Json.text(wrapped, "typeName");
    var typeName =
        written != null && input.typeName().equals("Object") ? written : input.typeName();
    return new Binding(expression, typeName);
  }

  /** An object without an expression is taken as it is, unless it is an input left empty. */
  private static @Nullable Expression wrapped(Map<String, @Nullable Object> wrapped) {
    if (wrapped.containsKey("expression")) {
      return expression(wrapped);
    }
    return wrapped.containsKey("typeName") || wrapped.containsKey("memoryReference")
        ? null
        : new Expression("Literal", wrapped);
  }

  private static @Nullable Expression expression(Map<String, @Nullable Object> wrapped) {
    var expression = Json.object(wrapped.get("expression"));
    if (expression == null) {
      return null;
    }
    var language = Json.text(expression, "type");
    var value = Json.member(expression, "value");
    if (language == null || (value == null && language.equalsIgnoreCase("Literal"))) {
      return null;
    }
    return new Expression(language, value);
  }

  private static @Nullable String boundTo(@Nullable Object output) {
    var wrapped = Json.object(output);
    var reference = wrapped == null ? null : Json.object(wrapped.get("memoryReference"));
    return reference == null ? null : Json.text(reference, "id");
  }
}
