package skein.graph;

import java.util.List;
import java.util.Map;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.model.Finding;
import skein.model.WorkflowDefinition;

/** Makes the graphs of definitions, each with a {@link DefinitionCompiler} of its own. */
public final class GraphCompiler {
  /** Only asks whether expressions parse, which takes no time worth measuring. */
  private static final Expressions PARSER = new Expressions(ExpressionLimits.DEFAULT, () -> 0);

  private GraphCompiler() {}

  /**
   * Never throws: errors are in {@link Graph#problems}, and such a graph runs as far as possible.
   */
  public static Graph compile(WorkflowDefinition definition, Activities activities) {
    return compile(definition, activities, PARSER);
  }

  /** Asks these expressions what they can evaluate. */
  public static Graph compile(
      WorkflowDefinition definition, Activities activities, Expressions expressions) {
    return compile(
        definition, UsedWorkflows.NONE, activities, expressions, CompilerOptions.DEFAULT);
  }

  /** With the definitions that it uses, each in the place of its use. */
  public static Graph compile(
      WorkflowDefinition definition,
      UsedWorkflows used,
      Activities activities,
      CompilerOptions options) {
    return compile(definition, used, activities, PARSER, options);
  }

  private static Graph compile(
      WorkflowDefinition definition,
      UsedWorkflows used,
      Activities activities,
      Expressions expressions,
      CompilerOptions options) {
    return new DefinitionCompiler(definition, used, activities, expressions, options).compile();
  }

  /**
   * A graph, and all that is wrong with its definition.
   *
   * @param findings those of the graph first
   * @param pointers by path of an activity: the JSON Pointer to it
   */
  public record Checked(Graph graph, List<Finding> findings, Map<String, String> pointers) {
    public Checked {
      findings = List.copyOf(findings);
      pointers = Map.copyOf(pointers);
    }
  }

  /** Compiles, and looks for what can hardly be meant: slower, for those who save and publish. */
  public static Checked check(
      WorkflowDefinition definition,
      UsedWorkflows used,
      Activities activities,
      CompilerOptions options) {
    var compiler = new DefinitionCompiler(definition, used, activities, PARSER, options);
    var graph = compiler.compile();
    new DefinitionReview(definition, graph, compiler.pointers(), compiler.findings()).run();
    return new Checked(graph, compiler.findings().all(), compiler.pointers());
  }

  /** The interface of a definition that others use as an activity. */
  public static ActivityDescriptor asActivity(WorkflowDefinition definition, String typeName) {
    return new Declarations(_ -> {}).activity(definition, typeName).descriptor();
  }
}
