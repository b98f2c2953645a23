package skein.http;

import static skein.openapi.Shape.ANY;
import static skein.openapi.Shape.COUNT;
import static skein.openapi.Shape.FLAG;
import static skein.openapi.Shape.ID;
import static skein.openapi.Shape.INSTANT;
import static skein.openapi.Shape.INTEGER;
import static skein.openapi.Shape.MEMBERS;
import static skein.openapi.Shape.TEXT;
import static skein.openapi.Shape.anyOf;
import static skein.openapi.Shape.listOf;
import static skein.openapi.Shape.object;
import static skein.openapi.Shape.oneOf;

import skein.model.ActivityStatus;
import skein.openapi.Parameter;
import skein.openapi.Shape;

/** The shapes of journals and activity executions. */
final class JournalShapes {
  static final Shape ENTRY =
      object()
          .has("id", ID)
          .has("workflowInstanceId", ID)
          .has("activityInstanceId", ID.orNull())
          .has("parentActivityInstanceId", ID.orNull())
          .has("activityId", TEXT)
          .has("activityType", TEXT)
          .has("activityTypeVersion", INTEGER)
          .has("activityName", TEXT.orNull())
          .has("nodeId", TEXT)
          .has("activityNodeId", TEXT)
          .has("timestamp", INSTANT)
          .has("sequence", COUNT)
          .has("eventName", TEXT)
          .has("message", TEXT.orNull())
          .has("source", TEXT.orNull())
          .has("activityState", MEMBERS.orNull())
          .has("payload", MEMBERS.orNull())
          .as("JournalEntry");

  /** Pages are counted; what follows {@code after} is not. */
  static final Shape PAGE =
      anyOf(
          ListShapes.page(ENTRY), object().has("items", listOf(ENTRY)).has("next", COUNT.orNull()));

  static final Parameter AFTER =
      Parameter.query(
          "after",
          COUNT,
          "The sequence after which to continue; the answer has next, and no total");

  static final Shape QUERY =
      object()
          .may(
              "filter",
              object()
                  .may("activityIds", ListShapes.IDS)
                  .may("activityNodeIds", listOf(TEXT))
                  .may("excludedActivityTypes", listOf(TEXT))
                  .may("eventNames", listOf(TEXT)))
          .may("after", COUNT)
          .may("page", COUNT)
          .may("pageSize", INTEGER.within(1, 1_000))
          .may("skip", COUNT)
          .may("take", INTEGER.within(1, 1_000));

  private static final Shape SUMMARY_MEMBERS =
      object()
          .has("id", ID)
          .has("workflowInstanceId", ID)
          .has("activityId", TEXT)
          .has("activityNodeId", TEXT)
          .has("activityType", TEXT)
          .has("activityTypeVersion", INTEGER)
          .has("activityName", TEXT.orNull())
          .has("status", oneOf(ActivityStatus.values()))
          .has("metadata", MEMBERS)
          .has("aggregateFaultCount", COUNT)
          .has("hasBookmarks", FLAG)
          .has("startedAt", INSTANT)
          .has("completedAt", INSTANT.orNull())
          .has("schedulingActivityExecutionId", ID.orNull());

  static final Shape EXECUTION_SUMMARY = SUMMARY_MEMBERS.as("ActivityExecutionSummary");

  static final Shape EXECUTION =
      SUMMARY_MEMBERS
          .has("activityState", MEMBERS)
          .has("outputs", MEMBERS)
          .has("payload", MEMBERS)
          .has("properties", MEMBERS)
          .has("exception", object().has("type", TEXT).has("message", ANY).orNull())
          .as("ActivityExecution");

  static final Shape CALL_STACK =
      object()
          .has("activityExecutionId", ID)
          .has("items", listOf(EXECUTION))
          .has("totalCount", COUNT);

  static final Shape REPORT =
      object()
          .has(
              "stats",
              listOf(
                  object()
                      .has("activityId", TEXT)
                      .has("activityNodeId", TEXT)
                      .has("startedCount", COUNT)
                      .has("completedCount", COUNT)
                      .has("uncompletedCount", INTEGER)
                      .has("isBlocked", FLAG)
                      .has("isFaulted", FLAG)));

  private JournalShapes() {}

  /** Counted when a page was asked for. */
  static Shape executions(Shape items) {
    return anyOf(ListShapes.all(items), ListShapes.page(items));
  }
}
