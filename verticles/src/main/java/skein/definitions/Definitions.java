package skein.definitions;

import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.codecs.DefinitionCodec;
import skein.graph.Graph;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Trigger;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;
import skein.storage.PublicationStore;

/**
 * Saves, publishes and retracts definitions. When a method that changes something has answered, the
 * change is durable and no node uses what was before. Thread-safe.
 */
public final class Definitions {
  private final DefinitionStore store;
  private final PublicationStore publications;
  private final Invalidation invalidation;
  private final Activities activities;
  private final Burst burst;
  private final InstantSource clock;
  private final SecureRandom random;

  public Definitions(
      DefinitionStore store,
      PublicationStore publications,
      Invalidation invalidation,
      Activities activities,
      Burst burst,
      InstantSource clock,
      SecureRandom random) {
    this.store = store;
    this.publications = publications;
    this.invalidation = invalidation;
    this.activities = activities;
    this.burst = burst;
    this.clock = clock;
    this.random = random;
  }

  /** {@code alreadyPublished}: the version was published before and nothing changed. */
  public record Published(WorkflowDefinition definition, boolean alreadyPublished) {}

  /**
   * Saves a document as the draft of its definition: over the draft there is, else as a new
   * version. What it says of its version and of being published is not believed.
   *
   * @param definitionId overrules what the document says; null believes it
   */
  public Future<WorkflowDefinition> save(
      Map<String, @Nullable Object> json, @Nullable String definitionId) {
    return saveAttempt(json, definitionId, 1);
  }

  private static final int SAVE_ATTEMPTS_MAX = 5;

  private Future<WorkflowDefinition> saveAttempt(
      Map<String, @Nullable Object> json, @Nullable String definitionId, int attempt) {
    WorkflowDefinition given;
    try {
      given = DefinitionCodec.read(named(json, definitionId), clock.instant(), newId(), newId());
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
    return store
        .find(given.ref().definitionId(), Which.LATEST)
        .compose(latest -> saveOver(given, latest))
        .recover(e ->
            e instanceof SkeinException refused
                    && refused.code() == ErrorCode.DEFINITION_CONFLICT
                    && attempt < SAVE_ATTEMPTS_MAX
                ? saveAttempt(json, definitionId, attempt + 1)
                : Future.failedFuture(e));
  }

  private static Map<String, @Nullable Object> named(
      Map<String, @Nullable Object> json, @Nullable String definitionId) {
    if (definitionId == null) {
      return json;
    }
    var named = new LinkedHashMap<String, @Nullable Object>(json);
    named.put("definitionId", definitionId);
    return named;
  }

  private Future<WorkflowDefinition> saveOver(
      WorkflowDefinition given, @Nullable WorkflowDefinition latest) {
    if (latest != null && !latest.published()) {
      var draft = as(given, latest.ref().versionId(), latest.ref().version());
      return publications.saveDraft(draft, false).map(_ -> draft);
    }
    int version = latest == null ? 1 : latest.ref().version() + 1;
    return freeVersionId(given, latest)
        .compose(versionId -> {
          var draft = as(given, versionId, version);
          return publications.saveDraft(draft, true).map(_ -> draft);
        });
  }

  /** The first version keeps the id of its file, unless another definition has it. */
  private Future<String> freeVersionId(
      WorkflowDefinition given, @Nullable WorkflowDefinition latest) {
    if (latest != null) {
      return Future.succeededFuture(newId());
    }
    var wanted = given.ref().versionId();
    return store.findVersion(wanted).map(taken -> taken == null ? wanted : newId());
  }

  private static WorkflowDefinition as(WorkflowDefinition given, String versionId, int version) {
    return new WorkflowDefinition(
        new DefinitionRef(given.ref().definitionId(), versionId, version),
        given.name(),
        given.description(),
        true,
        false,
        given.createdAt(),
        given.json());
  }

  /** Publishes the latest version; fails with {@code DEFINITION_INVALID} and all that is wrong. */
  public Future<Published> publish(String definitionId) {
    return store
        .find(definitionId, Which.LATEST)
        .compose(latest -> {
          if (latest == null) {
            return Future.failedFuture(SkeinException.definitionNotFound(definitionId));
          }
          if (latest.published()) {
            return Future.succeededFuture(new Published(latest, true));
          }
          return publish(latest).map(done -> new Published(done, false));
        });
  }

  private Future<WorkflowDefinition> publish(WorkflowDefinition draft) {
    List<Trigger> triggers;
    try {
      triggers = triggers(draft);
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
    return publications
        .publish(draft.ref(), triggers, TriggerTimers.first(triggers))
        .compose(_ -> changed(draft.ref().definitionId()))
        .map(_ -> published(draft, true));
  }

  /** All that can be known before it runs; a definition with problems is never published. */
  private List<Trigger> triggers(WorkflowDefinition draft) {
    var graph = Graph.compile(draft, activities);
    if (!graph.problems().isEmpty()) {
      throw SkeinException.definitionInvalid(graph.problems());
    }
    var inputs = new BurstInputs(clock.instant(), random.nextLong(), newUuid());
    var triggers = new ArrayList<>(burst.triggers(graph, inputs));
    triggers.addAll(WaitingRoutes.of(graph));
    return triggers;
  }

  /** What publishing would refuse; empty means nothing. */
  public List<String> problems(WorkflowDefinition definition) {
    try {
      triggers(definition);
      return List.of();
    } catch (SkeinException e) {
      return e.errors().isEmpty() ? List.of(e.detail()) : e.errors();
    }
  }

  /** Saves and publishes; the draft is kept when publishing is refused. */
  public Future<Published> saveAndPublish(
      Map<String, @Nullable Object> json, @Nullable String definitionId) {
    return save(json, definitionId).compose(saved -> publish(saved.ref().definitionId()));
  }

  /** Takes the published version back, so that nothing new starts from it. */
  public Future<WorkflowDefinition> retract(String definitionId) {
    return store
        .find(definitionId, Which.PUBLISHED)
        .compose(found ->
            found == null
                ? Future.failedFuture(SkeinException.definitionNotPublished(definitionId))
                : publications
                    .retract(definitionId)
                    .compose(_ -> changed(definitionId))
                    .map(_ -> published(found, false)));
  }

  /**
   * Removes all versions; fails with {@code DEFINITION_NOT_FOUND}. Running instances end faulted.
   */
  public Future<Void> delete(String definitionId) {
    return publications
        .delete(definitionId)
        .compose(existed ->
            existed
                ? changed(definitionId)
                : Future.failedFuture(SkeinException.definitionNotFound(definitionId)));
  }

  /** Removes one version. */
  public Future<Void> deleteVersion(String definitionId, int version) {
    return publications
        .deleteVersion(definitionId, version)
        .compose(existed ->
            existed
                ? changed(definitionId)
                : Future.failedFuture(
                    SkeinException.definitionNotFound(definitionId + " version " + version)));
  }

  /** Makes an older version the draft again, as a new version. */
  public Future<WorkflowDefinition> revert(String definitionId, int version) {
    return store
        .find(definitionId, version)
        .compose(found ->
            found == null
                ? Future.failedFuture(
                    SkeinException.definitionNotFound(definitionId + " version " + version))
                : save(found.json(), definitionId));
  }

  private Future<Void> changed(String definitionId) {
    return invalidation.everywhere(List.of(definitionId));
  }

  private static WorkflowDefinition published(WorkflowDefinition definition, boolean published) {
    return new WorkflowDefinition(
        definition.ref(),
        definition.name(),
        definition.description(),
        definition.latest(),
        published,
        definition.createdAt(),
        definition.json());
  }

  private UUID newUuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  /** 16 hex digits, as Elsa's own. */
  private String newId() {
    return HexFormat.of().toHexDigits(random.nextLong());
  }
}
