package skein.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * The messages of the hub's clients after the handshake, in SignalR's JSON protocol.
 *
 * @see <a
 *     href="https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/HubProtocol.md">SignalR:
 *     the hub protocol</a>
 */
sealed interface HubMessage {
  /** Follows every message; it cannot occur in JSON. */
  char END = '\u001e';

  /** {@code id}: null when no completion is expected. */
  record Invocation(@Nullable String id, String target, List<?> arguments) implements HubMessage {}

  /** Asks for a stream of results, of which the hub has none. */
  record StreamInvocation(String id) implements HubMessage {}

  record Ping() implements HubMessage {}

  record Close() implements HubMessage {}

  /** A message that needs no answer here, or of an unknown type; it is ignored. */
  record Other() implements HubMessage {}

  /** {@code record}: without the {@link #END}. */
  static HubMessage parse(String record, JsonLimits limits) {
    var json = JsonText.parseObject(record, limits);
    return switch (json.get("type")) {
      case Long type when type == 1L ->
          new Invocation(id(json), text(json, "target"), arguments(json));
      case Long type when type == 4L -> new StreamInvocation(text(json, "invocationId"));
      case Long type when type == 6L -> new Ping();
      case Long type when type == 7L -> new Close();
      case Long _ -> new Other();
      case null, default -> throw invalid("A message has no type");
    };
  }

  /** Checks the first record of a client. */
  static void handshake(String record, JsonLimits limits) {
    var json = JsonText.parseObject(record, limits);
    if (!"json".equals(json.get("protocol"))) {
      throw invalid("The protocol is json");
    }
    if (!(json.get("version") instanceof Long version) || version < 1 || version > 2) {
      throw invalid("The version of the protocol is 1 or 2");
    }
  }

  private static @Nullable String id(Map<String, @Nullable Object> json) {
    return json.get("invocationId") == null ? null : text(json, "invocationId");
  }

  private static String text(Map<String, @Nullable Object> json, String member) {
    if (json.get(member) instanceof String text) {
      return text;
    }
    throw invalid("A message needs the text " + member);
  }

  private static List<?> arguments(Map<String, @Nullable Object> json) {
    return json.get("arguments") instanceof List<?> list ? list : List.of();
  }

  private static SkeinException invalid(String why) {
    return new SkeinException(ErrorCode.INVALID_REQUEST, why);
  }

  /** Answers a handshake that is taken. */
  static String accepted() {
    return "{}" + END;
  }

  /** Answers one that is not. */
  static String rejected(String why) {
    return record(Map.of("error", why));
  }

  static String ping() {
    return "{\"type\":6}" + END;
  }

  static String invocation(String target, Object argument) {
    return "{\"type\":1,\"target\":\""
        + target
        + "\",\"arguments\":["
        + JsonText.print(argument)
        + "]}"
        + END;
  }

  /** {@code error}: null when all went well. */
  static String completion(String id, @Nullable String error) {
    var json = new LinkedHashMap<String, Object>();
    json.put("type", 3L);
    json.put("invocationId", id);
    if (error != null) {
      json.put("error", error);
    }
    return record(json);
  }

  /** {@code error}: null when nothing is wrong. */
  static String close(@Nullable String error, boolean reconnect) {
    var json = new LinkedHashMap<String, Object>();
    json.put("type", 7L);
    if (error != null) {
      json.put("error", error);
    }
    if (reconnect) {
      json.put("allowReconnect", true);
    }
    return record(json);
  }

  private static String record(Map<String, ?> json) {
    return JsonText.print(json) + END;
  }
}
