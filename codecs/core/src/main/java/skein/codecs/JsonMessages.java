package skein.codecs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ActivityExecution;
import skein.model.Bookmark;
import skein.model.DefinitionRef;
import skein.model.Effect;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.WorkflowInstance;

/**
 * Requests and replies as plain JSON objects, for services without this jar. The address says which
 * request it is; the module's README shows one of each.
 */
public final class JsonMessages {
  private static final int VERSION = 1;

  private JsonMessages() {}

  /**
   * Reads the request sent to an address of {@link Addresses}; throws {@code INVALID_REQUEST} that
   * names every missing, wrong and unknown member, or {@code INVALID_ID}. The values are taken as
   * they are: see {@link RequestRules#checked}.
   */
  public static Request fromJson(String address, Map<String, @Nullable Object> json) {
    var members = new JsonMembers(json);
    members.version(VERSION);
    return switch (address) {
      case Addresses.START -> start(members);
      case Addresses.RESUME -> members.has("token") ? resumeByToken(members) : resume(members);
      case Addresses.EVENT -> publishEvent(members);
      case Addresses.TASK -> completeTask(members);
      case Addresses.CANCEL -> new Request.Cancel(onlyInstanceId(members));
      case Addresses.QUERY -> new Request.Query(onlyInstanceId(members));
      case Addresses.JOURNAL -> journal(members);
      default -> throw new IllegalArgumentException("No requests are sent to " + address);
    };
  }

  /** The object to send for a request, to its {@link #address}. */
  public static Map<String, @Nullable Object> toJson(Request request) {
    var json = versioned();
    if (request instanceof Request.Start r) {
      json.put("definitionId", r.definitionId());
      json.put("input", r.input());
      putIfThere(json, "correlationId", r.correlationId());
      putIfThere(json, "name", r.name());
      putIfThere(json, "instanceId", r.instanceId());
      putIfThere(json, "idempotencyKey", r.idempotencyKey());
      json.put("dispatch", r.dispatch());
    } else if (request instanceof Request.Resume r) {
      json.put("instanceId", r.instanceId().value());
      putIfThere(json, "bookmarkId", r.bookmarkId());
      json.put("input", r.input());
    } else if (request instanceof Request.ResumeByToken r) {
      json.put("token", r.token());
      json.put("input", r.input());
      putIfThere(json, "actor", r.actor());
    } else if (request instanceof Request.PublishEvent r) {
      json.put("eventName", r.eventName());
      putIfThere(json, "correlationId", r.correlationId());
      putIfThere(json, "instanceId", r.instanceId());
      json.put("payload", r.payload());
    } else if (request instanceof Request.CompleteTask r) {
      json.put("taskId", r.taskId());
      json.put("result", r.result());
    } else if (request instanceof Request.Cancel r) {
      json.put("instanceId", r.instanceId().value());
    } else if (request instanceof Request.Query r) {
      json.put("instanceId", r.instanceId().value());
    } else if (request instanceof Request.Journal r) {
      json.put("instanceId", r.instanceId().value());
      json.put("after", r.after());
      json.put("take", (long) r.take());
    } else {
      throw Unwritten.kind(request);
    }
    return Collections.unmodifiableMap(json);
  }

  /** Where a request is sent. */
  public static String address(Request request) {
    if (request instanceof Request.Start) {
      return Addresses.START;
    }
    if (request instanceof Request.Resume || request instanceof Request.ResumeByToken) {
      return Addresses.RESUME;
    }
    if (request instanceof Request.PublishEvent) {
      return Addresses.EVENT;
    }
    if (request instanceof Request.CompleteTask) {
      return Addresses.TASK;
    }
    if (request instanceof Request.Cancel) {
      return Addresses.CANCEL;
    }
    if (request instanceof Request.Query) {
      return Addresses.QUERY;
    }
    if (request instanceof Request.Journal) {
      return Addresses.JOURNAL;
    }
    throw Unwritten.kind(request);
  }

  /** The object that answers; its {@code kind} says which reply it is. */
  public static Map<String, @Nullable Object> toJson(Reply reply) {
    var json = versioned();
    if (reply instanceof Reply.Done r) {
      json.put("kind", "done");
      json.put("instanceId", r.instanceId().value());
      json.put("definition", definition(r.definition()));
      json.put("status", r.status().name());
      json.put("revision", r.revision());
      if (r.httpAnswer() != null) {
        json.put("httpAnswer", httpAnswer(r.httpAnswer()));
      }
      if (r.state() != null) {
        json.put("state", state(r.state()));
      }
    } else if (reply instanceof Reply.Delivered r) {
      json.put("kind", "delivered");
      json.put("resumed", (long) r.resumed());
      json.put("started", (long) r.started());
      json.put("instances", r.instances().stream().map(InstanceId::value).toList());
    } else if (reply instanceof Reply.TokenMinted r) {
      json.put("kind", "tokenMinted");
      json.put("token", r.token());
      json.put("expiresAt", text(r.expiresAt()));
    } else if (reply instanceof Reply.Journal r) {
      json.put("kind", "journal");
      json.put("instanceId", r.instanceId().value());
      json.put("entries", objects(r.entries(), JsonMessages::entry));
    } else if (reply instanceof Reply.Refused r) {
      json.put("kind", "refused");
      json.put("code", r.code().name());
      json.put("detail", r.detail());
      json.put("errors", r.errors());
    } else {
      throw Unwritten.kind(reply);
    }
    return Collections.unmodifiableMap(json);
  }

  private static Request start(JsonMembers members) {
    var definitionId = members.text("definitionId");
    var input = members.object("input");
    var correlationId = members.optionalText("correlationId");
    var name = members.optionalText("name");
    var instanceId = members.optionalText("instanceId");
    var idempotencyKey = members.optionalText("idempotencyKey");
    boolean dispatch = members.flag("dispatch");
    members.end();
    return new Request.Start(
        definitionId,
        input,
        correlationId,
        name,
        JsonMembers.optionalInstanceId(instanceId),
        idempotencyKey,
        dispatch);
  }

  private static Request resume(JsonMembers members) {
    var instanceId = members.text("instanceId");
    var bookmarkId = members.optionalText("bookmarkId");
    var input = members.object("input");
    members.end();
    return new Request.Resume(
        JsonMembers.instanceId(instanceId), JsonMembers.optionalBookmarkId(bookmarkId), input);
  }

  private static Request resumeByToken(JsonMembers members) {
    var request =
        new Request.ResumeByToken(
            members.text("token"), members.object("input"), members.optionalText("actor"));
    members.end();
    return request;
  }

  private static Request publishEvent(JsonMembers members) {
    var eventName = members.text("eventName");
    var correlationId = members.optionalText("correlationId");
    var instanceId = members.optionalText("instanceId");
    var payload = members.value("payload");
    members.end();
    return new Request.PublishEvent(
        eventName, correlationId, JsonMembers.optionalInstanceId(instanceId), payload);
  }

  private static Request completeTask(JsonMembers members) {
    var request = new Request.CompleteTask(members.text("taskId"), members.value("result"));
    members.end();
    return request;
  }

  private static Request journal(JsonMembers members) {
    var instanceId = members.text("instanceId");
    long after = members.number("after", 0);
    long take = Math.min(members.number("take", RequestRules.JOURNAL_TAKE), Integer.MAX_VALUE);
    members.end();
    return new Request.Journal(JsonMembers.instanceId(instanceId), after, (int) Math.max(take, 0));
  }

  private static InstanceId onlyInstanceId(JsonMembers members) {
    var instanceId = members.text("instanceId");
    members.end();
    return JsonMembers.instanceId(instanceId);
  }

  private static Map<String, @Nullable Object> state(WorkflowInstance instance) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", instance.id().value());
    json.put("definition", definition(instance.definition()));
    json.put("status", instance.status().name());
    json.put("revision", instance.revision());
    json.put("name", instance.labels().name());
    json.put("correlationId", instance.labels().correlationId());
    json.put("parentId", text(instance.labels().parentId()));
    json.put("createdAt", instance.timing().createdAt().toString());
    json.put("updatedAt", instance.timing().updatedAt().toString());
    json.put("finishedAt", text(instance.timing().finishedAt()));
    json.put("input", instance.input());
    json.put("output", instance.output());
    json.put("results", instance.results());
    json.put("executions", objects(instance.executions(), JsonMessages::execution));
    json.put("bookmarks", objects(instance.bookmarks(), JsonMessages::bookmark));
    json.put("incidents", objects(instance.incidents(), JsonMessages::incident));
    return json;
  }

  private static Map<String, @Nullable Object> execution(ActivityExecution execution) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("number", (long) execution.number());
    json.put("parent", (long) execution.parent());
    json.put("nodeId", execution.nodeId());
    json.put("status", execution.status().name());
    json.put("variables", execution.variables());
    json.put("startedAt", execution.startedAt().toString());
    return json;
  }

  /** Without hashes: they are what a token and a stimulus are found by. */
  private static Map<String, @Nullable Object> bookmark(Bookmark bookmark) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", bookmark.id().toString());
    json.put("name", bookmark.name());
    json.put("payload", bookmark.payload());
    json.put("activityId", bookmark.activityId());
    json.put("nodeId", bookmark.nodeId());
    json.put("execution", (long) bookmark.execution());
    json.put("createdAt", bookmark.createdAt().toString());
    json.put("dueAt", text(bookmark.dueAt()));
    return json;
  }

  private static Map<String, @Nullable Object> entry(Reply.Journal.Entry entry) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("sequence", entry.sequence());
    json.put("at", entry.at().toString());
    json.put("event", entry.event());
    json.put("activityId", entry.activityId());
    json.put("activityType", entry.activityType());
    json.put("message", entry.message());
    return json;
  }

  private static Map<String, @Nullable Object> incident(Incident incident) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityId", incident.activityId());
    json.put("nodeId", incident.nodeId());
    json.put("activityType", incident.activityType());
    json.put("execution", (long) incident.execution());
    json.put("type", incident.type());
    json.put("code", incident.code());
    json.put("message", incident.message());
    json.put("at", incident.at().toString());
    return json;
  }

  private static Map<String, @Nullable Object> definition(DefinitionRef ref) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("definitionId", ref.definitionId());
    json.put("versionId", ref.versionId());
    json.put("version", (long) ref.version());
    return json;
  }

  private static Map<String, @Nullable Object> httpAnswer(Effect.HttpAnswer answer) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("status", (long) answer.status());
    json.put("headers", answer.headers());
    json.put("contentType", answer.contentType());
    json.put("content", answer.content());
    if (answer.base64()) {
      json.put("base64", true);
    }
    return json;
  }

  private static <T> List<Object> objects(
      List<T> values, Function<T, Map<String, @Nullable Object>> form) {
    var objects = new ArrayList<Object>(values.size());
    for (var value : values) {
      objects.add(form.apply(value));
    }
    return objects;
  }

  private static Map<String, @Nullable Object> versioned() {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("v", (long) VERSION);
    return json;
  }

  private static void putIfThere(
      Map<String, @Nullable Object> json, String member, @Nullable Object value) {
    if (value != null) {
      json.put(member, value.toString());
    }
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
