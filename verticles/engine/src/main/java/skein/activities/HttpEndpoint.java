package skein.activities;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.Effect;
import skein.model.FindingCode;

/** Waits for an HTTP request, or starts the workflow with it. */
final class HttpEndpoint implements TriggerActivity {
  private static final Input PATH =
      Input.of("Path", "String")
          .edited(Editor.ENDPOINT_PATH)
          .described("The path below /workflows/, with parameters such as orders/{id}.");
  private static final Input METHODS =
      Input.of("SupportedMethods", "String[]")
          .anyOf("GET", "POST", "PUT", "PATCH", "HEAD", "DELETE")
          .described("Methods of the requests that it takes.");
  private static final Input AUTHORIZE =
      Input.of("Authorize", "Boolean", false)
          .described("Whether callers must be authenticated.")
          .grouped("Security");
  private static final Input POLICY =
      Input.of("Policy", "String")
          .described("The name of the policy that callers must fulfil.")
          .grouped("Security");
  private static final Input TIMEOUT =
      Input.of("RequestTimeout", "TimeSpan")
          .described("How long the caller waits for an answer; the workflow continues.")
          .grouped("Upload");

  /** Below it, requests of these methods are for resume links. */
  private static final String RESUME_LINKS = "resume/";

  private static final Set<String> METHODS_OF_RESUME_LINKS = Set.of("get", "head", "post");

  private static final String PROBLEM_TYPE = "application/problem+json; charset=utf-8";

  /** Marks the input of a request that starts an instance. */
  private static final String STARTS = "starts";

  private static final Output RESULT = new Output("Result", "HttpRequest");
  private static final Output PARSED_CONTENT =
      new Output("ParsedContent", "Object").described("The body, by its media type.");
  private static final Output ROUTE_DATA =
      new Output("RouteData", "ObjectDictionary").described("Parameters of the path, by name.");
  private static final Output QUERY =
      new Output("QueryStringData", "ObjectDictionary")
          .described("Parameters of the query, by name.");
  private static final Output HEADERS =
      new Output("Headers", "ObjectDictionary").described("Headers, by name.");
  private static final Output FILES =
      new Output("Files", "FormFile[]").described("All files of the request.");
  private static final Output FILE =
      new Output("File", "FormFile").described("The first file of the request.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(Stimuli.HTTP_ENDPOINT, "HTTP", "Waits for an HTTP request.")
          .with(
              PATH,
              METHODS,
              AUTHORIZE,
              POLICY,
              TIMEOUT,
              KeptSecrets.INPUT,
              HttpEndpointLimits.REQUEST_SIZE,
              HttpEndpointLimits.FILE_SIZE,
              HttpEndpointLimits.ALLOWED_EXTENSIONS,
              HttpEndpointLimits.BLOCKED_EXTENSIONS,
              HttpEndpointLimits.MIME_TYPES,
              HttpEndpointLimits.EXPOSE_REQUEST,
              HttpEndpointLimits.EXPOSE_FILE,
              HttpEndpointLimits.EXPOSE_EXTENSION,
              HttpEndpointLimits.EXPOSE_TYPE)
          .with(PARSED_CONTENT, FILES, FILE, ROUTE_DATA, QUERY, HEADERS, RESULT)
          .titled("HTTP Endpoint")
          .asTrigger();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Collection<String> outcomes(ActivityNode node) {
    return HttpEndpointLimits.OUTCOMES;
  }

  @Override
  public void review(ActivityNode node, Warnings warnings) {
    var binding = node.input(PATH);
    var methods = node.literalTexts(METHODS);
    if (binding == null
        || methods == null
        || !binding.expression().type().equalsIgnoreCase("Literal")
        || !(binding.expression().value() instanceof String path)
        || Collections.disjoint(methods(methods), METHODS_OF_RESUME_LINKS)) {
      return;
    }
    var below = PathTemplate.normal(path).toLowerCase(Locale.ROOT);
    if (!below.startsWith(RESUME_LINKS) || below.indexOf('/', RESUME_LINKS.length()) >= 0) {
      return;
    }
    warnings.add(
        node,
        FindingCode.UNREACHABLE,
        "/path",
        "what is sent to /workflows/" + path + " is read as the token of a resume link",
        null);
  }

  @Override
  public void execute(ActivityContext context) {
    for (var spec : triggers(context)) {
      context.await(Wait.forStimulus(spec.name(), spec.hash(), spec.payload()));
    }
  }

  /** One for each method. */
  @Override
  public List<TriggerSpec> triggers(Inputs inputs) {
    var path = inputs.required(PATH);
    try {
      PathTemplate.check(path);
    } catch (IllegalArgumentException e) {
      throw new FaultException("InvalidPath", String.valueOf(e.getMessage()));
    }
    boolean authorize = inputs.flag(AUTHORIZE);
    var policy = inputs.text(POLICY);
    var specs = new ArrayList<TriggerSpec>();
    for (var method : methods(inputs.texts(METHODS))) {
      var payload = new LinkedHashMap<String, Object>();
      payload.put("path", PathTemplate.normal(path));
      payload.put("method", method);
      payload.put("authorize", authorize);
      if (authorize && policy != null && !policy.isBlank()) {
        payload.put("policy", policy.strip());
      }
      var hash =
          authorize
              ? Stimuli.guardedHttpEndpoint(path, method)
              : Stimuli.httpEndpoint(path, method);
      specs.add(new TriggerSpec(Stimuli.HTTP_ENDPOINT, hash, payload, null));
    }
    return specs;
  }

  private static Collection<String> methods(Collection<String> written) {
    var methods = new LinkedHashSet<String>();
    for (var method : written) {
      methods.add(method.strip().toLowerCase(Locale.ROOT));
    }
    methods.remove("");
    return methods.isEmpty() ? List.of("get") : methods;
  }

  @Override
  public Map<String, @Nullable Object> startInput(@Nullable Object stimulus) {
    return Json.members("http", stimulus, STARTS, true);
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var request = Json.object(resumption.input().get("http"));
    if (request == null) { // Resumed by its bookmark: what came with that stands for the body.
      context.output(PARSED_CONTENT, resumption.input());
      context.complete();
      return;
    }
    var stranger = HttpCaller.refusal(context.flag(AUTHORIZE), context.text(POLICY), request);
    if (stranger != null) {
      refuse(context, stranger, resumption.input().containsKey(STARTS));
      return;
    }
    var violation = HttpEndpointLimits.of(context, request);
    if (violation != null && !violation.exposed()) {
      refuse(context, violation, resumption.input().containsKey(STARTS));
      return;
    }
    var whole = KeptSecrets.of(context).in(request);
    var headers = HeaderNames.shown(Json.object(whole.get("headers")));
    whole.put("headers", headers);
    HttpCaller.show(whole);
    whole.remove("files"); // They are large, and have an output of their own.
    context.output(RESULT, Collections.unmodifiableMap(whole));
    context.output(PARSED_CONTENT, request.get("body"));
    context.output(ROUTE_DATA, request.get("route"));
    context.output(QUERY, whole.get("query"));
    context.output(HEADERS, headers);
    if (violation != null) {
      context.complete(violation.outcome());
      return;
    }
    var files = Json.list(request.get("files"));
    context.output(FILES, files);
    context.output(FILE, files.isEmpty() ? null : files.getFirst());
    context.complete();
  }

  /** A waiting instance keeps waiting; an instance that the request has started ends. */
  private void refuse(
      ActivityContext context, HttpEndpointLimits.Violation violation, boolean starts) {
    if (context.hasHttpRequest()) {
      context.effect(
          new Effect.HttpAnswer(violation.status(), Map.of(), PROBLEM_TYPE, violation.toProblem()));
    }
    if (starts) {
      context.finish();
    } else {
      execute(context);
    }
  }
}
