package skein.expressions;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A scope of plain maps; a variable's id is "id-" and its name. */
class FakeScope implements Scope {
  final Map<String, @Nullable Object> variables = new LinkedHashMap<>();
  final Map<String, @Nullable Object> inputs = new LinkedHashMap<>();
  final Map<String, @Nullable Object> outputs = new HashMap<>();
  @Nullable Object lastResult;
  @Nullable String correlationId;
  @Nullable String name;
  List<String> outcomes = List.of();
  int sets;
  private final Random random = new Random(7);

  FakeScope with(String variable, @Nullable Object value) {
    variables.put(variable, value);
    return this;
  }

  @Override
  public List<VariableInfo> variables() {
    return variables.keySet().stream()
        .map(name -> new VariableInfo("id-" + name, name, "Object"))
        .toList();
  }

  /** Links that were kept. */
  final List<String> links = new ArrayList<>();

  @Override
  public Link eventLink(String eventName, @Nullable Object until) {
    return link("event/" + eventName + "/" + until);
  }

  @Override
  public Link bookmarkLink(String bookmarkIdOrActivity, @Nullable Object until) {
    if (bookmarkIdOrActivity.equals("nobody")) {
      throw new IllegalArgumentException("nothing waits at nobody");
    }
    return link("bookmark/" + bookmarkIdOrActivity + "/" + until);
  }

  private Link link(String url) {
    return new Link(url, now(), () -> links.add(url));
  }

  private static String named(String idOrName) {
    return idOrName.startsWith("id-") ? idOrName.substring(3) : idOrName;
  }

  @Override
  public @Nullable Object variable(String idOrName) {
    return variables.get(named(idOrName));
  }

  @Override
  public boolean setVariable(String idOrName, @Nullable Object value) {
    if (!variables.containsKey(named(idOrName))) {
      return false;
    }
    sets++;
    variables.put(named(idOrName), value);
    return true;
  }

  @Override
  public Map<String, @Nullable Object> inputs() {
    return inputs;
  }

  @Override
  public @Nullable Object outputFrom(String activityIdOrName, @Nullable String output) {
    return outputs.get(activityIdOrName + "." + (output == null ? "Result" : output));
  }

  @Override
  public @Nullable Object lastResult() {
    return lastResult;
  }

  @Override
  public WorkflowInfo workflow() {
    return new WorkflowInfo("instance-1", "definition-1", "version-1", 3, correlationId, name);
  }

  @Override
  public void setCorrelationId(@Nullable String correlationId) {
    this.correlationId = correlationId;
  }

  @Override
  public void setName(@Nullable String name) {
    this.name = name;
  }

  @Override
  public void setOutcomes(List<String> outcomes) {
    this.outcomes = outcomes;
  }

  @Override
  public Instant now() {
    return Instant.parse("2026-01-02T03:04:05Z");
  }

  @Override
  public long random() {
    return random.nextLong();
  }
}
