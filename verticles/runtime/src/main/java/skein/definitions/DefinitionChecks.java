package skein.definitions;

import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.codecs.DefinitionCodec;
import skein.exchange.DefinitionWriter;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.Finding;
import skein.model.FindingCode;
import skein.model.SkeinException;
import skein.model.Trigger;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;
import skein.storage.ScheduledTrigger;

/** Says what saving and publishing a definition would refuse or warn of. Thread-safe. */
public final class DefinitionChecks {
  private final DefinitionStore store;
  private final Compiler compiler;
  private final Burst burst;
  private final SecretPresence secrets;
  private final InstantSource clock;
  private final SecureRandom random;
  private final NewVersions versions;

  DefinitionChecks(
      DefinitionStore store,
      Compiler compiler,
      Burst burst,
      SecretPresence secrets,
      InstantSource clock,
      SecureRandom random) {
    this.store = store;
    this.compiler = compiler;
    this.burst = burst;
    this.secrets = secrets;
    this.clock = clock;
    this.random = random;
    this.versions = new NewVersions(clock, random);
  }

  /** As far as it can be said without evaluating triggers. */
  Future<GraphCompiler.Checked> of(WorkflowDefinition definition) {
    return compiler
        .check(definition)
        .compose(checked ->
            new MissingChildren(store)
                .of(checked)
                .compose(children ->
                    new MissingSecrets(secrets)
                        .of(checked)
                        .map(missing -> {
                          var all = new ArrayList<>(checked.findings());
                          all.addAll(children);
                          all.addAll(missing);
                          return new GraphCompiler.Checked(
                              checked.graph(), all, checked.pointers());
                        })));
  }

  /** All that publishing would refuse or warn of; empty means nothing. */
  public Future<List<Finding>> findings(WorkflowDefinition definition) {
    return of(definition)
        .map(checked -> {
          var all = new ArrayList<>(checked.findings());
          if (all.stream().noneMatch(Finding::isError)) {
            all.addAll(triggerFindings(checked.graph()));
          }
          return all;
        });
  }

  /**
   * All that saving and publishing a document would refuse or warn of; changes nothing.
   *
   * @param definitionId overrides that of the document; null accepts it
   * @param tenant for which it would be saved; empty: the default tenant
   */
  public Future<List<Finding>> findings(
      Map<String, @Nullable Object> json, @Nullable String definitionId, String tenant) {
    WorkflowDefinition given;
    try {
      Admission.checkMembers(json);
      given = read(json, definitionId, tenant);
    } catch (SkeinException e) {
      return Future.succeededFuture(invalid(e));
    }
    return store
        .find(given.ref().definitionId(), Which.LATEST)
        .compose(latest -> {
          try {
            Admission.checkTenant(given, latest);
            Admission.checkNames(given, latest);
          } catch (SkeinException e) {
            return Future.succeededFuture(invalid(e));
          }
          return findings(given);
        });
  }

  /** The triggers of a definition, as they are at an instant. */
  record Triggers(List<Trigger> all, Instant at) {
    /** The stored state of those that fire by themselves. */
    List<ScheduledTrigger> scheduled() {
      return ScheduledTriggers.of(all, at);
    }
  }

  /** All that can be known before it runs; a definition with problems is never published. */
  Triggers triggers(Graph graph) {
    var errors = graph.findings().stream().filter(Finding::isError).toList();
    if (!errors.isEmpty()) {
      throw SkeinException.definitionRefused(errors);
    }
    var uuid = new UUID(random.nextLong(), random.nextLong());
    var inputs = new BurstInputs(clock.instant(), random.nextLong(), uuid);
    var triggers = new ArrayList<>(burst.triggers(graph, inputs));
    triggers.addAll(WaitingRoutes.of(graph));
    return new Triggers(triggers, inputs.now());
  }

  private List<Finding> triggerFindings(Graph graph) {
    try {
      triggers(graph);
      return List.of();
    } catch (SkeinException e) {
      if (e.code().isTransient()) {
        throw e; // It says nothing of the definition.
      }
      return findings(e, FindingCode.INVALID_TRIGGER);
    }
  }

  private static List<Finding> invalid(SkeinException e) {
    return findings(e, FindingCode.INVALID_DOCUMENT);
  }

  private static List<Finding> findings(SkeinException e, FindingCode code) {
    var sentences = e.errors().isEmpty() ? List.of(e.detail()) : e.errors();
    return sentences.stream().map(sentence -> Finding.error(code, sentence)).toList();
  }

  /**
   * With the activities that a designer was shown placeholders for. Throws {@link SkeinException}
   * when it is not a definition.
   *
   * @param tenant whose it is, whatever the document says
   */
  WorkflowDefinition read(
      Map<String, @Nullable Object> json, @Nullable String definitionId, String tenant) {
    var named = DefinitionWriter.restored(json);
    if (definitionId != null) {
      named = new LinkedHashMap<>(named);
      named.put("definitionId", definitionId);
    }
    var read = DefinitionCodec.read(named, versions.now(), versions.id(), versions.id());
    return read.of(tenant);
  }
}
