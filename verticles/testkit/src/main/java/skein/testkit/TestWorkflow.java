package skein.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.WorkflowDefinition;

/**
 * A workflow to test, with those it starts and mocks of the outside. Each method gives a new one;
 * {@link #start()} runs it.
 */
public final class TestWorkflow {
  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  private final List<WorkflowDefinition> definitions;
  private final Map<String, Mock> activities;
  private final Map<String, Mock> work;
  private final Instant begins;

  private TestWorkflow(
      List<WorkflowDefinition> definitions,
      Map<String, Mock> activities,
      Map<String, Mock> work,
      Instant begins) {
    this.definitions = definitions;
    this.activities = activities;
    this.work = work;
    this.begins = begins;
  }

  /** Reads a file as the server does. */
  public static TestWorkflow load(Path file) {
    return load(read(file));
  }

  /** Reads the JSON of a definition. */
  public static TestWorkflow load(String json) {
    return new TestWorkflow(List.of(definition(json)), Map.of(), Map.of(), BEGINNING);
  }

  /** And another workflow, which this one starts or which waits for its events. */
  public TestWorkflow with(Path file) {
    return with(read(file));
  }

  public TestWorkflow with(String json) {
    var more = new ArrayList<>(definitions);
    more.add(definition(json));
    return new TestWorkflow(List.copyOf(more), activities, work, begins);
  }

  /** Every activity of the type, known or not, does what the mock says. */
  public TestWorkflow mock(String type, Mock mock) {
    return new TestWorkflow(definitions, and(activities, type, mock), work, begins);
  }

  /** Work of the kind, which activities ask for, is done by the mock. */
  public TestWorkflow mockWork(String kind, Mock mock) {
    return new TestWorkflow(definitions, activities, and(work, kind, mock), begins);
  }

  /** The initial time of the clock; the beginning of 2026 (UTC) otherwise. */
  public TestWorkflow at(Instant instant) {
    return new TestWorkflow(definitions, activities, work, instant);
  }

  public TestRun start() {
    return start(Map.of());
  }

  /**
   * Starts the workflow that was loaded first and runs until nothing is left to do but wait.
   *
   * @throws IllegalArgumentException with all that is wrong, where a definition could not be
   *     published
   */
  public TestRun start(Map<String, @Nullable Object> input) {
    var world = world();
    return new TestRun(world, world.start(definitions.getFirst().ref().definitionId(), input));
  }

  /**
   * Starts nothing: what is published and what time brings does, by the triggers of all workflows.
   */
  public TestRun deploy() {
    var world = world();
    world.armTriggers();
    return new TestRun(world, null);
  }

  private World world() {
    return new World(new Deployed(definitions, activities, work), begins);
  }

  private static Map<String, Mock> and(Map<String, Mock> mocks, String key, Mock mock) {
    var more = new LinkedHashMap<>(mocks);
    more.put(key, mock);
    return Map.copyOf(more);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the workflow " + file, e);
    }
  }

  private static WorkflowDefinition definition(String json) {
    var document = JsonText.parseObject(json, JsonLimits.STORED);
    return DefinitionCodec.read(document, BEGINNING, "workflow", "workflow-v1");
  }
}
