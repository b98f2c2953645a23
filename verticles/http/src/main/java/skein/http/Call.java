package skein.http;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.codecs.StorableText;
import skein.identity.Caller;
import skein.ingress.IdempotencyKey;
import skein.ingress.Ingress;
import skein.ingress.Once;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.TenantScope;

/** One request, read with all checks: each method throws a {@link SkeinException} for bad input. */
final class Call {
  private static final int ID_CHARS_MAX = 255;
  private static final int ADDRESS_CHARS_MAX = 255;
  private static final int SUBJECT_BYTES_MAX = 65_536;
  private static final int SUBJECT_CHARS_MAX = 1_000;
  private static final String SUBJECT = "skein.subject";

  /** Members of bodies that name what is changed, in lower case. */
  private static final Set<String> SUBJECTS =
      Set.of(
          "id",
          "ids",
          "definitionid",
          "definitionids",
          "workflowinstanceids",
          "instanceids",
          "level",
          "logger");

  private static final String QUERY_FIELDS = "skein.query-fields";
  private static final String BODY = "skein.json-body";

  private final RoutingContext context;
  private final JsonLimits limits;
  private final Callers callers;
  private final @Nullable Once once;
  private final BooleanSupplier held;

  Call(RoutingContext context, JsonLimits limits, Callers callers) {
    this(context, limits, callers, null, () -> true);
  }

  private Call(
      RoutingContext context,
      JsonLimits limits,
      Callers callers,
      @Nullable Once once,
      BooleanSupplier held) {
    this.context = context;
    this.limits = limits;
    this.callers = callers;
    this.once = once;
    this.held = held;
  }

  /**
   * The same request, which continues like this.
   *
   * @param held whether its key is still claimed for it
   */
  Call with(Once how, BooleanSupplier held) {
    return new Call(context, limits, callers, how, held);
  }

  /** Says that it changes nothing, though its method might. */
  void readsOnly() {
    AnswerSender.markHarmless(context);
  }

  /** Asked before each step of a request that has several: fails when its claim was taken over. */
  Future<Void> nextStep() {
    return held.getAsBoolean()
        ? Future.succeededFuture()
        : Future.failedFuture(SkeinException.idempotencyKeyInUse());
  }

  /**
   * For the one command that does all that was asked for: what it commits is kept under the
   * request's key, if there is one. Several commands of a request take the ingress as it is.
   */
  Ingress once(Ingress ingress) {
    return once(ingress, scope());
  }

  /** The same for a tenant. */
  Ingress once(Ingress ingress, TenantScope scope) {
    var own = ingress.of(scope.owner());
    return once == null ? own : own.once(once);
  }

  /** A parameter of the route's path, decoded: 1 to 255 characters that can be stored. */
  String path(String name) {
    var value = decoded(() -> context.pathParam(name));
    return StorableText.check(name, value == null ? "" : value, ID_CHARS_MAX);
  }

  InstanceId instanceId() {
    return new InstanceId(path("id"));
  }

  /** A whole number in the route's path. */
  int version() {
    var text = path("version");
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST, "\"" + text + "\" is not a version: 1 to 999999999");
    }
    return Integer.parseInt(text);
  }

  /** The query's parameters; every value can be stored. */
  MultiMap query() {
    MultiMap all = decoded(context::queryParams);
    for (var entry : all) {
      if (!StorableText.isStorable(entry.getKey()) || !StorableText.isStorable(entry.getValue())) {
        throw new SkeinException(
            ErrorCode.UNSTORABLE_TEXT,
            "The query has a character that cannot be stored, such as U+0000: leave it out");
      }
    }
    return all;
  }

  /** The same ones whenever it is asked, so that they know what was read of them. */
  Fields queryFields() {
    Fields known = context.get(QUERY_FIELDS);
    if (known == null) {
      known = Fields.of(query());
      context.put(QUERY_FIELDS, known);
    }
    return known;
  }

  /** Names of query parameters that nothing has asked for; empty when they cannot be read. */
  List<String> unreadParameters() {
    if (rawQuery().isEmpty()) {
      return List.of();
    }
    try {
      return queryFields().unread();
    } catch (SkeinException e) {
      return List.of();
    }
  }

  private interface Decoding<T extends @Nullable Object> {
    T get();
  }

  private static <T extends @Nullable Object> T decoded(Decoding<T> decoding) {
    try {
      return decoding.get();
    } catch (IllegalArgumentException e) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          "The address has a % that is not followed by two hexadecimal digits: write the % itself as %25");
    }
  }

  @Nullable String header(String name) {
    return context.request().getHeader(name);
  }

  @Nullable String idempotencyKey() {
    return IdempotencyKey.read(context.request().headers().getAll(IdempotencyKey.HEADER));
  }

  /** The media type of the body in lower case, without parameters; empty when not said. */
  String mediaType() {
    return mediaType(header("Content-Type"));
  }

  /** The same of a header. */
  static String mediaType(@Nullable String given) {
    if (given == null) {
      return "";
    }
    int semicolon = given.indexOf(';');
    return (semicolon < 0 ? given : given.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }

  boolean isForm() {
    return mediaType().equals(UrlEncodedForm.MEDIA_TYPE);
  }

  static boolean isJson(String mediaType) {
    return mediaType.equals("application/json") || mediaType.endsWith("+json");
  }

  byte[] bytes() {
    var read = Bodies.of(context);
    return read == null ? new byte[0] : read;
  }

  /**
   * The body's object, read once however often it is asked for; no body at all is an empty one, and
   * so is null. It cannot be changed.
   */
  Map<String, @Nullable Object> body() {
    Map<String, @Nullable Object> known = context.get(BODY);
    if (known == null) {
      known = body(limits);
      context.put(BODY, known);
    }
    return known;
  }

  /** The same of a body that may be larger; it is read away from the event loop then. */
  Future<Map<String, @Nullable Object>> largeBody(JsonLimits larger) {
    return bytes().length <= limits.bytesMax()
        ? Future.succeededFuture(body())
        : onWorker(() -> body(larger));
  }

  private Map<String, @Nullable Object> body(JsonLimits limits) {
    var bytes = bytes();
    if (Bodies.isAbsent(bytes) && form().isEmpty()) {
      return Map.of();
    }
    // What is not named is refused before, where it could do harm.
    var type = mediaType();
    if (!type.isEmpty() && !isJson(type)) {
      throw new SkeinException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send application/json instead of " + type);
    }
    return JsonText.parseObject(bytes, limits);
  }

  Fields fields() {
    return Fields.of(body());
  }

  JsonLimits limits() {
    return limits;
  }

  /** Whether the caller would rather see a page than JSON. */
  boolean wantsHtml() {
    var accept = header("Accept");
    return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/html");
  }

  String method() {
    return context.request().method().name();
  }

  /** As sent, without the query. */
  String rawPath() {
    var path = context.request().path();
    return path == null ? "/" : path;
  }

  /** The query as sent; empty when there is none. */
  String rawQuery() {
    var query = context.request().query();
    return query == null ? "" : query;
  }

  /** The files of a multipart request; empty when it is none. */
  List<Upload> files() {
    return Uploads.of(context);
  }

  /** The JSON files among those of {@link #files}, unpacked; on a worker. */
  List<Upload> unpacked(List<Upload> files, UploadLimits limits, int entryBytesMax)
      throws Exception {
    return limits
        .pace()
        .run(() -> Archive.jsonFiles(files, limits, entryBytesMax, Uploads.lease(context)));
  }

  /** Does work that takes long away from the event loop. */
  @SuppressWarnings("NullAway") // The worker gives what the work gives.
  <T> Future<T> onWorker(Callable<T> work) {
    return context.vertx().executeBlocking(work, false);
  }

  MultiMap headers() {
    return context.request().headers();
  }

  MultiMap form() {
    return context.request().formAttributes();
  }

  /** The files of a form, for an endpoint. */
  List<Map<String, @Nullable Object>> formFiles() {
    return EndpointUploads.files(EndpointUploads.collected(context));
  }

  /** Names the changed object, for the audit log; for requests whose path and body do not. */
  void about(String subject) {
    context.put(SUBJECT, subject);
  }

  /** The changed object, for the audit log: from the path or the body; null: unknown. */
  @Nullable String subject() {
    var named = new ArrayList<>(context.pathParams().values());
    if (named.isEmpty()) {
      String said = context.get(SUBJECT);
      if (said != null) {
        named.add(said);
      } else if (isJson(mediaType()) && bytes().length <= SUBJECT_BYTES_MAX) {
        namedInBody(named);
      }
    }
    var text = String.join(" ", named);
    return text.isBlank() || !StorableText.isStorable(text)
        ? null
        : text.substring(0, Math.min(text.length(), SUBJECT_CHARS_MAX));
  }

  private void namedInBody(List<String> named) {
    try {
      body()
          .forEach((name, value) -> {
            if (SUBJECTS.contains(name.toLowerCase(Locale.ROOT))) {
              (value instanceof List<?> list ? list : Collections.singletonList(value))
                  .forEach(item -> {
                    if (item instanceof String text) {
                      named.add(text);
                    }
                  });
            }
          });
    } catch (SkeinException e) {
      named.clear(); // The action refuses the body, and says why.
    }
  }

  /** Anonymous where callers are not authenticated. */
  Caller caller() {
    Caller known = context.get(Gate.CALLER);
    return known == null ? Caller.Anonymous.INSTANCE : known;
  }

  /** The credentials of the request, where they are verified later; empty elsewhere. */
  List<String> credentials() {
    List<String> brought = context.get(Gate.CREDENTIALS);
    return brought == null ? List.of() : brought;
  }

  RoutingContext context() {
    return context;
  }

  /** The tenant of the request; all where there are no tenants. */
  TenantScope scope() {
    var tenancy = callers.tenancy();
    return tenancy.enabled() ? tenancy.of(caller(), site()) : TenantScope.ALL;
  }

  /** The tenant whose workflows answer it, whatever its caller's is. */
  TenantScope siteScope() {
    var tenancy = callers.tenancy();
    return tenancy.enabled() ? tenancy.ofSite(site()) : TenantScope.ALL;
  }

  private Tenancy.Site site() {
    var request = context.request();
    var remote = request.remoteAddress();
    var authority = request.authority();
    return new Tenancy.Site(
        request.headers(),
        authority == null ? null : authority.host(),
        callers.isProxied(remote == null ? null : remote.hostAddress()));
  }

  /** The caller for the audit log: a name, or an address. */
  @Nullable String actor() {
    if (!(caller() instanceof Caller.Anonymous)) {
      return caller().label();
    }
    var remote = context.request().remoteAddress();
    var text = callers.address(remote == null ? null : remote.hostAddress(), headers());
    return text == null || text.length() <= ADDRESS_CHARS_MAX
        ? text
        : text.substring(0, ADDRESS_CHARS_MAX);
  }
}
