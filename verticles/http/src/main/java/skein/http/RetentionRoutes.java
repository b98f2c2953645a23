package skein.http;

import io.vertx.core.Future;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.retention.DryRun;
import skein.retention.RetentionOptions;
import skein.storage.PassStore;
import skein.storage.PassStore.Progress;
import skein.storage.RetentionStore;

/** The retention times, the instances that would be deleted now, and requests for a pass. */
final class RetentionRoutes {
  private static final int TAKE = 10_000;
  private static final int TAKE_MAX = 100_000;

  private static final Shape RETENTION =
      Shape.object()
          .has("enabled", Shape.FLAG)
          .has("retentionPeriod", Shape.DURATION)
          .has("sweepInterval", Shape.DURATION)
          .has("statuses", Shape.mapOf(Shape.DURATION.orNull()).described("Null: for ever"))
          .has("definitions", Shape.mapOf(Shape.DURATION.orNull()).described("Null: for ever"))
          .has("auditKeep", Shape.DURATION)
          .has("alterationsKeep", Shape.DURATION)
          .has("pass", PassJson.SHAPE);

  private static final Shape CANDIDATES =
      Shape.object()
          .has("seen", Shape.COUNT)
          .has(
              "items",
              Shape.listOf(
                  Shape.object()
                      .has("definitionId", Shape.ID)
                      .has("status", Shape.TEXT)
                      .has("instances", Shape.COUNT)))
          .has("next", Shape.TEXT.orNull());

  private final RetentionOptions options;
  private final PassStore passes;
  private final DryRun dryRun;

  RetentionRoutes(RetentionOptions options, PassStore passes, DryRun dryRun) {
    this.options = options;
    this.passes = passes;
    this.dryRun = dryRun;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/retention",
            Operation.of(
                    Tag.MAINTENANCE,
                    "getRetention",
                    "Says how long what is kept, and how far the pass is")
                .answers(RETENTION),
            _ -> passes.progress().map(progress -> Answer.ok(json(progress))))
        .get(
            "/retention/candidates",
            Operation.of(
                    Tag.MAINTENANCE, "listRetentionCandidates", "Counts what would be deleted now")
                .takes(
                    Parameter.query("after", Shape.TEXT, "The next of an answer before"),
                    Parameter.query(
                        "take",
                        Shape.INTEGER.within(1, TAKE_MAX).byDefault((long) TAKE),
                        "Instances to look at"))
                .answers(CANDIDATES),
            this::candidates)
        .post(
            "/retention/run",
            Operation.of(
                    Tag.MAINTENANCE, "requestRetention", "Asks for a pass that deletes what is old")
                .answers(202, RETENTION),
            _ -> run());
  }

  /** The pass begins within a second, on one node of all; the progress says when it has ended. */
  private Future<Answer> run() {
    if (!options.enabled()) {
      throw BadRequest.of(
          "Retention is off, so nothing is deleted: set retention.enabled on all nodes, and see"
              + " /retention/candidates for what would be deleted");
    }
    return passes.request().map(progress -> Answer.json(202, json(progress)));
  }

  /** A part of all instances, as many as may be looked at in one request. */
  private Future<Answer> candidates(Call call) {
    var fields = call.queryFields();
    var after = fields.text("after");
    return dryRun
        .part(
            after == null ? RetentionStore.BEGINNING : instant(after),
            fields.number("take", 1, TAKE_MAX, TAKE))
        .map(part -> Answer.ok(json(part)));
  }

  private static Instant instant(String text) {
    try {
      var after = Instant.parse(text);
      if (!after.isBefore(RetentionStore.BEGINNING) && after.isBefore(RetentionStore.END)) {
        return after;
      }
    } catch (DateTimeException _) {
      // Refused below, as one of another age.
    }
    throw BadRequest.of("after is \"" + text + "\", not the value of next of an answer before");
  }

  private static Map<String, @Nullable Object> json(DryRun.Part part) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("seen", part.seen());
    json.put(
        "items",
        part.counts().stream()
            .map(count -> {
              var item = new LinkedHashMap<String, @Nullable Object>();
              item.put("definitionId", count.definitionId());
              item.put("status", count.status().name());
              item.put("instances", count.instances());
              return item;
            })
            .toList());
    var next = part.next();
    json.put("next", next == null ? null : next.toString());
    return json;
  }

  private Map<String, @Nullable Object> json(Progress progress) {
    var rules = options.rules();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("enabled", options.enabled());
    json.put("retentionPeriod", rules.period().toString());
    json.put("sweepInterval", options.interval().toString());
    json.put("statuses", periods(rules.byStatus()));
    json.put("definitions", periods(rules.byDefinition()));
    json.put("auditKeep", options.auditKeep().toString());
    json.put("alterationsKeep", options.alterationsKeep().toString());
    json.put("pass", PassJson.of(progress));
    return json;
  }

  /** Null: for ever. */
  private static Map<String, @Nullable Object> periods(Map<?, Optional<Duration>> given) {
    var json = new TreeMap<String, @Nullable Object>();
    given.forEach(
        (key, keep) -> json.put(key.toString(), keep.map(Duration::toString).orElse(null)));
    return json;
  }
}
