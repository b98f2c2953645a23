package skein.openapi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;

/**
 * The description of a route for its callers. Immutable. Path parameters follow from the path;
 * refusals that any request may meet are not listed ({@link CommonErrors}).
 *
 * @param id unique in the document; generated clients name methods after it
 * @param summary begins with a verb, without a full stop
 * @param body null: none is read
 * @param responses of requests that were done, at least one
 * @param errors why this one may be refused besides
 */
public record Operation(
    String id,
    Tag tag,
    String summary,
    List<Parameter> parameters,
    @Nullable Body body,
    List<Response> responses,
    Set<ErrorCode> errors) {
  private static final String JSON = "application/json";
  private static final int OK = 200;

  public Operation {
    parameters = List.copyOf(parameters);
    responses = List.copyOf(responses);
    errors = Set.copyOf(errors);
  }

  public static Operation of(Tag tag, String id, String summary) {
    return new Operation(id, tag, summary, List.of(), null, List.of(), Set.of());
  }

  /** The same by another path or method. */
  public Operation as(String otherId) {
    return new Operation(otherId, tag, summary, parameters, body, responses, errors);
  }

  public Operation takes(Parameter... more) {
    var all = new ArrayList<>(parameters);
    all.addAll(Arrays.asList(more));
    return new Operation(id, tag, summary, all, body, responses, errors);
  }

  /** {@code page} and {@code pageSize}, or {@code skip} and {@code take}. */
  public Operation takesPage() {
    return takes(Parameter.PAGE);
  }

  /** A JSON body that must be there. */
  public Operation needs(Shape shape) {
    return with(new Body(JSON, shape, true));
  }

  /** A JSON body that may be missing. */
  public Operation reads(Shape shape) {
    return with(new Body(JSON, shape, false));
  }

  public Operation with(Body next) {
    return new Operation(id, tag, summary, parameters, next, responses, errors);
  }

  /** With 200 and JSON. */
  public Operation answers(Shape shape) {
    return answers(OK, shape);
  }

  public Operation answers(int status, Shape shape) {
    return answers(new Response(String.valueOf(status), "Done", JSON, shape));
  }

  /** Without a body. */
  public Operation answersNothing(int status, String description) {
    return answers(new Response(String.valueOf(status), description, null, null));
  }

  /** With 200 and something other than JSON. */
  public Operation answersWith(String mediaType, String description) {
    return answers(new Response(String.valueOf(OK), description, mediaType, null));
  }

  /** With whatever status and body a workflow writes. */
  public Operation answersAnything() {
    var all = this;
    for (var status : List.of("2XX", "3XX", "4XX", "5XX")) {
      all = all.answers(new Response(status, "What the workflow writes", "*/*", null));
    }
    return all;
  }

  /** Refuses with another status than these codes have elsewhere. */
  public Operation refusesAs(int status, ErrorCode... codes) {
    var names = Arrays.stream(codes).map(Enum::name).toList();
    return answers(
        new Response(
            String.valueOf(status),
            String.join(", ", names),
            CommonParts.PROBLEM_TYPE,
            CommonParts.problem(names)));
  }

  public Operation answers(Response next) {
    var all = new ArrayList<>(responses);
    all.add(next);
    return new Operation(id, tag, summary, parameters, body, all, errors);
  }

  public Operation fails(ErrorCode... codes) {
    var all = EnumSet.noneOf(ErrorCode.class);
    all.addAll(errors);
    all.addAll(Arrays.asList(codes));
    return new Operation(id, tag, summary, parameters, body, responses, all);
  }
}
