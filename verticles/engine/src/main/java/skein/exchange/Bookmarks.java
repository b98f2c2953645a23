package skein.exchange;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ChildWorkflows;
import skein.activities.PathTemplate;
import skein.activities.Stimuli;
import skein.activities.Wait;
import skein.codecs.JsonText;
import skein.graph.Graph;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.StimulusHash;
import skein.model.TokenGrant;

/**
 * Bookmarks in Elsa's form and back. Elsa finds them by a hash of its own, casts their payloads to
 * the .NET types that are named with them, and resumes by the name of a method. What only we need
 * to know is in their metadata, which Elsa keeps.
 */
final class Bookmarks {
  private static final String HASH = "Skein.Hash";
  private static final String TAG = "Skein.Tag";
  private static final String DUE_AT = "Skein.DueAt";
  private static final String TOKEN = "Skein.Token";
  private static final String TOKEN_EXPIRES_AT = "Skein.TokenExpiresAt";
  private static final String CHILD = "childInstanceId";
  private static final DateTimeFormatter OFFSET =
      DateTimeFormatter.ISO_OFFSET_DATE_TIME.withZone(ZoneOffset.UTC);

  private Bookmarks() {}

  /** How Elsa's activity of a type waits. */
  private enum Kind {
    EVENT(Stimuli.EVENT, runtime("EventStimulus"), "CompleteInternalAsync"),
    RUN_TASK(Stimuli.RUN_TASK, runtime("RunTaskStimulus"), "ResumeAsync"),
    HTTP(
        Stimuli.HTTP_ENDPOINT,
        "Elsa.Http.Bookmarks.HttpEndpointBookmarkPayload, Elsa.Http",
        "OnResumeAsync"),
    DELAY("Elsa.Delay", scheduling("DelayPayload"), null),
    TIMER("Elsa.Timer", scheduling("TimerBookmarkPayload"), null),
    CRON("Elsa.Cron", scheduling("CronBookmarkPayload"), null),
    START_AT("Elsa.StartAt", scheduling("StartAtPayload"), null),
    DISPATCH(
        ChildWorkflows.DISPATCH,
        runtime("DispatchWorkflowStimulus"),
        "OnChildWorkflowCompletedAsync"),
    EXECUTE(
        ChildWorkflows.EXECUTE,
        runtime("ExecuteWorkflowStimulus"),
        "OnChildWorkflowCompletedAsync"),
    BULK(
        ChildWorkflows.BULK_DISPATCH,
        runtime("BulkDispatchWorkflowsStimulus"),
        "OnChildWorkflowCompletedAsync");

    private final String name;
    private final String type;
    private final @Nullable String callback;

    Kind(String name, String type, @Nullable String callback) {
      this.name = name;
      this.type = type;
      this.callback = callback;
    }

    private static String runtime(String type) {
      return "Elsa.Workflows.Runtime.Stimuli." + type + ", Elsa.Workflows.Runtime";
    }

    private static String scheduling(String type) {
      return "Elsa.Scheduling.Bookmarks." + type + ", Elsa.Scheduling";
    }

    static @Nullable Kind of(String name, @Nullable String tag) {
      for (var kind : values()) {
        if (kind.name.equals(name) && tag == null) {
          return kind;
        }
      }
      return null;
    }
  }

  // To Elsa

  static Map<String, @Nullable Object> write(Bookmark bookmark) {
    var kind = Kind.of(bookmark.name(), bookmark.tag());
    var contextId = ContextIds.of(bookmark.id().instanceId(), bookmark.execution());
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", bookmark.id().toString());
    json.put("name", bookmark.name());
    json.put("hash", kind == null ? bookmark.hash() : hash(kind, bookmark, contextId));
    json.put(
        "payload", kind == null ? ElsaJson.encode(bookmark.payload()) : payload(kind, bookmark));
    json.put("activityId", bookmark.activityId());
    json.put("activityNodeId", bookmark.nodeId());
    json.put("activityInstanceId", contextId);
    json.put("createdAt", bookmark.createdAt().toString());
    json.put("autoBurn", kind != Kind.BULK);
    json.put("callbackMethodName", kind == null ? null : kind.callback);
    json.put("autoComplete", true);
    json.put("metadata", metadata(bookmark));
    return json;
  }

  /** As Elsa's table of bookmarks has it, which is a member of its own of the file. */
  static Map<String, @Nullable Object> stored(Bookmark bookmark, @Nullable String correlationId) {
    var json = write(bookmark);
    var stored = new LinkedHashMap<String, @Nullable Object>();
    stored.put("id", json.get("id"));
    stored.put("activityTypeName", bookmark.name());
    stored.put("workflowInstanceId", bookmark.id().instanceId().value());
    stored.put("activityInstanceId", json.get("activityInstanceId"));
    stored.put("hash", json.get("hash"));
    stored.put("correlationId", correlationId);
    stored.put("createdAt", json.get("createdAt"));
    stored.put("payload", json.get("payload"));
    stored.put("metadata", json.get("metadata"));
    return stored;
  }

  private static Map<String, @Nullable Object> metadata(Bookmark bookmark) {
    var metadata = new LinkedHashMap<String, @Nullable Object>();
    metadata.put(HASH, bookmark.hash());
    if (bookmark.tag() != null) {
      metadata.put(TAG, bookmark.tag());
    }
    if (bookmark.dueAt() != null) {
      metadata.put(DUE_AT, bookmark.dueAt().toString());
    }
    var token = bookmark.token();
    if (token != null) {
      metadata.put(TOKEN, token.hash());
      if (token.expiresAt() != null) {
        metadata.put(TOKEN_EXPIRES_AT, token.expiresAt().toString());
      }
    }
    return metadata;
  }

  private static Members payloadOf(Bookmark bookmark) {
    return new Members(
        bookmark.payload() instanceof Map<?, ?> map ? Members.of(map) : Map.of(),
        "bookmark " + bookmark.id() + ".payload");
  }

  private static Map<String, @Nullable Object> payload(Kind kind, Bookmark bookmark) {
    var ours = payloadOf(bookmark);
    var json = new LinkedHashMap<String, @Nullable Object>();
    switch (kind) {
      case HTTP -> {
        json.put("path", path(ours));
        json.put("method", ours.text("method"));
        json.put("authorize", ours.flag("authorize"));
      }
      case BULK -> {
        json.put("parentInstanceId", bookmark.id().instanceId().value());
        json.put("scheduledInstanceIdsCount", ours.get("children"));
      }
      default -> {
        if (ElsaJson.encode(bookmark.payload()) instanceof Map<?, ?> map) {
          json.putAll(Members.of(map));
        }
      }
    }
    json.put(ElsaJson.TYPE, kind.type);
    return json;
  }

  private static String path(Members ours) {
    return "/" + PathTemplate.normal(String.valueOf(ours.text("path")));
  }

  private static String hash(Kind kind, Bookmark bookmark, String contextId) {
    var ours = payloadOf(bookmark);
    var stimulus = new LinkedHashMap<String, String>();
    String discriminator = null;
    switch (kind) {
      case EVENT -> stimulus.put("EventName", String.valueOf(ours.text("eventName")));
      case RUN_TASK -> stimulus.put("TaskId", String.valueOf(ours.text("taskId")));
      case HTTP -> {
        stimulus.put("Path", path(ours));
        stimulus.put("Method", String.valueOf(ours.text("method")));
      }
      case DISPATCH, EXECUTE -> stimulus.put("ChildInstanceId", String.valueOf(ours.text(CHILD)));
      case BULK -> stimulus.put("ParentInstanceId", bookmark.id().instanceId().value());
      case DELAY, TIMER, CRON, START_AT -> { // Elsa resumes them by their ids.
        var due = bookmark.dueAt();
        stimulus.put("At", due == null ? "" : OFFSET.format(due));
        discriminator = contextId;
      }
    }
    return ElsaHash.of(kind.name, stimulus, discriminator);
  }

  // From Elsa

  /** {@code json}: decoded. */
  static Bookmark read(Members json, BookmarkId id, int execution, Graph graph, Instant now) {
    var nodeId = NodePaths.here(graph, json.required("activityNodeId"));
    var node = graph.node(nodeId);
    var name = json.required("name");
    var ours = json.within("metadata");
    var tag = ours.text(TAG);
    var kind = Kind.of(name, tag);
    if (kind == null && ours.text(HASH) == null) {
      throw ImportRefusals.at(
          json.path("name"),
          "instances that wait for \""
              + name
              + "\" cannot be taken over: export it when that is over");
    }
    if (kind != null && node != null && !node.descriptor().typeName().equals(name)) {
      throw ImportRefusals.at(
          json.path("name"),
          node.type() + " does not wait for " + name + " here: export it when that is over");
    }
    var expected = ours.text(HASH);
    var wait = kind == null ? null : wait(kind, json, execution, id);
    var token = ours.text(TOKEN);
    return new Bookmark(
        id,
        name,
        expected != null || wait == null ? String.valueOf(expected) : wait.hash(),
        wait == null ? json.get("payload") : wait.payload(),
        json.required("activityId"),
        nodeId,
        execution,
        json.get("createdAt") == null ? now : json.requiredTime("createdAt"),
        wait == null ? ours.time(DUE_AT) : wait.dueAt(),
        token == null ? null : new TokenGrant(token, ours.time(TOKEN_EXPIRES_AT)),
        tag);
  }

  private static Wait wait(Kind kind, Members json, int execution, BookmarkId id) {
    var payload = json.within("payload");
    return switch (kind) {
      case EVENT -> {
        var event = payload.required("eventName");
        yield Wait.forStimulus(
            kind.name, Stimuli.event(event), Map.<String, Object>of("eventName", event));
      }
      case RUN_TASK -> {
        var taskId = payload.required("taskId");
        var task = String.valueOf(payload.text("taskName"));
        yield Wait.forStimulus(
            kind.name,
            taskId.equals(id.toString()) ? Stimuli.task(taskId, task) : Stimuli.foreignTask(taskId),
            Map.<String, Object>of("taskId", taskId, "taskName", task));
      }
      case HTTP -> http(payload);
      case DELAY, TIMER -> until(kind, payload, "resumeAt", execution);
      case START_AT -> until(kind, payload, "executeAt", execution);
      case CRON -> {
        var at = payload.requiredTime("executeAt");
        yield Wait.until(
            at,
            kind.name,
            Map.of(
                "executeAt", at.toString(), "cronExpression", payload.required("cronExpression")),
            execution);
      }
      case DISPATCH, EXECUTE -> {
        var child = Map.<String, Object>of(CHILD, payload.required(CHILD));
        yield Wait.forStimulus(
            kind.name, StimulusHash.of(kind.name, JsonText.canonical(child), null), child);
      }
      case BULK -> {
        var children =
            Map.<String, Object>of("children", payload.number("scheduledInstanceIdsCount", 0));
        yield Wait.forStimulus(
            kind.name,
            StimulusHash.of(
                kind.name, JsonText.canonical(children), id.instanceId() + ":" + execution),
            children);
      }
    };
  }

  private static Wait until(Kind kind, Members payload, String member, int execution) {
    var at = payload.requiredTime(member);
    return Wait.until(at, kind.name, Map.of(member, at.toString()), execution);
  }

  private static Wait http(Members payload) {
    boolean authorize = payload.flag("authorize");
    var path = payload.required("path");
    var method = payload.required("method").toLowerCase(Locale.ROOT);
    return Wait.forStimulus(
        Stimuli.HTTP_ENDPOINT,
        authorize ? Stimuli.guardedHttpEndpoint(path, method) : Stimuli.httpEndpoint(path, method),
        Map.of("path", PathTemplate.normal(path), "method", method, "authorize", authorize));
  }

  /** The number of children that it waits for; 0 where it does not wait for children. */
  static long children(Bookmark bookmark, long left) {
    return switch (Kind.of(bookmark.name(), bookmark.tag())) {
      case DISPATCH, EXECUTE -> 1;
      case BULK -> left;
      case null, default -> 0;
    };
  }

  /** Whether it waits for the end of that child. */
  static boolean awaits(Bookmark bookmark, String child) {
    return payloadOf(bookmark).get(CHILD) instanceof String id && id.equals(child);
  }

  /** Whether it waits for the ends of several. */
  static boolean awaitsMany(Bookmark bookmark) {
    return bookmark.name().equals(ChildWorkflows.BULK_DISPATCH);
  }
}
