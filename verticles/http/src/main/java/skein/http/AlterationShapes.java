package skein.http;

import skein.model.ErrorCode;
import skein.openapi.Shape;

/** The shapes of {@link AlterationRoutes}. */
final class AlterationShapes {
  static final Shape ALTERATIONS = Shape.listOf(Shape.object().has("type", Shape.TEXT).open());

  static final Shape FILTER =
      Shape.object()
          .may("workflowInstanceIds", ListShapes.IDS)
          .may("definitionIds", ListShapes.IDS)
          .may("definitionVersionIds", ListShapes.IDS)
          .may("correlationIds", ListShapes.IDS)
          .may("names", ListShapes.IDS)
          .may("statuses", Shape.listOf(Shape.TEXT))
          .may("subStatuses", Shape.listOf(Shape.TEXT))
          .may("hasIncidents", Shape.FLAG)
          .may("searchTerm", Shape.TEXT)
          .may("timestampFilters", Shape.listOf(InstanceShapes.timestampFilter()))
          .may("isSystem", Shape.FLAG.described("True: none, since there are no system workflows"))
          .may("emptyFilterSelectsAll", Shape.FLAG)
          .as("AlterationFilter");

  static final Shape LOG_ENTRY =
      Shape.object()
          .has("message", Shape.TEXT)
          .has("logLevel", Shape.TEXT)
          .has("timestamp", Shape.INSTANT)
          .may("eventName", Shape.oneOf(ErrorCode.values()))
          .may("errors", Shape.listOf(Shape.TEXT));

  static final Shape RESULTS =
      Shape.object()
          .has(
              "results",
              Shape.listOf(
                  Shape.object()
                      .has("workflowInstanceId", Shape.ID)
                      .has("log", Shape.object().has("logEntries", Shape.listOf(LOG_ENTRY)))
                      .has("workflowHasScheduledWork", Shape.FLAG)
                      .has("isSuccessful", Shape.FLAG)))
          .as("AlterationResults");

  static final Shape PLAN =
      Shape.object()
          .has(
              "plan",
              Shape.object()
                  .has("id", Shape.ID)
                  .has("alterations", ALTERATIONS)
                  .has("status", Shape.oneOf("Running", "Completed", "Failed"))
                  .has("createdAt", Shape.INSTANT))
          .has(
              "jobs",
              Shape.listOf(
                  Shape.object()
                      .has("id", Shape.TEXT)
                      .has("planId", Shape.ID)
                      .has("workflowInstanceId", Shape.ID)
                      .has("status", Shape.oneOf("Pending", "Completed", "Failed"))
                      .has("log", Shape.listOf(LOG_ENTRY))
                      .has("createdAt", Shape.INSTANT)
                      .has("startedAt", Shape.INSTANT.orNull())
                      .has("completedAt", Shape.INSTANT.orNull().described("Of failed ones"))))
          .has("totalCount", Shape.COUNT);

  private AlterationShapes() {}
}
