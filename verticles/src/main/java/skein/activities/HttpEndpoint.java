package skein.activities;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.Effect;

/** Waits for an HTTP request, or starts the workflow with it. */
final class HttpEndpoint implements TriggerActivity {
  private static final Input PATH = Input.of("Path", "String");
  private static final Input METHODS =
      Input.of("SupportedMethods", "String[]")
          .anyOf("GET", "POST", "PUT", "PATCH", "HEAD", "DELETE");
  private static final Input AUTHORIZE =
      Input.of("Authorize", "Boolean", false).grouped("Security");
  private static final Input POLICY = Input.of("Policy", "String").grouped("Security");
  private static final Output RESULT = new Output("Result", "HttpRequest");
  private static final Output PARSED_CONTENT = new Output("ParsedContent", "Object");
  private static final Output FILES = new Output("Files", "HttpFile[]");
  private static final Output FILE = new Output("File", "HttpFile");
  private static final Output ROUTE_DATA = new Output("RouteData", "ObjectDictionary");
  private static final Output QUERY = new Output("QueryStringData", "ObjectDictionary");
  private static final Output HEADERS = new Output("Headers", "ObjectDictionary");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(Stimuli.HTTP_ENDPOINT, "HTTP", "Waits for an HTTP request.")
          .with(EndpointLimits.after(PATH, METHODS, AUTHORIZE, POLICY))
          .with(RESULT, PARSED_CONTENT, FILES, FILE, ROUTE_DATA, QUERY, HEADERS)
          .titled("HTTP Endpoint")
          .asTrigger();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
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
      PathTemplate.parse(path);
    } catch (IllegalArgumentException e) {
      throw new FaultException("InvalidPath", String.valueOf(e.getMessage()));
    }
    if (inputs.flag(AUTHORIZE)) { // Refused rather than served to everybody.
      throw new FaultException(
          "NotSupported", "authorize is true, and this server does not authenticate requests");
    }
    var specs = new ArrayList<TriggerSpec>();
    for (var method : methods(inputs)) {
      var payload =
          Map.<String, Object>of(
              "path",
              PathTemplate.normal(path),
              "method",
              method,
              "authorize",
              inputs.flag(AUTHORIZE));
      specs.add(
          new TriggerSpec(
              Stimuli.HTTP_ENDPOINT, Stimuli.httpEndpoint(path, method), payload, null));
    }
    return specs;
  }

  private static Iterable<String> methods(Inputs inputs) {
    var methods = new LinkedHashSet<String>();
    for (var method : inputs.texts(METHODS)) {
      methods.add(method.strip().toLowerCase(Locale.ROOT));
    }
    methods.remove("");
    return methods.isEmpty() ? List.of("get") : methods;
  }

  @Override
  public Map<String, @Nullable Object> startInput(@Nullable Object stimulus) {
    return Collections.singletonMap("http", stimulus);
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var request = Json.object(resumption.input().get("http"));
    if (request == null) { // Resumed by its bookmark: what came with that stands for the body.
      context.output(PARSED_CONTENT, resumption.input());
      context.complete();
      return;
    }
    output(context, request);
    var breach = EndpointLimits.breach(context, request);
    if (breach == null) {
      context.complete();
    } else if (breach.isOutcome(context)) {
      context.complete(breach.outcome());
    } else {
      refuse(context, breach);
    }
  }

  /** What waits goes on waiting for a request that is accepted; a start has come to its end. */
  private void refuse(ActivityContext context, EndpointLimits.Breach breach) {
    context.effect(
        new Effect.HttpAnswer(
            breach.status(), Map.of(), null, Map.of("message", breach.message())));
    if (context.node().id().equals(context.startActivityId())) {
      throw new FaultException("RequestRefused", breach.outcome(), breach.message());
    }
    execute(context);
  }

  private static void output(ActivityContext context, Map<String, @Nullable Object> request) {
    var headers = shown(request.get("headers"));
    var whole = new LinkedHashMap<>(request);
    whole.put("headers", headers);
    context.output(RESULT, Collections.unmodifiableMap(whole));
    context.output(PARSED_CONTENT, request.get("body"));
    var files = Json.list(request.get("files"));
    if (!files.isEmpty()) {
      context.output(FILES, files);
      context.output(FILE, files.getFirst());
    }
    context.output(ROUTE_DATA, request.get("route"));
    context.output(QUERY, request.get("query"));
    context.output(HEADERS, headers);
  }

  /** Scripts look headers up as people write them: {@code User-Agent} for {@code user-agent}. */
  private static Map<String, @Nullable Object> shown(@Nullable Object headers) {
    var named = new LinkedHashMap<String, @Nullable Object>();
    var given = Json.object(headers);
    if (given != null) {
      given.forEach((name, value) -> named.put(capitalised(name), value));
    }
    return Collections.unmodifiableMap(named);
  }

  private static String capitalised(String name) {
    var shown = new StringBuilder(name.length());
    var first = true;
    for (var i = 0; i < name.length(); i++) {
      var c = name.charAt(i);
      shown.append(first ? Character.toUpperCase(c) : c);
      first = c == '-';
    }
    return shown.toString();
  }
}
