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

import java.util.ArrayList;
import skein.model.ActivityStatus;
import skein.model.WorkflowStatus;
import skein.openapi.Shape;
import skein.storage.InstanceQuery.Order;
import skein.storage.InstanceQuery.TimeColumn;
import skein.storage.InstanceQuery.TimeOperator;

/** The shapes that {@link InstanceJson} and {@link InstanceQueries} have. */
final class InstanceShapes {
  static final Shape STATUS = oneOf("Running", "Finished");
  static final Shape SUB_STATUS =
      oneOf("Pending", "Executing", "Suspended", "Finished", "Faulted", "Cancelled");
  private static final Shape REVISION =
      INTEGER.within(1, Long.MAX_VALUE).described("How many times the instance was committed");

  static final Shape SUMMARY_MEMBERS =
      object()
          .has("id", ID)
          .has("tenantId", TEXT.orNull())
          .has("definitionId", ID)
          .has("definitionVersionId", ID)
          .has("version", INTEGER)
          .has("parentWorkflowInstanceId", ID.orNull())
          .has("status", STATUS)
          .has("subStatus", SUB_STATUS)
          .has("storedStatus", oneOf(WorkflowStatus.values()).described("As in SQL and metrics"))
          .has("correlationId", TEXT.orNull())
          .has("name", TEXT.orNull())
          .has("incidentCount", COUNT)
          .has("isSystem", FLAG)
          .has("createdAt", INSTANT)
          .has("updatedAt", INSTANT)
          .has("finishedAt", INSTANT.orNull());

  static final Shape SUMMARY = SUMMARY_MEMBERS.as("WorkflowInstanceSummary");

  static final Shape BOOKMARK =
      object()
          .has("id", ID)
          .has("name", TEXT)
          .has("hash", TEXT.orNull())
          .has("payload", ANY)
          .has("activityId", ID)
          .has("activityNodeId", TEXT)
          .has("activityInstanceId", ID.orNull())
          .has("createdAt", INSTANT)
          .has("dueAt", INSTANT.orNull())
          .has("hasToken", FLAG)
          .has("autoBurn", FLAG)
          .has("autoComplete", FLAG)
          .has("callbackMethodName", TEXT.orNull())
          .has("metadata", MEMBERS)
          .as("Bookmark");

  private static final Shape INCIDENT =
      object()
          .has("activityId", TEXT)
          .has("activityNodeId", TEXT)
          .has("activityType", TEXT)
          .has("activityInstanceId", ID.orNull())
          .has("message", TEXT.orNull())
          .has(
              "exception",
              object().has("type", TEXT).has("code", TEXT.orNull()).has("message", TEXT.orNull()))
          .has("timestamp", INSTANT)
          .as("Incident");

  private static final Shape EXECUTION =
      object()
          .has("id", ID.orNull())
          .has("parentContextId", ID.orNull())
          .has("scheduledActivityNodeId", TEXT)
          .has("ownerActivityNodeId", TEXT.orNull())
          .has("properties", MEMBERS)
          .has("metadata", MEMBERS)
          .has("activityState", MEMBERS)
          .has("dynamicVariables", listOf(ANY))
          .has("variables", MEMBERS)
          .has("status", oneOf(ActivityStatus.values()))
          .has("isExecuting", FLAG)
          .has("faultCount", COUNT)
          .has("startedAt", INSTANT.orNull())
          .has("completedAt", INSTANT.orNull())
          .has("tag", ANY)
          .as("ActivityExecutionContext");

  static final Shape STATE =
      object()
          .has("id", ID)
          .has("definitionId", ID)
          .has("definitionVersionId", ID)
          .has("definitionVersion", INTEGER)
          .has("tenantId", TEXT.orNull())
          .has("parentWorkflowInstanceId", ID.orNull())
          .has("correlationId", TEXT.orNull())
          .has("name", TEXT.orNull())
          .has("status", STATUS)
          .has("subStatus", SUB_STATUS)
          .has("isExecuting", FLAG)
          .has("isSystem", FLAG)
          .has("bookmarks", listOf(BOOKMARK))
          .has("incidents", listOf(INCIDENT))
          .has("completionCallbacks", listOf(ANY))
          .has("activityExecutionContexts", listOf(EXECUTION))
          .has("scheduledActivities", listOf(ANY))
          .has("executionLogSequence", COUNT)
          .has("input", MEMBERS)
          .has("output", MEMBERS)
          .has("properties", MEMBERS)
          .has("createdAt", INSTANT)
          .has("updatedAt", INSTANT)
          .has("finishedAt", INSTANT.orNull())
          .as("WorkflowState");

  static final Shape ENTITY =
      SUMMARY_MEMBERS.has("revision", REVISION).has("workflowState", STATE).as("WorkflowInstance");

  private static final Shape OUTCOME_MEMBERS =
      object()
          .has("workflowInstanceId", ID)
          .has("definitionId", ID)
          .has("definitionVersionId", ID)
          .has("version", INTEGER)
          .has("workflowStatus", STATUS)
          .has("subStatus", SUB_STATUS)
          .has("revision", REVISION);

  static final Shape OUTCOME = OUTCOME_MEMBERS.as("Outcome");

  static final Shape STARTED =
      OUTCOME_MEMBERS.has("id", ID).has("status", STATUS).as("StartedInstance");

  static final Shape RESUMED =
      OUTCOME_MEMBERS.has("status", oneOf("Resumed")).as("ResumedInstance");

  static final Shape COMPLETED =
      OUTCOME_MEMBERS.has("status", oneOf("Completed")).as("CompletedTask");

  /** {@code status}: what was done with a user task. */
  static final Shape TASK_DONE =
      OUTCOME_MEMBERS
          .has("taskId", ID)
          .has("status", oneOf("Claimed", "Unclaimed", "Assigned", "Completed"))
          .as("UserTaskDone");

  /** {@code status}: the outcome of a job. */
  static final Shape JOB_DONE =
      OUTCOME_MEMBERS.has("jobId", ID).has("status", oneOf("Completed", "Failed")).as("JobDone");

  static final Shape INPUT = MEMBERS.described("By the names of the workflow's inputs");

  static final Shape VARIABLE =
      object().has("id", TEXT).has("name", TEXT).has("value", ANY).as("Variable");

  static final Shape QUERY =
      ListShapes.withWindow(
          object()
              .may("definitionId", ID)
              .may("definitionIds", ListShapes.IDS)
              .may("ids", ListShapes.IDS)
              .may("status", TEXT)
              .may("statuses", listOf(TEXT))
              .may("subStatus", TEXT)
              .may("subStatuses", listOf(TEXT))
              .may("correlationId", ID)
              .may("name", ID)
              .may("parentWorkflowInstanceId", ID)
              .may("version", INTEGER)
              .may("hasIncidents", FLAG)
              .may("isSystem", FLAG)
              .may("searchTerm", TEXT)
              .may("timestampFilters", listOf(timestampFilter())));

  /** Instances that a bulk action is about. */
  static final Shape CHOSEN =
      object()
          .may("ids", ListShapes.IDS)
          .may("definitionVersionId", ID)
          .may("definitionId", ID)
          .may("versionOptions", TEXT.described("With definitionId: a number, AllVersions, …"));

  private InstanceShapes() {}

  static Shape timestampFilter() {
    return object()
        .has("column", oneOf(TimeColumn.values()))
        .may("operator", oneOf(TimeOperator.values()))
        .has("timestamp", INSTANT);
  }

  static Shape order() {
    var names = new ArrayList<String>();
    for (var order : Order.values()) {
      names.add(order.name());
    }
    names.add(InstanceQueries.LAST_EXECUTED);
    return oneOf(names.toArray(String[]::new)).byDefault(Order.Created.name());
  }

  /** The results of a bulk action: how many, and how many are left. */
  static Shape done(String what) {
    return object().has(what, COUNT).has("remaining", COUNT);
  }
}
