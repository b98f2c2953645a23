package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import skein.codecs.StorableText;
import skein.http.ActivityRecords.ExecutionId;
import skein.http.TenantRule.Name;
import skein.http.TenantRule.Thing;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.storage.TenantStore;

/**
 * Keeps requests to what is their tenant's, before their action begins: whatever a request names
 * and its tenant does not have is not found, whether another tenant has it or none, so that callers
 * cannot tell which. Without tenants it does nothing. Thread-safe.
 */
final class TenantGate {
  private final boolean enabled;
  private final TenantStore store;

  TenantGate(Tenancy tenancy, TenantStore store) {
    this.enabled = tenancy.enabled();
    this.store = store;
  }

  /**
   * The action for what is the caller's tenant's; the action itself where there are no tenants.
   *
   * @param rule of the route
   */
  Action guarded(TenantRule rule, Action action) {
    if (!enabled) {
      return action;
    }
    return switch (rule) {
      case TenantRule.Open _, TenantRule.Scoped _ -> action;
      case TenantRule.OfCluster _ ->
          call -> {
            requireCluster(call);
            return action.answer(call);
          };
      case TenantRule.Named(var names) ->
          call -> requireAll(call, names).compose(_ -> action.answer(call));
    };
  }

  /** Throws {@code FORBIDDEN} for callers of a tenant, where there are tenants. */
  static void requireCluster(Call call) {
    if (!call.scope().sees("")) {
      throw new SkeinException(
          ErrorCode.FORBIDDEN, "This is about the whole cluster, and not for callers of a tenant");
    }
  }

  private Future<Void> requireAll(Call call, List<Name> names) {
    Future<Void> done = Future.succeededFuture();
    for (var name : names) {
      var ids = ids(call, name);
      done = done.compose(_ -> require(call, name.thing(), ids));
    }
    return done;
  }

  /** Fails as for a missing object, unless all of these are the caller's tenant's. */
  Future<Void> require(Call call, Thing thing, Collection<String> ids) {
    var tenant = call.scope().tenant();
    if (tenant == null || ids.isEmpty()) {
      return Future.succeededFuture();
    }
    var stored = new ArrayList<String>();
    for (var id : ids) {
      stored.add(stored(thing, id));
    }
    return store
        .ownsAll(thing.kind, stored, tenant)
        .compose(owned ->
            owned
                ? Future.succeededFuture()
                : Future.failedFuture(notFound(thing, String.join(", ", ids))));
  }

  private static List<String> ids(Call call, Name name) {
    return switch (name.where()) {
      case PATH -> List.of(call.path(name.parameter()));
      case QUERY -> call.queryFields().texts(name.parameter());
      case BODY -> call.fields().texts(name.parameter());
    };
  }

  /** The id that the row has; an invalid one is refused as the action does it. */
  private static String stored(Thing thing, String id) {
    return switch (thing) {
      case BOOKMARK -> BookmarkId.parse(id).instanceId().value();
      case EXECUTION -> ExecutionId.parse(id).instanceId().value();
      case INSTANCE -> new InstanceId(id).value();
      default -> StorableText.check("id", id, 255);
    };
  }

  private static SkeinException notFound(Thing thing, String id) {
    return switch (thing) {
      case DEFINITION -> SkeinException.definitionNotFound(id);
      case DEFINITION_VERSION -> SkeinException.definitionNotFound("version " + id);
      case INSTANCE ->
          new SkeinException(ErrorCode.INSTANCE_NOT_FOUND, "No workflow instance " + id);
      case BOOKMARK -> InstanceRefusals.taskNotFound(id);
      case EXECUTION -> new SkeinException(ErrorCode.NOT_FOUND, "No activity execution " + id);
      case SCHEDULE -> SkeinException.scheduleNotFound(id);
      case ALTERATION_PLAN ->
          new SkeinException(ErrorCode.NOT_FOUND, "There is no plan \"" + id + "\"");
      case USER -> new SkeinException(ErrorCode.NOT_FOUND, "No user " + id);
      case APPLICATION -> new SkeinException(ErrorCode.NOT_FOUND, "No application " + id);
    };
  }
}
