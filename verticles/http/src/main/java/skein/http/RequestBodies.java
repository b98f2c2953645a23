package skein.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/** Reads the body of each request within the limits of its kind. */
final class RequestBodies {
  static final int FORM_FIELDS_MAX = 1_000;

  private RequestBodies() {}

  /** Files are taken by a few routes; elsewhere they are not part of a request. */
  static Handler<RoutingContext> of(Vertx vertx, HttpOptions.BodyLimits limits) {
    long bytesMax = limits.json().bytesMax();
    var bodies = new Bodies(Bodies.LIMIT, bytesMax);
    var form = new Multipart.Limits(FORM_FIELDS_MAX, bytesMax);
    var endpoints = new EndpointUploads(bodies, bytesMax, form);
    var uploads = new Uploads(limits.uploads(), UploadBudget.of(vertx, limits.uploads()), form);
    var large = new LargeDefinitions(limits.definitions(), bytesMax);
    var definitions =
        new Bodies(
            Bodies.DEFINITION_LIMIT,
            Math.max(bytesMax, limits.definitions().bytesMax()),
            large::admit);
    return context -> {
      if (Uploads.areIn(context)) {
        uploads.handle(context);
      } else {
        (LargeDefinitions.areIn(context) ? definitions : endpoints).handle(context);
      }
    };
  }
}
