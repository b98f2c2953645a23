package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.activities.WorkResult;
import skein.codecs.StorableText;
import skein.jobs.JobOptions;
import skein.jobs.JobPolls;
import skein.jobs.Jobs;
import skein.metrics.JobMetrics;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.JobRows;
import skein.storage.JobStore;

/** Jobs for workers outside the cluster: lease, extend, complete, fail. */
final class JobRoutes {
  private static final int TYPES_MAX = 20;
  private static final int WORKER_CHARS_MAX = 255;
  private static final int ERROR_CHARS_MAX = 10_000;
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");
  private static final Pattern FAILURE_TYPE = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,99}");

  /** Between the end of a wait and that of the request. */
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private static final Shape JOB =
      Shape.object()
          .has("id", Shape.ID)
          .has("lease", Shape.ID.described("What the worker proves with that the job is its own"))
          .has("type", Shape.TEXT)
          .has("payload", Shape.ANY)
          .has("attempt", Shape.INTEGER.described("1 at first; counted before it begins"))
          .has("key", Shape.TEXT.described("The same in every attempt"))
          .has("workflowInstanceId", Shape.ID)
          .has("definitionId", Shape.ID)
          .has("correlationId", Shape.TEXT.orNull())
          .has("leasedUntil", Shape.INSTANT)
          .as("Job");

  private static final Shape QUEUE =
      Shape.object()
          .has("type", Shape.TEXT)
          .has("definitionId", Shape.ID)
          .has("waiting", Shape.COUNT)
          .has("leased", Shape.COUNT)
          .has("oldest", Shape.INSTANT.orNull().described("Since when the first one waits"))
          .as("JobQueue");

  private final Jobs jobs;
  private final JobPolls polls;
  private final JobStore store;
  private final JobOptions options;
  private final Duration waitMax;
  private final JobMetrics metrics;

  /** {@code requestTimeout}: no request waits longer. */
  JobRoutes(
      Jobs jobs,
      JobPolls polls,
      JobStore store,
      JobOptions options,
      Duration requestTimeout,
      JobMetrics metrics) {
    this.jobs = jobs;
    this.polls = polls;
    this.store = store;
    this.options = options;
    this.waitMax = shorter(options.waitMax(), requestTimeout.minus(ANSWER));
    this.metrics = metrics;
  }

  private static Duration shorter(Duration one, Duration other) {
    var least = one.compareTo(other) < 0 ? one : other;
    return least.isNegative() ? Duration.ZERO : least;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/jobs",
            Operation.of(Tag.JOBS, "listJobQueues", "Counts the jobs that wait and are leased")
                .answers(Shape.object().has("items", Shape.listOf(QUEUE))),
            this::list)
        .post(
            "/jobs/lease",
            Operation.of(Tag.JOBS, "leaseJobs", "Leases jobs, and waits for them if asked to")
                .needs(
                    Shape.object()
                        .has("types", ListShapes.IDS.described("1 to 20"))
                        .has("worker", Shape.ID.described("Its name"))
                        .may("max", Shape.INTEGER.within(1, options.batchMax()).byDefault(1L))
                        .may("leaseFor", Shape.DURATION)
                        .may("wait", Shape.DURATION.described("Without it none is waited for")))
                .answers(Shape.object().has("items", Shape.listOf(JOB))),
            this::lease)
        .post(
            "/jobs/:id/heartbeat",
            Operation.of(Tag.JOBS, "extendJobLease", "Extends the lease of a job, from now")
                .needs(leased().may("leaseFor", Shape.DURATION))
                .answers(Shape.object().has("leasedUntil", Shape.INSTANT))
                .fails(ErrorCode.JOB_LEASE_LOST),
            this::extend)
        .post(
            "/jobs/:id/complete",
            Operation.of(Tag.JOBS, "completeJob", "Ends a job with a result; may be repeated")
                .needs(leased().may("result", Shape.ANY).may("outcome", Shape.ID))
                .answers(InstanceShapes.JOB_DONE)
                .fails(ErrorCode.JOB_LEASE_LOST, ErrorCode.STATE_TOO_LARGE),
            this::complete)
        .post(
            "/jobs/:id/fail",
            Operation.of(Tag.JOBS, "failJob", "Reports that a job failed; may be repeated")
                .needs(
                    leased()
                        .has("error", Shape.TEXT.described("Why, for people"))
                        .may("errorType", Shape.TEXT.described("A stable name; JobFailed"))
                        .may(
                            "retryable",
                            Shape.FLAG.described("Whether the activity's retry policy applies")))
                .answers(InstanceShapes.JOB_DONE)
                .fails(ErrorCode.JOB_LEASE_LOST),
            this::fail);
  }

  private static Shape leased() {
    return Shape.object().has("lease", Shape.ID.described("As it was given with the job"));
  }

  private Future<Answer> list(Call call) {
    return store
        .queues(call.scope())
        .map(queues -> Answer.ok(Map.of("items", queues.stream().map(JobRoutes::json).toList())));
  }

  private static Map<String, @Nullable Object> json(JobStore.Queue queue) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("type", queue.type());
    json.put("definitionId", queue.definitionId());
    json.put("waiting", queue.waiting());
    json.put("leased", queue.leased());
    json.put("oldest", queue.oldest() == null ? null : queue.oldest().toString());
    return json;
  }

  private Future<Answer> lease(Call call) {
    var fields = call.fields();
    var types = List.copyOf(new LinkedHashSet<>(fields.texts("types")));
    if (types.isEmpty() || types.size() > TYPES_MAX) {
      throw BadRequest.of("\"types\" must be a list of 1 to " + TYPES_MAX + " types of jobs");
    }
    for (var type : types) {
      if (!TYPE.matcher(type).matches()) {
        throw BadRequest.of("\"" + type + "\" is not a type of jobs: " + TYPE.pattern());
      }
    }
    var order =
        new JobRows.Order(
            types,
            StorableText.check("worker", fields.required("worker"), WORKER_CHARS_MAX),
            fields.number("max", 1, options.batchMax(), 1),
            leaseFor(fields),
            options.leasedMax(),
            call.scope());
    var asked = duration(fields, "wait");
    var wait = asked == null ? Duration.ZERO : shorter(asked, waitMax);
    return polls.lease(order, wait, closed(call)).map(JobRoutes::leased);
  }

  private static Future<Void> closed(Call call) {
    Promise<Void> closed = Promise.promise();
    call.context().response().closeHandler(_ -> closed.tryComplete());
    return closed.future();
  }

  private static Answer leased(List<JobRows.Leased> jobs) {
    return Answer.ok(Map.of("items", jobs.stream().map(JobRoutes::json).toList()));
  }

  private static Map<String, @Nullable Object> json(JobRows.Leased leased) {
    var instanceId = leased.id().instanceId().value();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", leased.id().toString());
    json.put("lease", leased.lease().toString());
    json.put("type", leased.job().get("type"));
    json.put("payload", leased.job().get("payload"));
    json.put("attempt", leased.job().get("attempt"));
    json.put("key", instanceId + ":" + leased.execution());
    json.put("workflowInstanceId", instanceId);
    json.put("definitionId", leased.definitionId());
    json.put("correlationId", leased.correlationId());
    json.put("leasedUntil", leased.leasedUntil().toString());
    return json;
  }

  private Future<Answer> extend(Call call) {
    var fields = call.fields();
    return counted(jobs.extend(id(call), lease(fields), leaseFor(fields)))
        .map(until -> Answer.ok(Map.of("leasedUntil", until.toString())));
  }

  private Future<Answer> complete(Call call) {
    var fields = call.fields();
    var value = new LinkedHashMap<String, @Nullable Object>();
    value.put("result", fields.value("result"));
    var outcome = fields.text("outcome");
    if (outcome != null) {
      value.put("outcome", outcome);
    }
    return end(call, new WorkResult.Done(value, false), "Completed")
        .onSuccess(_ -> metrics.completed().increment());
  }

  private Future<Answer> fail(Call call) {
    var fields = call.fields();
    var type = fields.text("errorType");
    if (type != null && !FAILURE_TYPE.matcher(type).matches()) {
      throw BadRequest.of("errorType is \"" + type + "\", not a name: " + FAILURE_TYPE.pattern());
    }
    var result =
        new WorkResult.Failed(
            type == null ? "JobFailed" : type,
            StorableText.check("error", fields.required("error"), ERROR_CHARS_MAX),
            fields.isTrue("retryable"));
    return end(call, result, "Failed").onSuccess(_ -> metrics.failed().increment());
  }

  private Future<Answer> end(Call call, WorkResult result, String status) {
    var id = id(call);
    return counted(jobs.end(id, lease(call.fields()), result))
        .map(done -> {
          var json = InstanceJson.outcome(done);
          json.put("jobId", id.toString());
          json.put("status", status);
          return Answer.ok(json);
        });
  }

  private <T> Future<T> counted(Future<T> done) {
    return done.onFailure(e -> {
      if (e instanceof SkeinException refused && refused.code() == ErrorCode.JOB_LEASE_LOST) {
        metrics.lost().increment();
      }
    });
  }

  private static BookmarkId id(Call call) {
    return BookmarkId.parse(call.path("id"));
  }

  private static UUID lease(Fields fields) {
    var text = fields.required("lease");
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw BadRequest.of(
          "lease is \"" + text + "\", not a lease: send the one that came with the job");
    }
  }

  private Duration leaseFor(Fields fields) {
    var asked = duration(fields, "leaseFor");
    if (asked == null) {
      return options.leaseDefault();
    }
    if (asked.isZero() || asked.compareTo(options.leaseMax()) > 0) {
      throw BadRequest.of(
          "leaseFor is " + asked + ", not more than 0 and at most " + options.leaseMax());
    }
    return asked;
  }

  private static @Nullable Duration duration(Fields fields, String name) {
    var text = fields.text(name);
    if (text == null) {
      return null;
    }
    try {
      var duration = Duration.parse(text);
      if (!duration.isNegative()) {
        return duration;
      }
    } catch (DateTimeException e) {
      // Refused below, as one that is negative.
    }
    throw BadRequest.of(name + " is \"" + text + "\", not a duration of ISO 8601, such as PT30S");
  }
}
