package skein.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.cluster.Inquiries;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Finds connections to the hub on any node, so that requests of one client may come to any: the
 * nodes are asked, and the one that has the connection acts. Thread-safe.
 */
final class HubPeers {
  /** Shorter than a node has for its answer: such a client asks again. */
  private static final Duration POLL_MAX = Duration.ofSeconds(1);

  /** A request of a client about its connection. */
  enum Act {
    SEND,
    POLL,
    END
  }

  /**
   * A request to a connection.
   *
   * @param owner who asks
   * @param text what is sent; empty else
   */
  record Request(Act act, String token, String owner, String text) {
    JsonObject json() {
      return new JsonObject()
          .put("act", act.name())
          .put("token", token)
          .put("owner", owner)
          .put("text", text);
    }

    static Request of(JsonObject json) {
      return new Request(
          Act.valueOf(json.getString("act")),
          json.getString("token"),
          json.getString("owner"),
          json.getString("text"));
    }

    /** Without the token, which is a secret. */
    @Override
    public String toString() {
      return "Request[" + act + "]";
    }
  }

  /** The result; {@code text}: null when the connection has ended. */
  record Outcome(@Nullable String text) {}

  private final Hub hub;
  private final Inquiries inquiries;

  HubPeers(Hub hub, Inquiries inquiries) {
    this.hub = hub;
    this.inquiries = inquiries;
  }

  /** Lets this node be asked; done when the others know. */
  Future<Void> serve() {
    return inquiries.serve(
        Inquiries.Topic.HUB,
        question -> {
          var request = Request.of(question);
          var channel = hub.channel(request.token());
          return channel == null
              ? Future.succeededFuture(new JsonObject().put("found", false))
              : act(channel, request, POLL_MAX)
                  .map(done -> new JsonObject().put("found", true).put("text", done.text()));
        });
  }

  /**
   * Acts on the node that has the connection; null when none has.
   *
   * @param wait of a poll, when the connection is here
   */
  Future<@Nullable Outcome> act(Request request, Duration wait) {
    var channel = hub.channel(request.token());
    if (channel != null) {
      return act(channel, request, wait).map(done -> done);
    }
    return inquiries
        .all(Inquiries.Topic.HUB, request.json())
        .map(answers -> {
          for (var answer : answers) {
            if (answer.refused() == null && answer.json().getBoolean("found", false)) {
              return new Outcome(answer.json().getString("text"));
            }
          }
          var refused =
              answers.stream()
                  .map(Inquiries.Answer::refused)
                  .filter(one -> one != null && one.code() != ErrorCode.TIMEOUT)
                  .findFirst();
          refused.ifPresent(one -> {
            throw new SkeinException(one.code(), one.detail(), List.of(), null);
          });
          return null;
        });
  }

  private static Future<Outcome> act(HubChannel channel, Request request, Duration wait) {
    if (!channel.owner().equals(request.owner())) {
      return Future.failedFuture(
          new SkeinException(
              ErrorCode.FORBIDDEN,
              "Another caller has opened this connection: negotiate a connection of your own"));
    }
    return switch (request.act()) {
      case SEND -> channel.receive(request.text()).map(_ -> new Outcome(""));
      case END -> channel.end().map(_ -> new Outcome(""));
      case POLL ->
          channel.polls() == null
              ? Future.failedFuture(
                  new SkeinException(
                      ErrorCode.INVALID_REQUEST,
                      "This connection does not use long polling: read its messages where they are streamed"))
              : channel.poll(channel.polls(), wait).map(Outcome::new);
    };
  }
}
