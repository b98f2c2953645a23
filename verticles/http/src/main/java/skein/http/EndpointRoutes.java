package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.cluster.CallersContext;
import skein.definitions.DefinitionCache;
import skein.definitions.EndpointTable;
import skein.definitions.EndpointTable.Match;
import skein.definitions.EndpointTable.Waiting;
import skein.identity.Caller;
import skein.ingress.Ingress;
import skein.ingress.Ingress.StartOptions;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.openapi.Body;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;

/**
 * Requests to workflows: below {@code /workflows/} each goes to the workflow that it starts, or to
 * the instance that waits for it.
 *
 * <p>A trigger comes before a waiting instance, unless the request names its receiver: an instance
 * id or a correlation id makes it the other way round. A start takes over the correlation id, and
 * the instance id only where callers may choose it.
 */
final class EndpointRoutes {
  private final Ingress ingress;
  private final DefinitionCache definitions;
  private final EndpointTimeouts timeouts;
  private final Callers callers;
  private final Gate gate;

  EndpointRoutes(Ingress ingress, DefinitionCache definitions, Gate gate) {
    this.ingress = ingress;
    this.definitions = definitions;
    this.callers = gate.callers();
    this.gate = gate;
    this.timeouts = new EndpointTimeouts(definitions);
  }

  void addTo(Routes routes) {
    routes.any(
        EndpointRequest.BASE + "*",
        Operation.of(
                Tag.ENDPOINTS,
                "callWorkflow",
                "Starts the workflow, or resumes the instance, that this request is for")
            .takes(
                Parameter.query(
                    "workflowInstanceId",
                    Shape.ID,
                    "The receiving instance; or a header X-Workflow-Instance-ID"),
                Parameter.query(
                    "correlationId", Shape.ID, "The receiver's; or a header X-Correlation-ID"))
            .with(new Body("*/*", Shape.ANY, false))
            .answersAnything()
            .fails(
                ErrorCode.NO_ENDPOINT,
                ErrorCode.AMBIGUOUS_ENDPOINT,
                ErrorCode.INSTANCE_FAULTED,
                ErrorCode.BOOKMARK_EXPIRED,
                ErrorCode.ALREADY_RESUMED,
                ErrorCode.INSTANCE_FINISHED,
                ErrorCode.INSTANCE_EXISTS,
                ErrorCode.ACTIVATION_REFUSED,
                ErrorCode.TOO_MANY_INSTANCES,
                ErrorCode.STATE_TOO_LARGE),
        this::answer);
  }

  /** The instance that the request means; nulls mean any. */
  private record Selector(@Nullable InstanceId instanceId, @Nullable String correlationId) {
    static Selector of(Call call) {
      var query = call.queryFields();
      var instance = named(call, "X-Workflow-Instance-ID", query, "workflowInstanceId");
      return new Selector(
          instance == null ? null : new InstanceId(instance),
          named(call, "X-Correlation-ID", query, "correlationId"));
    }

    private static @Nullable String named(Call call, String header, Fields query, String key) {
      var given = new HashMap<String, @Nullable Object>();
      given.put(header, call.header(header));
      var text = Fields.of(given).text(header);
      return text == null ? query.text(key) : text;
    }

    boolean isEmpty() {
      return instanceId == null && correlationId == null;
    }
  }

  private Future<Answer> answer(Call call) {
    var path = EndpointRequest.path(call);
    var selector = Selector.of(call);
    var site = call.siteScope();
    var done =
        call.once(ingress).repeated() instanceof Reply.Done before
            ? Future.succeededFuture(before)
            : CallersContext.of(definitions.endpoints(site.owner())) // which several loops wait for
                .compose(table -> answer(new Arrival(call, path, selector, table)));
    return done.map(
            reply -> EndpointRanges.of(EndpointRanges.Wanted.of(call), EndpointAnswers.of(reply)))
        .recover(EndpointTimeouts::toldOf);
  }

  private record Arrival(Call call, String path, Selector selector, EndpointTable table) {}

  private Future<Reply.Done> answer(Arrival arrival) {
    var matches = arrival.table().match(arrival.call().method(), arrival.path());
    if (!matches.isEmpty() && arrival.selector().isEmpty()) {
      return start(arrival, matches);
    }
    return waiting(arrival)
        .compose(found ->
            switch (found.size()) {
              case 0 -> start(arrival, matches);
              case 1 -> resume(arrival, found.getFirst());
              default -> ambiguous(arrival, instances(found));
            });
  }

  private Future<Reply.Done> start(Arrival arrival, List<Match> matches) {
    if (matches.isEmpty()) {
      return Future.failedFuture(noEndpoint(arrival));
    }
    if (matches.size() > 1) {
      return ambiguous(arrival, matches.stream().map(m -> m.definition().definitionId()).toList());
    }
    var match = matches.getFirst();
    var guard = match.guard();
    return guard == null
        ? start(arrival, match, null)
        : EndpointCallers.admitted(gate, arrival.call(), guard)
            .compose(caller -> start(arrival, match, caller));
  }

  private Future<Reply.Done> start(Arrival arrival, Match match, @Nullable Caller caller) {
    var call = arrival.call();
    var request =
        new Request.Start(
            match.definition().definitionId(),
            Map.of(),
            arrival.selector().correlationId(),
            null,
            callers.chooseInstanceIds() ? arrival.selector().instanceId() : null,
            call.idempotencyKey(),
            false);
    // Not of this very version: if it has been replaced, the version that is published now is
    // started.
    var options =
        new StartOptions(
            null,
            match.activityId(),
            EndpointCallers.with(
                caller, EndpointRequest.of(call, arrival.path(), match.route(), callers.secrets())),
            false);
    return timeouts.limit(
        match, () -> call.once(ingress, call.siteScope()).start(request, options));
  }

  /**
   * A bookmark that waits for this request, and what the path says there.
   *
   * @param guarded whether callers must be known
   */
  private record Found(BookmarkId bookmark, Waiting at, boolean guarded) {}

  /** The templates come the most exact first; what waits at a lesser one is not meant. */
  private Future<List<Found>> waiting(Arrival arrival) {
    var selector = arrival.selector();
    var places = arrival.table().waiting(arrival.path());
    return ingress
        .of(arrival.call().siteScope().owner())
        .waitingForHttp(
            places.stream().map(Waiting::template).toList(),
            arrival.call().method(),
            selector.correlationId(),
            selector.instanceId())
        .map(first ->
            first.bookmarks().stream()
                .map(id -> new Found(id, places.get(first.template()), first.guarded()))
                .toList());
  }

  private Future<Reply.Done> resume(Arrival arrival, Found found) {
    return found.guarded()
        ? EndpointCallers.signedIn(gate, arrival.call())
            .compose(caller -> resume(arrival, found, caller))
        : resume(arrival, found, null);
  }

  private Future<Reply.Done> resume(Arrival arrival, Found found, @Nullable Caller caller) {
    var request =
        EndpointCallers.with(
            caller,
            EndpointRequest.of(
                arrival.call(), arrival.path(), found.at().route(), callers.secrets()));
    var input = new HashMap<String, @Nullable Object>();
    input.put("http", request);
    var call = arrival.call();
    return call.once(ingress, call.siteScope()).resumeByHttp(found.bookmark(), input);
  }

  private static List<String> instances(List<Found> found) {
    var ids = new LinkedHashSet<String>();
    found.forEach(f -> ids.add(f.bookmark().instanceId().value()));
    return new ArrayList<>(ids);
  }

  private static <T> Future<T> ambiguous(Arrival arrival, List<String> workflows) {
    return Future.failedFuture(
        new SkeinException(
            ErrorCode.AMBIGUOUS_ENDPOINT,
            arrival.call().method()
                + " "
                + arrival.path()
                + " is for more than one workflow: name the instance with ?workflowInstanceId= or"
                + " ?correlationId=",
            workflows,
            null));
  }

  /** As in Elsa a method that no workflow takes is a path that no workflow has. */
  private static SkeinException noEndpoint(Arrival arrival) {
    var methods = arrival.table().methods(arrival.path());
    var others = methods.isEmpty() ? "" : "; it takes " + String.join(", ", methods);
    return new SkeinException(
        ErrorCode.NO_ENDPOINT,
        "No workflow waits for " + arrival.call().method() + " " + arrival.path() + others);
  }
}
