package skein.http;

import io.vertx.core.Future;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.TenantScope;

/**
 * Shows designers which activities there are: built in, and definitions that can be used as one.
 */
final class ActivityDescriptorRoutes {
  private final Activities activities;
  private final Function<TenantScope, Future<List<ActivityDescriptor>>> definitions;
  private final ActivityDescriptorJson json;

  /** {@code baseUrl}: where clients find the server. */
  ActivityDescriptorRoutes(
      Activities activities,
      Function<TenantScope, Future<List<ActivityDescriptor>>> definitions,
      URI baseUrl) {
    this.activities = activities;
    this.definitions = definitions;
    this.json = new ActivityDescriptorJson(baseUrl + EndpointRequest.BASE);
  }

  /** {@code refresh} needs nothing: every call looks. */
  void addTo(Routes routes) {
    routes
        .get(
            "/descriptors/activities",
            Operation.of(Tag.DESIGNER, "listActivityDescriptors", "Lists activity types")
                .answers(ListShapes.all(ActivityDescriptorJson.SHAPE)),
            this::list)
        .get(
            "/descriptors/activities/:typeName",
            Operation.of(Tag.DESIGNER, "getActivityDescriptor", "Reads an activity type")
                .takes(Parameter.query("version", Shape.INTEGER, "The latest when missing"))
                .answers(ActivityDescriptorJson.SHAPE)
                .fails(ErrorCode.NOT_FOUND),
            this::get)
        .post(
            "/descriptors/activities/:typeName/options/:propertyName",
            Operation.of(Tag.DESIGNER, "getInputOptions", "Reads what can be chosen for an input")
                .takes(Parameter.query("version", Shape.INTEGER, "The latest when missing"))
                .reads(Shape.MEMBERS)
                .answers(Shape.object().has("items", Shape.MEMBERS))
                .fails(ErrorCode.NOT_FOUND),
            this::options);
  }

  private Future<Answer> list(Call call) {
    return all(call).map(all -> Answer.ok(Lists.of(all.stream().map(json::of).toList())));
  }

  private Future<List<ActivityDescriptor>> all(Call call) {
    return definitions
        .apply(call.scope())
        .map(more -> {
          var all = new ArrayList<>(activities.descriptors());
          all.addAll(more);
          return all;
        });
  }

  /** That version, else the latest. */
  private Future<ActivityDescriptor> find(Call call) {
    var type = call.path("typeName");
    var version = call.queryFields().number("version", 1, Integer.MAX_VALUE);
    var builtIn = activities.find(type, version == null ? Integer.MAX_VALUE : version);
    return builtIn != null
        ? Future.succeededFuture(builtIn.descriptor())
        : definitions
            .apply(call.scope())
            .map(all -> choose(all, type, version == null ? 0 : version));
  }

  private static ActivityDescriptor choose(List<ActivityDescriptor> all, String type, int version) {
    ActivityDescriptor found = null;
    for (var descriptor : all) {
      if (!descriptor.typeName().equals(type)) {
        continue;
      }
      if (descriptor.version() == version) {
        return descriptor;
      }
      if (found == null || isBetter(descriptor, found)) {
        found = descriptor;
      }
    }
    if (found == null) {
      throw new SkeinException(ErrorCode.NOT_FOUND, "No activity type " + type);
    }
    return found;
  }

  /** Offered activities come before the others, and newer versions before older ones. */
  private static boolean isBetter(ActivityDescriptor next, ActivityDescriptor found) {
    boolean offered = next.presentation().browsable();
    return offered == found.presentation().browsable() ? next.version() > found.version() : offered;
  }

  private Future<Answer> get(Call call) {
    return find(call).map(found -> Answer.ok(json.of(found)));
  }

  private Future<Answer> options(Call call) {
    var property = call.path("propertyName");
    return find(call)
        .map(found ->
            found.inputs().stream()
                .filter(input -> input.name().equalsIgnoreCase(property))
                .findFirst()
                .orElseThrow(() ->
                    new SkeinException(
                        ErrorCode.NOT_FOUND, found.typeName() + " has no input " + property)))
        .map(input -> Answer.ok(Map.of("items", json.options(input.editor()))));
  }
}
