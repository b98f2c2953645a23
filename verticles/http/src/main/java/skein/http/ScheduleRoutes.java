package skein.http;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.StorableText;
import skein.firing.Schedules;
import skein.model.ErrorCode;
import skein.model.Schedule;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.schedules.DateTexts;
import skein.schedules.ScheduleChange.Verdict;
import skein.schedules.ScheduleDecisions;
import skein.storage.ScheduleStore;

/**
 * Schedules. A change may name the revision that it was made from, in the header {@code If-Match}
 * or as {@code revision}: if another one is stored, it is answered 412 and nothing is changed.
 */
final class ScheduleRoutes {
  private static final int PAGE_SIZE = 50;
  private static final int NEXT = 10;
  private static final int NOTE_CHARS_MAX = 1_000;

  private final Schedules schedules;

  ScheduleRoutes(Schedules schedules) {
    this.schedules = schedules;
  }

  void addTo(Routes routes) {
    routes
        .post(
            "/schedules/preview",
            Operation.of(
                    Tag.SCHEDULES, "previewSchedule", "Says when a rule that is not stored is due")
                .needs(ScheduleShapes.PREVIEW)
                .answers(ScheduleShapes.INSTANTS)
                .fails(ErrorCode.SCHEDULE_INVALID),
            this::preview)
        .get(
            "/schedules",
            Operation.of(Tag.SCHEDULES, "listSchedules", "Lists schedules by id")
                .takesPage()
                .takes(
                    Parameter.query("definitionId", Shape.ID, "Only of this definition"),
                    Parameter.query(
                        "origin",
                        Shape.oneOf(Schedule.Origin.values()),
                        "Only made by the API, or by a definition"),
                    Parameter.query("paused", Shape.FLAG, "Only those that are paused, or not"))
                .answers(ListShapes.page(ScheduleShapes.SCHEDULE)),
            this::list)
        .post(
            "/schedules",
            Operation.of(Tag.SCHEDULES, "createSchedule", "Makes a schedule")
                .needs(ScheduleShapes.BODY)
                .answers(201, ScheduleShapes.SCHEDULE)
                .fails(
                    ErrorCode.SCHEDULE_INVALID,
                    ErrorCode.SCHEDULE_EXISTS,
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED),
            this::create)
        .get(
            "/schedules/:id",
            Operation.of(Tag.SCHEDULES, "getSchedule", "Reads a schedule; its ETag is the revision")
                .answers(ScheduleShapes.SCHEDULE)
                .fails(ErrorCode.SCHEDULE_NOT_FOUND),
            call -> schedules.get(call.path("id")).map(ScheduleRoutes::shown))
        .put(
            "/schedules/:id",
            Operation.of(
                    Tag.SCHEDULES, "updateSchedule", "Changes the rule and target of a schedule")
                .takes(
                    Parameter.header(
                        "If-Match", "The ETag that was read: 412 when it was changed since"))
                .needs(ScheduleShapes.BODY)
                .answers(ScheduleShapes.SCHEDULE)
                .fails(
                    ErrorCode.SCHEDULE_NOT_FOUND,
                    ErrorCode.SCHEDULE_INVALID,
                    ErrorCode.SCHEDULE_CHANGED,
                    ErrorCode.SCHEDULE_READ_ONLY,
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED),
            this::update)
        .delete(
            "/schedules/:id",
            Operation.of(
                    Tag.SCHEDULES,
                    "deleteSchedule",
                    "Deletes a schedule; instances that it started continue")
                .takes(
                    Parameter.header(
                        "If-Match", "The ETag that was read: 412 when it was changed since"),
                    Parameter.query("revision", Shape.INTEGER, "In place of If-Match"))
                .answersNothing(204, "Done")
                .fails(
                    ErrorCode.SCHEDULE_NOT_FOUND,
                    ErrorCode.SCHEDULE_CHANGED,
                    ErrorCode.SCHEDULE_READ_ONLY),
            this::delete)
        .post(
            "/schedules/:id/pause",
            Operation.of(Tag.SCHEDULES, "pauseSchedule", "Lets nothing start until it is resumed")
                .reads(ScheduleShapes.NOTE)
                .answers(ScheduleShapes.SCHEDULE)
                .fails(ErrorCode.SCHEDULE_NOT_FOUND),
            this::pause)
        .post(
            "/schedules/:id/resume",
            Operation.of(Tag.SCHEDULES, "resumeSchedule", "Ends a pause")
                .answers(ScheduleShapes.SCHEDULE)
                .fails(ErrorCode.SCHEDULE_NOT_FOUND),
            call -> schedules.resume(call.path("id")).map(ScheduleRoutes::shown))
        .post(
            "/schedules/:id/trigger",
            Operation.of(Tag.SCHEDULES, "triggerSchedule", "Starts an occurrence now")
                .reads(Shape.object().may("input", InstanceShapes.INPUT))
                .answers(ScheduleShapes.TRIGGERED)
                .fails(
                    ErrorCode.SCHEDULE_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_FOUND,
                    ErrorCode.DEFINITION_NOT_PUBLISHED),
            this::trigger)
        .post(
            "/schedules/:id/backfill",
            Operation.of(
                    Tag.SCHEDULES,
                    "backfillSchedule",
                    "Starts the occurrences of a time that is over")
                .needs(
                    Shape.object()
                        .has("from", Shape.TEXT)
                        .has("to", Shape.TEXT)
                        .may("max", Shape.INTEGER))
                .answers(ScheduleShapes.FILLED)
                .fails(ErrorCode.SCHEDULE_NOT_FOUND),
            this::backfill)
        .get(
            "/schedules/:id/next",
            Operation.of(Tag.SCHEDULES, "listOccurrences", "Lists when a schedule is due next")
                .takes(
                    Parameter.query("count", Shape.INTEGER, "How many; 10 when missing"),
                    Parameter.query("from", Shape.TEXT, "From when on; now when missing"))
                .answers(ScheduleShapes.INSTANTS)
                .fails(ErrorCode.SCHEDULE_NOT_FOUND),
            this::next);
  }

  private static Answer shown(Schedule schedule) {
    return shown(200, schedule);
  }

  private static Answer shown(int status, Schedule schedule) {
    return Answer.json(status, ScheduleView.of(schedule))
        .with("ETag", "\"" + schedule.revision() + "\"");
  }

  private Future<Answer> list(Call call) {
    var fields = call.queryFields();
    var window = fields.window(PAGE_SIZE);
    var origin =
        fields.has("origin")
            ? fields.choice("origin", Schedule.Origin.class, Schedule.Origin.Api)
            : null;
    var query =
        new ScheduleStore.Query(
            fields.text("definitionId"),
            origin,
            fields.flag("paused"),
            window.skip(),
            window.take());
    return schedules
        .page(query, call.scope())
        .map(page -> Answer.ok(Lists.page(ScheduleView.all(page.schedules()), page.total())));
  }

  private Future<Answer> create(Call call) {
    var fields = call.fields();
    var timetable = ScheduleBody.timetable(call, schedules.now(), schedules.limits());
    var given = fields.text("id");
    var id = given == null ? schedules.newId() : given;
    if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new SkeinException(
          ErrorCode.INVALID_ID,
          "\"" + id + "\" is not the id of a schedule: 1 to 64 letters, digits, _ or -");
    }
    call.about(id);
    return schedules
        .create(
            id,
            timetable,
            ScheduleBody.target(fields),
            fields.isTrue("paused"),
            note(fields),
            call.scope())
        .map(made -> shown(201, made).with("Location", Routes.API + "/schedules/" + made.id()));
  }

  private static @Nullable String note(Fields fields) {
    return fields.value("note") instanceof String note && !note.isEmpty()
        ? StorableText.check("note", note, NOTE_CHARS_MAX)
        : null;
  }

  private Future<Answer> update(Call call) {
    var fields = call.fields();
    var timetable = ScheduleBody.timetable(call, schedules.now(), schedules.limits());
    return schedules
        .update(call.path("id"), timetable, ScheduleBody.target(fields), revision(call, fields))
        .map(ScheduleRoutes::shown);
  }

  private Future<Answer> delete(Call call) {
    return schedules
        .delete(call.path("id"), revision(call, call.queryFields()))
        .map(_ -> Answer.empty(204));
  }

  private static @Nullable Long revision(Call call, Fields fields) {
    var header = call.header("If-Match");
    if (header == null || header.strip().equals("*")) {
      var number = fields.number("revision", 1, Integer.MAX_VALUE);
      return number == null ? null : Long.valueOf(number);
    }
    var text = header.strip().replaceFirst("^W/", "").replace("\"", "");
    if (!text.matches("[0-9]{1,9}")) {
      throw BadRequest.of("If-Match is not a revision of a schedule: send the ETag that was read");
    }
    return Long.valueOf(text);
  }

  private Future<Answer> pause(Call call) {
    return schedules.pause(call.path("id"), note(call.fields())).map(ScheduleRoutes::shown);
  }

  private Future<Answer> trigger(Call call) {
    var fields = call.fields();
    var input = fields.has("input") ? fields.object("input") : null;
    return schedules
        .trigger(call.path("id"), input, call.idempotencyKey())
        .map(done -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("outcome", done.verdict().name());
          json.put(
              "workflowInstanceId",
              done.verdict() == Verdict.Skipped ? null : done.instanceId().value());
          json.put("schedule", ScheduleView.of(done.schedule()));
          return Answer.ok(json);
        });
  }

  private Future<Answer> backfill(Call call) {
    var id = call.path("id");
    var fields = call.fields();
    int bound = schedules.limits().backfillMax();
    int max = fields.number("max", 1, bound, bound);
    return schedules
        .get(id)
        .compose(schedule -> {
          var zone = schedule.timetable().zone();
          var from = instant(fields, "from", zone);
          var to = instant(fields, "to", zone);
          if (to.isBefore(from)) {
            throw BadRequest.of("to is before from: give a later time as to");
          }
          return schedules.backfill(id, from, to, max);
        })
        .map(filled -> Answer.ok(filled(filled)));
  }

  private static Map<String, @Nullable Object> filled(Schedules.Filled filled) {
    var counts = new LinkedHashMap<String, @Nullable Object>();
    var items = new ArrayList<Map<String, @Nullable Object>>();
    for (var verdict : Verdict.values()) {
      long count = filled.instants().values().stream().filter(v -> v == verdict).count();
      counts.put(name(verdict), count);
    }
    filled
        .instants()
        .forEach((at, verdict) -> {
          var item = new LinkedHashMap<String, @Nullable Object>();
          item.put("at", at.toString());
          item.put(
              "workflowInstanceId", ScheduleDecisions.instanceOf(filled.schedule(), at).value());
          item.put("outcome", verdict == Verdict.None ? "Existing" : verdict.name());
          items.add(item);
        });
    counts.put("more", filled.more());
    counts.put("items", items);
    return counts;
  }

  private static String name(Verdict verdict) {
    return switch (verdict) {
      case Started -> "started";
      case Buffered -> "buffered";
      case Cancelling -> "cancelling";
      case Skipped -> "skipped";
      case None -> "existing";
    };
  }

  private Future<Answer> next(Call call) {
    var fields = call.queryFields();
    int count = fields.number("count", 1, schedules.limits().previewMax(), NEXT);
    return schedules
        .get(call.path("id"))
        .map(schedule -> {
          var timetable = schedule.timetable();
          var from = from(fields, timetable.zone());
          return Answer.ok(ScheduleView.instants(schedule.id(), timetable, from, count));
        });
  }

  private Future<Answer> preview(Call call) {
    var fields = call.fields();
    int count = fields.number("count", 1, schedules.limits().previewMax(), NEXT);
    var timetable = ScheduleBody.timetable(call, schedules.now(), schedules.limits());
    var from = from(fields, timetable.zone());
    var id = fields.text("id");
    return Future.succeededFuture(
        Answer.ok(ScheduleView.instants(id == null ? "preview" : id, timetable, from, count)));
  }

  private Instant from(Fields fields, ZoneId zone) {
    return fields.has("from") ? instant(fields, "from", zone) : schedules.now();
  }

  private static Instant instant(Fields fields, String name, ZoneId zone) {
    try {
      return DateTexts.instant(fields.required(name), zone);
    } catch (IllegalArgumentException e) {
      throw BadRequest.of(name + ": " + e.getMessage());
    }
  }
}
