package skein.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** Answers of the API as records. Any other answer is {@code INTERNAL}. */
final class HttpAnswers {
  private HttpAnswers() {}

  static Map<String, @Nullable Object> json(byte[] body) {
    try {
      return JsonText.parseObject(body, JsonLimits.STORED);
    } catch (SkeinException e) {
      throw unlike(e.detail());
    }
  }

  /** A problem; any other body is one whose code follows from the status. */
  static SkeinException refusal(int status, byte[] body) {
    try {
      var problem = JsonText.parseObject(body, JsonLimits.STORED);
      return new SkeinException(
          ErrorCode.valueOf(String.valueOf(problem.get("code"))),
          String.valueOf(problem.get("detail")),
          texts(problem.get("errors")),
          null);
    } catch (SkeinException | IllegalArgumentException e) {
      var code =
          switch (status) {
            case 502, 504 -> ErrorCode.OUTCOME_UNKNOWN;
            case 503 -> ErrorCode.NOT_READY;
            default -> ErrorCode.INTERNAL;
          };
      return new SkeinException(code, "Answered " + status + ", but not as a node", List.of(), e);
    }
  }

  static InstanceId instanceId(Map<String, @Nullable Object> json) {
    return new InstanceId(text(json, "workflowInstanceId"));
  }

  static Outcome outcome(Map<String, @Nullable Object> json) {
    return new Outcome(
        instanceId(json),
        text(json, "definitionId"),
        (int) number(json, "version"),
        status(text(json, "subStatus")),
        number(json, "revision"));
  }

  static Delivery delivery(Map<String, @Nullable Object> json) {
    return new Delivery(
        (int) number(json, "resumed"),
        (int) number(json, "started"),
        texts(json.get("workflowInstanceIds")).stream().map(InstanceId::new).toList());
  }

  static Instance instance(Map<String, @Nullable Object> json) {
    var outcome =
        new Outcome(
            new InstanceId(text(json, "id")),
            text(json, "definitionId"),
            (int) number(json, "version"),
            status(text(json, "subStatus")),
            number(json, "revision"));
    var state = object(json.get("workflowState"));
    return new Instance(
        outcome,
        textOrNull(json.get("correlationId")),
        object(state.get("input")),
        object(state.get("output")),
        objects(state.get("bookmarks")).stream().map(HttpAnswers::bookmark).toList(),
        objects(state.get("incidents")).stream().map(HttpAnswers::incident).toList());
  }

  private static Instance.Bookmark bookmark(Map<String, @Nullable Object> json) {
    var dueAt = textOrNull(json.get("dueAt"));
    return new Instance.Bookmark(
        BookmarkId.parse(text(json, "id")),
        text(json, "name"),
        text(json, "activityId"),
        json.get("payload"),
        dueAt == null ? null : instant(dueAt));
  }

  private static Instance.Incident incident(Map<String, @Nullable Object> json) {
    return new Instance.Incident(
        text(json, "activityId"),
        text(json, "activityType"),
        textOrNull(json.get("message")),
        instant(text(json, "timestamp")));
  }

  static List<JournalLine> journal(Map<String, @Nullable Object> page) {
    return objects(page.get("items")).stream()
        .map(json ->
            new JournalLine(
                number(json, "sequence"),
                instant(text(json, "timestamp")),
                text(json, "eventName"),
                text(json, "activityId"),
                text(json, "activityType"),
                textOrNull(json.get("message"))))
        .toList();
  }

  /** Elsa says Finished where the engine says Completed, and Executing for Running. */
  private static WorkflowStatus status(String subStatus) {
    return switch (subStatus) {
      case "Pending" -> WorkflowStatus.Pending;
      case "Executing" -> WorkflowStatus.Running;
      case "Suspended" -> WorkflowStatus.Suspended;
      case "Finished" -> WorkflowStatus.Completed;
      case "Faulted" -> WorkflowStatus.Faulted;
      case "Cancelled" -> WorkflowStatus.Cancelled;
      default -> throw unlike("\"" + subStatus + "\" is not a status");
    };
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw unlike("\"" + text + "\" is not an instant");
    }
  }

  private static String text(Map<String, @Nullable Object> json, String member) {
    if (json.get(member) instanceof String text) {
      return text;
    }
    throw unlike("\"" + member + "\" is missing");
  }

  private static @Nullable String textOrNull(@Nullable Object value) {
    return value instanceof String text ? text : null;
  }

  private static long number(Map<String, @Nullable Object> json, String member) {
    if (json.get(member) instanceof Long number) {
      return number;
    }
    throw unlike("\"" + member + "\" is not a whole number");
  }

  private static List<String> texts(@Nullable Object value) {
    var texts = new ArrayList<String>();
    if (value instanceof List<?> list) {
      list.forEach(element -> texts.add(String.valueOf(element)));
    }
    return texts;
  }

  private static List<Map<String, @Nullable Object>> objects(@Nullable Object value) {
    var objects = new ArrayList<Map<String, @Nullable Object>>();
    if (value instanceof List<?> list) {
      list.forEach(element -> objects.add(object(element)));
    }
    return objects;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> object(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw unlike("An object is missing");
  }

  private static SkeinException unlike(String what) {
    return new SkeinException(ErrorCode.INTERNAL, "The answer is not one of a node: " + what);
  }
}
