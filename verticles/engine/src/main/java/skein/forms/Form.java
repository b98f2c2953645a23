package skein.forms;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** A JSON Schema that was found to be usable. Immutable; any thread may use it. */
public final class Form {
  private static final int CHARS_PER_STEP = 8;

  private final FormLimits limits;
  private final Schema root;

  private Form(FormLimits limits, Schema root) {
    this.limits = limits;
    this.root = root;
  }

  /**
   * Takes time in proportion to the size of the form and of its patterns, both bounded.
   *
   * @throws InvalidFormException when it cannot be used
   */
  public static Form of(Map<String, @Nullable Object> schema, FormLimits limits) {
    return new Form(limits, compiler(schema, limits).compile());
  }

  private static SchemaCompiler compiler(Map<String, @Nullable Object> schema, FormLimits limits) {
    var text = JsonText.printBytes(schema);
    if (text.length > limits.schemaBytesMax()) {
      throw new InvalidFormException(
          List.of(
              "It has %d bytes, more than %d (forms.schema-bytes-max)"
                  .formatted(text.length, limits.schemaBytesMax())));
    }
    return new SchemaCompiler(JsonText.parseObject(text, JsonLimits.STORED), limits);
  }

  /**
   * What was found out about a form.
   *
   * @param problems what keeps it from being used, a sentence each with its place
   * @param patternSize instructions of all its patterns that were compiled
   */
  public record Checked(List<String> problems, long patternSize) {
    public Checked {
      problems = List.copyOf(problems);
    }
  }

  public static Checked check(Map<String, @Nullable Object> schema, FormLimits limits) {
    SchemaCompiler compiler;
    try {
      compiler = compiler(schema, limits);
    } catch (InvalidFormException e) {
      return new Checked(e.problems(), 0);
    }
    try {
      compiler.compile();
      return new Checked(List.of(), compiler.patternSize());
    } catch (InvalidFormException e) {
      return new Checked(e.problems(), compiler.patternSize());
    }
  }

  /**
   * The reasons why a form cannot be used, a sentence each with its place; empty when there are
   * none.
   */
  public static List<String> problems(Map<String, @Nullable Object> schema, FormLimits limits) {
    return check(schema, limits).problems();
  }

  /**
   * What is wrong with the data, a sentence each with its place; empty when nothing is.
   *
   * @throws StarvedCheckException when the machine gave it no time; the same may end well later
   */
  public List<String> errors(@Nullable Object data) {
    return errors(data, System::nanoTime);
  }

  List<String> errors(@Nullable Object data, LongSupplier nanoTime) {
    var text = JsonText.printBytes(data);
    if (text.length > limits.dataBytesMax()) {
      return List.of(
          "result: it has %d bytes, more than %d (forms.data-bytes-max)"
              .formatted(text.length, limits.dataBytesMax()));
    }
    var check = new Check(limits, nanoTime);
    try {
      check.spend(text.length / CHARS_PER_STEP);
      root.check(check, JsonText.parse(text, JsonLimits.STORED), FormLocation.WHOLE, null);
    } catch (Check.ExceededException e) {
      return List.of("result: " + e.getMessage());
    }
    return check.errors();
  }
}
