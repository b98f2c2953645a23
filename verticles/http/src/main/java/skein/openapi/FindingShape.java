package skein.openapi;

import skein.model.FindingCode;

/** The shape of findings about a definition, in answers and refusals. */
public final class FindingShape {
  public static final Shape FINDING =
      Shape.object()
          .has("message", Shape.TEXT)
          .has("severity", Shape.oneOf("error", "warning"))
          .has("code", Shape.oneOf(FindingCode.values()).described("Stable; more may be added"))
          .has("activityId", Shape.TEXT.described("As in the definition").orNull())
          .has("nodeId", Shape.TEXT.described("The path of the activity").orNull())
          .has("path", Shape.TEXT.described("Where in the document: a JSON Pointer (RFC 6901)"))
          .has("suggestion", Shape.TEXT.described("The name that was probably meant").orNull())
          .as("DefinitionFinding");

  private FindingShape() {}
}
