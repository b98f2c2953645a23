package skein.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.regex.Pattern;
import skein.codecs.JsonLimits;
import skein.identity.Requirement;
import skein.model.SkeinException;

/**
 * Admits definitions that are larger than other bodies may be, a few at a time: each takes several
 * times its size in memory until it is stored. Belongs to one event loop.
 */
final class LargeDefinitions {
  private static final String KEY = LargeDefinitions.class.getName();

  private static final String PATH = Routes.API + "/workflow-definitions";
  private static final String DEFINITION = "/:definitionId";
  private static final Pattern PATHS = Pattern.compile("(/[^/]+)?(/import)?/?");

  private final DefinitionLimits limits;
  private final long smallBytesMax;

  /** Requests that have such a definition in memory. */
  private int open;

  /** {@code smallBytesMax}: a body up to that is like any other. */
  LargeDefinitions(DefinitionLimits limits, long smallBytesMax) {
    this.limits = limits;
    this.smallBytesMax = smallBytesMax;
  }

  /** Whether a request may bring a definition as its body. */
  static boolean areIn(RoutingContext context) {
    var method = context.request().method();
    if (!method.equals(HttpMethod.POST) && !method.equals(HttpMethod.PUT)) {
      return false;
    }
    var path = context.request().path(); // nothing else would be its normal form: RequestTarget
    return path != null
        && path.startsWith(PATH)
        && PATHS.matcher(path).region(PATH.length(), path.length()).matches();
  }

  /** The permission that such a request needs; without a route, that of saving. */
  static Requirement needed(RoutingContext context) {
    var method = context.request().method();
    var path = String.valueOf(context.request().path());
    var below = path.substring(PATH.length(), path.length() - (path.endsWith("/") ? 1 : 0));
    boolean put = method.equals(HttpMethod.PUT);
    var route =
        switch (below) {
          case "/import" -> below;
          case "/validate" -> put ? DEFINITION : below;
          default -> below.endsWith("/import") ? DEFINITION + "/import" : put ? DEFINITION : "";
        };
    return RouteTable.of(method.name(), PATH + route).permission();
  }

  /** False when there is no room for a request that has so many bytes; it has failed then. */
  boolean admit(RoutingContext context, long bytes) {
    if (bytes <= smallBytesMax || context.get(KEY) != null) {
      return true;
    }
    if (open >= limits.concurrentMax()) {
      context.fail(SkeinException.tooMany("large definitions", limits.concurrentMax()));
      return false;
    }
    open++;
    context.put(KEY, this);
    context.addEndHandler(_ -> leave(context));
    return true;
  }

  /** A connection that breaks after the answer ends a request once more. */
  private void leave(RoutingContext context) {
    if (context.remove(KEY) != null) {
      open--;
    }
  }

  /** Large ones have as many more values, but none that takes up much more than its text. */
  static JsonLimits json(DefinitionLimits limits, JsonLimits json) {
    return new JsonLimits(
        Math.max(limits.bytesMax(), json.bytesMax()),
        json.depthMax(),
        json.stringCharsMax(),
        json.numberDigitsMax(),
        Math.max(limits.bytesMax() / DefinitionLimits.BYTES_PER_VALUE, json.membersMax()));
  }
}
