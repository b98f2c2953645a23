package skein.definitions;

import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.codecs.ResumeToken;
import skein.exchange.DefinitionWriter;
import skein.graph.Graph;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.Transition;
import skein.model.WorkflowDefinition;

/**
 * Runs single activities of definitions, as designers offer it. The instance exists in memory
 * alone: nothing is stored, and no work outside is done, so that an activity that waits for it is
 * still running at the end. Thread-safe.
 */
public final class ActivityTrials {
  private final Compiler compiler;
  private final Burst burst;
  private final InstantSource clock;
  private final SecureRandom random;

  ActivityTrials(Compiler compiler, Burst burst, InstantSource clock, SecureRandom random) {
    this.compiler = compiler;
    this.burst = burst;
    this.clock = clock;
    this.random = random;
  }

  /**
   * An activity of a definition, alone in a workflow with the variables and inputs of that
   * definition. Fails with {@code NOT_FOUND} when the definition has no such activity.
   *
   * @param activity its id, or its path in the definition
   */
  public Future<Graph> alone(WorkflowDefinition definition, String activity) {
    var restored = with(definition, DefinitionWriter.restored(definition.json()));
    return compiler
        .tried(restored)
        .compose(graph -> {
          var node = find(graph, activity);
          if (node == null) {
            return Future.failedFuture(
                new SkeinException(
                    ErrorCode.NOT_FOUND, "The definition has no activity " + activity));
          }
          var json = new LinkedHashMap<String, @Nullable Object>(restored.json());
          json.put("root", node.json());
          return compiler.tried(with(restored, json));
        });
  }

  private static WorkflowDefinition with(
      WorkflowDefinition definition, Map<String, @Nullable Object> json) {
    return new WorkflowDefinition(
        definition.ref(),
        definition.name(),
        definition.description(),
        definition.latest(),
        definition.published(),
        definition.createdAt(),
        json);
  }

  private static @Nullable ActivityNode find(Graph graph, String activity) {
    return graph.nodes().stream()
        .filter(node -> node.nodeId().equals(activity) || node.id().equals(activity))
        .findFirst()
        .orElse(null);
  }

  /**
   * The result of the activity, to be discarded. Takes as long as its scripts do, so it may block.
   */
  public Transition run(Graph alone) {
    var id = new InstanceId(uuid().toString());
    var request = new StartRequest(Map.of(), Labels.NONE, null, null, null);
    var inputs = new BurstInputs(clock.instant(), random.nextLong(), uuid(), this::secret);
    return burst.start(alone, id, request, inputs);
  }

  private UUID uuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private byte[] secret() {
    var secret = new byte[ResumeToken.SECRET_BYTES];
    random.nextBytes(secret);
    return secret;
  }
}
