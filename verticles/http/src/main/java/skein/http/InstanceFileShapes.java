package skein.http;

import skein.model.ErrorCode;
import skein.openapi.Parameter;
import skein.openapi.Shape;

/** The shapes of {@link InstanceFileRoutes}. */
final class InstanceFileShapes {
  static final Parameter[] PART_PARAMETERS = {
    Parameter.query("includeBookmarks", Shape.FLAG, "False leaves them out"),
    Parameter.query("includeActivityExecutionLog", Shape.FLAG, "False leaves it out"),
    Parameter.query("includeWorkflowExecutionLog", Shape.FLAG, "False leaves it out")
  };

  static final Shape PARTS =
      Shape.object()
          .may("includeBookmarks", Shape.FLAG)
          .may("includeActivityExecutionLog", Shape.FLAG)
          .may("includeWorkflowExecutionLog", Shape.FLAG);

  /** Elsa's form, and the exact state in base 64. */
  static final Shape EXPORTED =
      Shape.object()
          .has("WorkflowState", Shape.MEMBERS)
          .has("Bookmarks", Shape.listOf(Shape.MEMBERS).orNull())
          .has("ActivityExecutionRecords", Shape.listOf(Shape.MEMBERS).orNull())
          .has("WorkflowExecutionLogRecords", Shape.listOf(Shape.MEMBERS).orNull())
          .has("revision", Shape.INTEGER)
          .has("exactState", Shape.TEXT)
          .as("ExportedInstance");

  static final Shape IMPORTED =
      Shape.object()
          .has("imported", Shape.COUNT)
          .has("count", Shape.COUNT.described("The same, by the name that Elsa's clients read"))
          .has(
              "failed",
              Shape.listOf(
                  Shape.object()
                      .has("file", Shape.TEXT)
                      .has("code", Shape.oneOf(ErrorCode.values()))
                      .has("detail", Shape.TEXT)));

  private InstanceFileShapes() {}
}
