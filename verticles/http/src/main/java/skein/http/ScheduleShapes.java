package skein.http;

import static skein.openapi.Shape.COUNT;
import static skein.openapi.Shape.DURATION;
import static skein.openapi.Shape.FLAG;
import static skein.openapi.Shape.ID;
import static skein.openapi.Shape.INSTANT;
import static skein.openapi.Shape.INTEGER;
import static skein.openapi.Shape.MEMBERS;
import static skein.openapi.Shape.TEXT;
import static skein.openapi.Shape.listOf;
import static skein.openapi.Shape.object;
import static skein.openapi.Shape.oneOf;

import skein.model.Schedule;
import skein.model.Timetable.Misfire;
import skein.model.Timetable.Overlap;
import skein.openapi.Shape;

/** The shapes that {@link ScheduleView} shows and {@link ScheduleBody} reads. */
final class ScheduleShapes {
  /** One of cron, interval and dates is there. */
  private static final Shape SHOWN_RULE =
      object()
          .may("cron", TEXT)
          .may("interval", DURATION)
          .may("anchor", INSTANT)
          .may("dates", listOf(TEXT));

  static final Shape SCHEDULE =
      SHOWN_RULE
          .has("id", ID)
          .has("origin", oneOf(Schedule.Origin.values()))
          .has("status", oneOf("Active", "Paused", "Ended"))
          .has("definitionId", ID)
          .has("definitionVersionId", ID.orNull())
          .has("activityId", ID.orNull())
          .has("input", MEMBERS)
          .has("correlationId", TEXT.orNull())
          .has("timeZone", TEXT)
          .has("startAt", INSTANT.orNull())
          .has("endAt", INSTANT.orNull())
          .has("jitter", DURATION.orNull())
          .has("misfirePolicy", oneOf(Misfire.values()))
          .has("catchUpMax", COUNT)
          .has("overlapPolicy", oneOf(Overlap.values()))
          .has("paused", FLAG)
          .has("note", TEXT.orNull())
          .has("nextAt", INSTANT.orNull())
          .has("lastAt", INSTANT.orNull())
          .has("lastWorkflowInstanceId", ID.orNull())
          .has("runningWorkflowInstanceId", ID.orNull())
          .has(
              "buffered",
              object()
                  .has("at", INSTANT)
                  .has("workflowInstanceId", ID)
                  .has("input", MEMBERS.orNull())
                  .orNull())
          .has(
              "counts",
              object()
                  .has("started", COUNT)
                  .has("skipped", COUNT)
                  .has("missed", COUNT)
                  .has("cancelled", COUNT)
                  .has("failed", COUNT))
          .has("revision", INTEGER.within(1, Long.MAX_VALUE))
          .has("createdAt", INSTANT)
          .has("updatedAt", INSTANT)
          .as("Schedule");

  /** Exactly one of cron, interval and dates. */
  private static final Shape RULE =
      object()
          .may("cron", TEXT.described("5 or 6 fields"))
          .may("interval", TEXT.described("A duration such as PT15M or 00:15:00"))
          .may("anchor", TEXT.described("An instant from which intervals count"))
          .may("dates", listOf(TEXT))
          .may("timeZone", TEXT.byDefault("UTC"))
          .may("startAt", TEXT.orNull())
          .may("endAt", TEXT.orNull())
          .may("jitter", TEXT.orNull())
          .may("misfirePolicy", oneOf(Misfire.values()))
          .may("catchUpMax", COUNT)
          .may("overlapPolicy", oneOf(Overlap.values()));

  /** Members that an answer has besides may be sent back. */
  static final Shape BODY =
      RULE.has("definitionId", ID)
          .may("definitionVersionId", ID.orNull())
          .may("activityId", ID.orNull())
          .may("input", InstanceShapes.INPUT)
          .may("correlationId", TEXT.orNull())
          .may("id", ID)
          .may("paused", FLAG)
          .may("note", TEXT.orNull())
          .may("revision", INTEGER)
          .as("ScheduleBody");

  static final Shape PREVIEW =
      RULE.may("count", INTEGER).may("from", TEXT).may("id", ID).as("SchedulePreview");

  static final Shape NOTE = object().may("note", TEXT.described("At most 1,000 characters"));

  static final Shape INSTANTS =
      object()
          .has("timeZone", TEXT)
          .has(
              "items",
              listOf(
                  object()
                      .has("at", INSTANT)
                      .has("local", TEXT.described("On the clocks of the zone"))
                      .has("dueAt", INSTANT.described("With its jitter"))))
          .as("Occurrences");

  static final Shape TRIGGERED =
      object()
          .has("outcome", oneOf("Started", "Buffered", "Cancelling", "Skipped", "None"))
          .has("workflowInstanceId", ID.orNull())
          .has("schedule", SCHEDULE);

  static final Shape FILLED =
      object()
          .has("started", COUNT)
          .has("buffered", COUNT)
          .has("cancelling", COUNT)
          .has("skipped", COUNT)
          .has("existing", COUNT)
          .has("more", FLAG)
          .has(
              "items",
              listOf(
                  object()
                      .has("at", INSTANT)
                      .has("workflowInstanceId", ID)
                      .has(
                          "outcome",
                          oneOf("Started", "Buffered", "Cancelling", "Skipped", "Existing"))));

  private ScheduleShapes() {}
}
