package skein.ingress;

import static skein.identity.Requirement.NOTHING;
import static skein.identity.Requirement.oneOf;

import skein.identity.Requirement;
import skein.messages.Request;

/** The permission that a request of the event bus needs: that of the same request over HTTP. */
public final class RequestPermissions {
  private RequestPermissions() {}

  public static Requirement of(Request request) {
    return switch (request) {
      case Request.Start _ -> oneOf("exec:workflow-definitions");
      case Request.Resume _ -> oneOf("resume:workflow-instances");
      case Request.ResumeByToken _ -> NOTHING;
      case Request.PublishEvent _ -> oneOf("trigger:event");
      case Request.CompleteTask _ -> oneOf("tasks:complete");
      case Request.Cancel _ -> oneOf("cancel:workflow-instances");
      case Request.Query _, Request.Journal _ -> oneOf("read:workflow-instances");
    };
  }
}
