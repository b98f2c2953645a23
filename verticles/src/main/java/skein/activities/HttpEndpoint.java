package skein.activities;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Waits for an HTTP request, or starts the workflow with it. */
final class HttpEndpoint implements TriggerActivity {
  private static final Input PATH = Input.of("Path", "String");
  private static final Input METHODS = Input.of("SupportedMethods", "String[]");
  private static final Input AUTHORIZE = Input.of("Authorize", "Boolean", false);
  private static final Input POLICY = Input.of("Policy", "String");
  private static final Output RESULT = new Output("Result", "HttpRequest");
  private static final Output PARSED_CONTENT = new Output("ParsedContent", "Object");
  private static final Output ROUTE_DATA = new Output("RouteData", "ObjectDictionary");
  private static final Output QUERY = new Output("QueryStringData", "ObjectDictionary");
  private static final Output HEADERS = new Output("Headers", "ObjectDictionary");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(Stimuli.HTTP_ENDPOINT, "HTTP", "Waits for an HTTP request.")
          .with(PATH, METHODS, AUTHORIZE, POLICY)
          .with(RESULT, PARSED_CONTENT, ROUTE_DATA, QUERY, HEADERS)
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
    var headers = HeaderNames.shown(Json.object(request.get("headers")));
    var whole = new LinkedHashMap<>(request);
    whole.put("headers", headers);
    context.output(RESULT, Collections.unmodifiableMap(whole));
    context.output(PARSED_CONTENT, request.get("body"));
    context.output(ROUTE_DATA, request.get("route"));
    context.output(QUERY, request.get("query"));
    context.output(HEADERS, headers);
    context.complete();
  }
}
