package skein.definitions;

import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.burst.Burst;
import skein.graph.References;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.Finding;
import skein.model.SkeinException;
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
  private final Compiler compiler;
  private final Consumers consumers;
  private final DefinitionChecks checks;
  private final Burst burst;
  private final InstantSource clock;
  private final SecureRandom random;
  private final NewVersions versions;
  private final String tenant;

  /** Where definitions are kept. */
  public record Stores(DefinitionStore definitions, PublicationStore publications) {}

  public Definitions(
      Stores stores,
      Invalidation invalidation,
      Compiler compiler,
      Burst burst,
      SecretPresence secrets,
      InstantSource clock,
      SecureRandom random) {
    this.store = stores.definitions();
    this.publications = stores.publications();
    this.invalidation = invalidation;
    this.compiler = compiler;
    this.consumers = new Consumers(store, compiler);
    this.burst = burst;
    this.clock = clock;
    this.random = random;
    this.versions = new NewVersions(clock, random);
    this.checks = new DefinitionChecks(store, compiler, burst, secrets, clock, random);
    this.tenant = DefinitionRef.DEFAULT_TENANT;
  }

  private Definitions(Definitions other, String tenant) {
    this.store = other.store;
    this.publications = other.publications;
    this.invalidation = other.invalidation;
    this.compiler = other.compiler;
    this.consumers = other.consumers;
    this.burst = other.burst;
    this.clock = other.clock;
    this.random = other.random;
    this.versions = other.versions;
    this.checks = other.checks;
    this.tenant = tenant;
  }

  /**
   * What is saved for a tenant: new definitions are its own, and an id that another tenant's has is
   * refused with {@code DEFINITION_CONFLICT}. The other methods take the definitions that they are
   * told, whosever they are.
   *
   * @param caller empty: the default tenant
   */
  public Definitions of(String caller) {
    return caller.equals(tenant) ? this : new Definitions(this, caller);
  }

  /**
   * What was saved or published.
   *
   * @param alreadyPublished the version was published before and nothing changed
   * @param findings warnings; of a draft that was saved also what forbids publishing it
   * @param consumers ids of the definitions that were pointed at the new version
   */
  public record Published(
      WorkflowDefinition definition,
      boolean alreadyPublished,
      List<Finding> findings,
      List<String> consumers) {
    public Published {
      findings = List.copyOf(findings);
      consumers = List.copyOf(consumers);
    }

    public Published(WorkflowDefinition definition, boolean alreadyPublished) {
      this(definition, alreadyPublished, List.of(), List.of());
    }
  }

  /**
   * Saves a document as the draft of its definition: over the draft there is, else as a new
   * version. Its own version and its mark as published are ignored.
   *
   * @param definitionId overrides that of the document; null accepts it
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
      Admission.checkMembers(json);
      given = checks.read(json, definitionId, tenant);
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

  private Future<WorkflowDefinition> saveOver(
      WorkflowDefinition given, @Nullable WorkflowDefinition latest) {
    try {
      Admission.checkTenant(given, latest);
      Admission.checkNames(given, latest);
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
    if (latest != null && !latest.published()) {
      var draft = as(given, latest.ref(), latest.createdAt());
      return publications
          .saveDraft(draft, consumers.names(draft), false)
          .compose(_ -> changedDraft(draft))
          .map(_ -> draft);
    }
    int version = latest == null ? 1 : latest.ref().version() + 1;
    return freeVersionId(given, latest)
        .compose(versionId -> {
          var ref = new DefinitionRef(given.ref().definitionId(), versionId, version, tenant);
          var draft = as(given, ref, versions.now().truncatedTo(ChronoUnit.MICROS));
          return publications.saveDraft(draft, consumers.names(draft), true).map(_ -> draft);
        });
  }

  /** A draft may be in use as an activity of another draft. */
  private Future<Void> changedDraft(WorkflowDefinition draft) {
    return References.usable(draft)
        ? changed(draft.ref().definitionId())
        : Future.succeededFuture();
  }

  /** The first version keeps the id of its file, unless another definition has it. */
  private Future<String> freeVersionId(
      WorkflowDefinition given, @Nullable WorkflowDefinition latest) {
    if (latest != null) {
      return Future.succeededFuture(versions.id());
    }
    var wanted = given.ref().versionId();
    return store.findVersion(wanted).map(taken -> taken == null ? wanted : versions.id());
  }

  /** {@code createdAt}: when the version was made here, whatever the document says. */
  private static WorkflowDefinition as(
      WorkflowDefinition given, DefinitionRef ref, Instant createdAt) {
    return new WorkflowDefinition(
        ref, given.name(), given.description(), true, false, createdAt, given.json());
  }

  /**
   * Publishes the latest version; fails with {@code DEFINITION_INVALID} and all that is wrong. Then
   * those who use it are pointed at it, if it says so; publishing again does what is left of that.
   */
  public Future<Published> publish(String definitionId) {
    return publish(definitionId, false);
  }

  /** As {@link #publish(String)}; {@code strict}: warnings forbid it, too. */
  public Future<Published> publish(String definitionId, boolean strict) {
    return store
        .find(definitionId, Which.LATEST)
        .compose(latest -> {
          if (latest == null) {
            return Future.failedFuture(SkeinException.definitionNotFound(definitionId));
          }
          if (latest.published()) {
            // An attempt whose answer was lost has notified no node.
            return changed(definitionId).map(_ -> new Published(latest, true));
          }
          return publish(latest, strict);
        })
        .compose(this::update);
  }

  private Future<Published> publish(WorkflowDefinition draft, boolean strict) {
    return checks
        .of(draft)
        .compose(checked -> {
          var findings = checked.findings();
          if (strict && !findings.isEmpty()) {
            return Future.failedFuture(SkeinException.definitionRefused(findings));
          }
          var triggers = checks.triggers(checked.graph());
          return publications
              .publish(draft.ref(), triggers.all(), triggers.scheduled())
              .compose(_ -> changed(draft.ref().definitionId()))
              .map(_ -> new Published(published(draft, true), false, findings, List.of()));
        });
  }

  /** The findings that saving and publishing would give. */
  public DefinitionChecks checks() {
    return checks;
  }

  private Future<Published> update(Published done) {
    var definition = done.definition();
    if (!References.updatesConsumers(definition) || !References.usable(definition)) {
      return Future.succeededFuture(done);
    }
    return updating()
        .update(definition.ref().definitionId())
        .map(users -> new Published(definition, done.alreadyPublished(), done.findings(), users));
  }

  private ReferenceUpdate updating() {
    return new ReferenceUpdate(
        store, publications, compiler, consumers, checks, invalidation, versions);
  }

  /**
   * Evaluates the triggers of published definitions again, as if each was published now, and makes
   * all nodes read them again. Their versions stay.
   *
   * @param definitionIds empty means all
   */
  public Future<RefreshedTriggers> refresh(List<String> definitionIds) {
    return new TriggerRefresh(store, publications, compiler, checks, invalidation)
        .refresh(definitionIds);
  }

  /**
   * Points those who use a definition at its published version: drafts are changed, published
   * versions get a new one that is published in their place. Fails with {@code
   * DEFINITION_NOT_FOUND} or {@code DEFINITION_NOT_PUBLISHED}.
   *
   * @return the ids of those that were changed
   */
  public Future<List<String>> updateReferences(String definitionId) {
    return store
        .find(definitionId, Which.LATEST)
        .compose(found ->
            found == null
                ? Future.failedFuture(SkeinException.definitionNotFound(definitionId))
                : store.find(definitionId, Which.PUBLISHED))
        .compose(found ->
            found == null
                ? Future.failedFuture(SkeinException.definitionNotPublished(definitionId))
                : updating().update(definitionId));
  }

  /**
   * The ids of the definitions that use this one as an activity, directly or through others, in
   * their latest or published version. Fails with {@code DEFINITION_NOT_FOUND}.
   */
  public Future<List<String>> consumers(String definitionId) {
    return store
        .find(definitionId, Which.LATEST)
        .compose(found ->
            found == null
                ? Future.failedFuture(SkeinException.definitionNotFound(definitionId))
                : consumers.all(definitionId));
  }

  /** Runs of single activities, for designers. */
  public ActivityTrials trials() {
    return new ActivityTrials(compiler, burst, clock, random);
  }

  /** Definitions as Elsa's clients read them. */
  public DefinitionDocuments documents() {
    return new DefinitionDocuments(store, compiler);
  }

  /** Saves and publishes; the draft is kept when publishing is refused. */
  public Future<Published> saveAndPublish(
      Map<String, @Nullable Object> json, @Nullable String definitionId) {
    return saveAndPublish(json, definitionId, false);
  }

  /** As {@link #saveAndPublish(Map, String)}; {@code strict}: warnings forbid publishing, too. */
  public Future<Published> saveAndPublish(
      Map<String, @Nullable Object> json, @Nullable String definitionId, boolean strict) {
    return save(json, definitionId).compose(saved -> publish(saved.ref().definitionId(), strict));
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
   * Removes all versions; fails with {@code DEFINITION_NOT_FOUND}. Instances that are left end
   * faulted.
   */
  public Future<Void> delete(String definitionId) {
    return publications
        .delete(definitionId)
        .compose(existed ->
            existed
                ? changed(definitionId)
                : Future.failedFuture(SkeinException.definitionNotFound(definitionId)));
  }

  /**
   * Removes one version; fails with {@code DEFINITION_IN_USE} while instances of it have not ended.
   */
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
    return changed(List.of(definitionId));
  }

  private Future<Void> changed(List<String> definitionIds) {
    return invalidation.everywhere(definitionIds);
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
}
