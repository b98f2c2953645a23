package skein.http;

import io.vertx.core.Future;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.identity.Identity;
import skein.identity.Permissions;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.ApplicationStore.Application;

/**
 * Programs and their API keys, in the shapes of Elsa's identity module. A key is replaced without a
 * gap by making a second application and deleting the first when it is no longer used.
 */
final class ApplicationRoutes {
  private static final Shape MEMBERS =
      Shape.object()
          .has("id", Shape.ID)
          .has("name", Shape.ID)
          .has("clientId", Shape.ID)
          .has("roles", PrivilegeRules.NAMES)
          .has("permissions", PrivilegeRules.NAMES)
          .has("expiresAt", Shape.INSTANT.orNull())
          .has("lastUsedAt", Shape.INSTANT.orNull())
          .has("createdAt", Shape.INSTANT);
  private static final Shape APPLICATION = MEMBERS.as("Application");

  private final Identity identity;

  ApplicationRoutes(Identity identity) {
    this.identity = identity;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/identity/applications",
            of("listApplications", "Lists applications, without their keys")
                .answers(Shape.object().has("applications", Shape.listOf(APPLICATION))),
            this::list)
        .postForSecret(
            "/identity/applications",
            of("createApplication", "Creates an application and its API key, which is shown once")
                .needs(
                    Shape.object()
                        .has("name", Shape.ID)
                        .may("roles", PrivilegeRules.NAMES)
                        .may("permissions", PrivilegeRules.NAMES)
                        .may("expiresAt", Shape.INSTANT.orNull()))
                .answers(MEMBERS.has("apiKey", Shape.TEXT)),
            this::create)
        .delete(
            "/identity/applications/:id",
            of("deleteApplication", "Deletes an application; its key is not taken any more")
                .answersNothing(204, "It is deleted"),
            this::delete);
  }

  private static Operation of(String id, String summary) {
    return Operation.of(Tag.IDENTITY, id, summary);
  }

  private Future<Answer> list(Call call) {
    return identity
        .applications()
        .all(call.scope())
        .map(all ->
            Answer.ok(Map.of("applications", all.stream().map(ApplicationRoutes::json).toList())));
  }

  /**
   * {@code {name, roles, permissions, expiresAt}}. The answer has the key, which is kept nowhere.
   */
  private Future<Answer> create(Call call) {
    var fields = call.fields();
    var name = PrivilegeRules.name(fields);
    var roles = PrivilegeRules.list(fields, "roles");
    var permissions = PrivilegeRules.permissions(fields);
    var expiresAt = expiry(fields.text("expiresAt"));
    call.about(name);
    return PrivilegeRules.check(call, identity, Permissions.of(permissions))
        .compose(_ -> PrivilegeRules.check(call, identity, roles))
        .compose(
            _ -> identity.apiKeys().make(name, roles, permissions, expiresAt, call.scope().owner()))
        .map(made -> {
          var json = json(made.application());
          json.put("apiKey", made.key());
          return Answer.ok(json);
        });
  }

  private static @Nullable Instant expiry(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      var time = OffsetDateTime.parse(text);
      if (time.getYear() >= 1970 && time.getYear() <= 9999) {
        return time.toInstant();
      }
    } catch (DateTimeException _) {
      // It is refused like one of another age.
    }
    throw BadRequest.of("expiresAt is \"" + text + "\", not a date and time with its offset");
  }

  private Future<Answer> delete(Call call) {
    var id = call.path("id");
    return identity
        .applications()
        .all(call.scope())
        .compose(all -> {
          var found =
              all.stream()
                  .filter(one -> one.id().equals(id))
                  .findFirst()
                  .orElseThrow(() -> none(id));
          return PrivilegeRules.check(call, identity, Permissions.of(found.permissions()))
              .compose(_ -> PrivilegeRules.checkOld(call, identity, found.roles()));
        })
        .compose(_ -> identity.applications().delete(id))
        .map(_ -> Answer.empty(204));
  }

  private static SkeinException none(String id) {
    return new SkeinException(ErrorCode.NOT_FOUND, "No application " + id);
  }

  private static Map<String, @Nullable Object> json(Application application) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", application.id());
    json.put("name", application.name());
    json.put("clientId", application.clientId());
    json.put("roles", application.roles());
    json.put("permissions", application.permissions());
    json.put("expiresAt", text(application.expiresAt()));
    json.put("lastUsedAt", text(application.lastUsedAt()));
    json.put("createdAt", application.createdAt().toString());
    return json;
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
