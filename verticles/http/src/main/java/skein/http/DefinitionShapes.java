package skein.http;

import static skein.openapi.Shape.ANY;
import static skein.openapi.Shape.COUNT;
import static skein.openapi.Shape.FLAG;
import static skein.openapi.Shape.ID;
import static skein.openapi.Shape.INSTANT;
import static skein.openapi.Shape.INTEGER;
import static skein.openapi.Shape.MEMBERS;
import static skein.openapi.Shape.TEXT;
import static skein.openapi.Shape.listOf;
import static skein.openapi.Shape.object;
import static skein.openapi.Shape.oneOf;

import skein.openapi.FindingShape;
import skein.openapi.Parameter;
import skein.openapi.Shape;

/** The shapes that {@link DefinitionJson} has. */
final class DefinitionShapes {
  static final Parameter VERSION_OPTIONS =
      Parameter.query(
          "versionOptions",
          TEXT.byDefault("Latest"),
          "A number, or Latest, Published, Draft, LatestOrPublished, LatestAndPublished,"
              + " AllVersions");

  static final Parameter LISTED_VERSIONS =
      Parameter.query(
          "versionOptions",
          TEXT.byDefault("AllVersions"),
          "Latest, Published, Draft, LatestOrPublished, LatestAndPublished, AllVersions");

  private static final Shape LINK =
      object()
          .has("href", TEXT)
          .has("rel", TEXT)
          .has("method", oneOf("GET", "POST", "PUT", "DELETE"))
          .as("Link");

  private static final Shape FRAME =
      object()
          .has("id", ID.described("Of this version"))
          .has("definitionId", ID)
          .has("version", INTEGER)
          .has("isLatest", FLAG)
          .has("isPublished", FLAG)
          .has("createdAt", INSTANT)
          .may("tenantId", TEXT.described("Absent: of the default tenant"))
          .has("links", listOf(LINK));

  static final Shape SUMMARY =
      FRAME
          .has("name", TEXT.orNull())
          .has("description", TEXT.orNull())
          .has("toolVersion", ANY)
          .has("isReadonly", FLAG)
          .has("isSystem", FLAG)
          .has("providerName", ANY)
          .has("materializerName", TEXT)
          .has("isMaterializerAvailable", FLAG)
          .as("WorkflowDefinitionSummary");

  /** With whatever members it was saved with. */
  static final Shape DOCUMENT =
      FRAME
          .may("name", TEXT.orNull())
          .may("description", TEXT.orNull())
          .has("root", MEMBERS.described("The activity that the workflow begins with"))
          .open()
          .as("WorkflowDefinition");

  /** As a caller sends it; {@code /schemas/workflow-definition.json} says more. */
  static final Shape MODEL =
      object()
          .has("root", MEMBERS.described("The activity that the workflow begins with"))
          .may("definitionId", TEXT.described("Empty or missing: a new one is made").orNull())
          .may("name", TEXT.orNull())
          .may("description", TEXT.orNull())
          .open()
          .described("In full: the schema at /schemas/workflow-definition.json")
          .as("WorkflowDefinitionModel");

  /** {@code {model, publish}}, or the definition itself. */
  static final Shape SAVE =
      Shape.anyOf(object().has("model", MODEL).may("publish", FLAG).open(), MODEL);

  static final Shape PUBLISHED =
      object()
          .has("workflowDefinition", DOCUMENT)
          .has("alreadyPublished", FLAG)
          .has("consumingWorkflowCount", COUNT)
          .has(
              "validationErrors",
              listOf(FindingShape.FINDING)
                  .described("What is wrong with it; it was done all the same"))
          .as("SavedDefinition");

  static final Shape PAGE = ListShapes.page(SUMMARY).has("links", listOf(LINK));

  static final Shape REMOVED =
      object()
          .has("deletedInstances", COUNT)
          .has("cancelledInstances", COUNT)
          .as("RemovedInstances");

  static final Shape DEFINITION_IDS = object().has("definitionIds", ListShapes.IDS);

  private DefinitionShapes() {}

  /** Every id in one of Elsa's lists. */
  static Shape sorted(String done, String already) {
    var ids = listOf(ID);
    return object()
        .has(done, ids)
        .has(already, ids)
        .has("notFound", ids)
        .has("skipped", ids.described("Read-only"))
        .has("updatedConsumers", ids)
        .has("failed", ids)
        .has("warnings", Shape.mapOf(listOf(TEXT)).described("By definition id"));
  }

  static final Shape BULK_REMOVED =
      object()
          .has("deleted", COUNT)
          .has("deletedInstances", COUNT)
          .has("cancelledInstances", COUNT)
          .has("errors", listOf(TEXT))
          .as("RemovedDefinitions");
}
