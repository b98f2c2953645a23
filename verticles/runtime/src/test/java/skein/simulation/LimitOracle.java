package skein.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import skein.execution.SimulatedNode;
import skein.messages.Reply;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.simulation.Client.Call;
import skein.simulation.Plan.Op;
import skein.storage.SimulatedTables.JournalRow;

/**
 * Whether nodes start no more instances of a definition, or of a tenant, than they may. They may
 * not know of those that others have started since the last count, or that are being committed, and
 * during faults their knowledge is uncertain: so it looks only at what was there long enough, in
 * the time before the first fault.
 */
final class LimitOracle {
  /** From the decision to start an instance until its node counts it. */
  private static final Duration COMMITTED = Duration.ofMillis(50);

  /** Until every node has counted it. */
  private static final Duration COUNTED = COMMITTED.plusNanos(SimulatedNode.COUNT_NANOS);

  private final Plan plan;
  private final List<JournalRow> journal;

  /** The nodes at which each command has arrived. */
  private final Map<UUID, Set<String>> arrivals;

  private final Imports imports;

  LimitOracle(
      Plan plan, List<JournalRow> journal, Map<UUID, Set<String>> arrivals, Imports imports) {
    this.plan = plan;
    this.journal = journal;
    this.arrivals = arrivals;
    this.imports = imports;
  }

  /** An instance from its first revision, or from where it goes on after a fault, to its end. */
  private static final class Life {
    final JournalRow first;
    Instant end = Instant.MAX;

    Life(JournalRow first) {
      this.first = first;
    }
  }

  List<String> violations(List<Call> calls) {
    int max = plan.settings().instancesMax();
    var violations = new ArrayList<String>();
    if (max == 0 || plan.items().stream().anyMatch(item -> item.op() == Op.RECREATE)) {
      return violations; // The time of deletions is unknown.
    }
    var calm = firstFault();
    var lives = lives();
    for (var life : lives) {
      var begun = life.first.written();
      if (begun.isBefore(calm) && !hadEndedElsewhere(life)) {
        var others = lives.stream().filter(other -> wasKnown(other, life)).toList();
        if (others.size() >= max && lives.stream().noneMatch(other -> endsAround(other, life))) {
          violations.add(
              "Instance %s of %s was started beside %s, and %d is the most"
                  .formatted(
                      life.first.instanceId(),
                      life.first.definitionId(),
                      others.stream().map(other -> other.first.instanceId()).toList(),
                      max));
        }
      }
    }
    calls.forEach(call -> {
      if (call.refusal() == ErrorCode.TOO_MANY_INSTANCES
          && !wasAny(call, lives)
          && !wasAnyBeingImported(call, calls)) {
        violations.add(
            call
                + " was refused: "
                + ((Reply.Refused) call.reply).detail()
                + ", and there is none");
      }
    });
    return violations;
  }

  private Instant firstFault() {
    return plan.faults().stream()
        .map(fault -> Oracle.BEGIN.plusNanos(fault.at() * 1_000))
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  private List<Life> lives() {
    var lives = new ArrayList<Life>();
    var known = new HashSet<InstanceId>();
    var open = new HashMap<InstanceId, Life>();
    for (var row : journal) {
      var id = row.instanceId();
      boolean isFirst = known.add(id);
      if (isFirst || (!row.status().finished() && !open.containsKey(id))) {
        var life = new Life(row);
        lives.add(life);
        open.put(id, life);
      }
      if (row.status().finished() && open.containsKey(id)) {
        open.remove(id).end = row.written();
      }
    }
    return lives;
  }

  /** It was added as it had ended in another cluster, which no limit hinders. */
  private boolean hadEndedElsewhere(Life life) {
    return imports.call(life.first.commandId()) != null && life.first.status().finished();
  }

  /** To the node that has started {@code life}, when it decided to. */
  private boolean wasKnown(Life other, Life life) {
    var begun = life.first.written();
    var known = isOfOneNode(other, life) ? COMMITTED : COUNTED;
    return isOfOneOwner(other, life)
        && other.first.written().isBefore(begun.minus(known))
        && other.end.isAfter(begun);
  }

  /** It may be taken off a count that had not included it: then one more is started. */
  private boolean endsAround(Life other, Life life) {
    var begun = life.first.written();
    return isOfOneOwner(other, life)
        && !hadEndedElsewhere(other)
        && other.end.isAfter(begun.minus(COUNTED).minus(COMMITTED))
        && other.end.isBefore(begun.plus(COMMITTED));
  }

  private boolean isOfOneOwner(Life one, Life other) {
    var owner = owner(one.first.definitionId());
    return one != other && owner != null && owner.equals(owner(other.first.definitionId()));
  }

  /** Whose instances are counted together; null: any number may be there. */
  private String owner(String definitionId) {
    if (!plan.settings().limitsTenants()) {
      return definitionId;
    }
    var tenant = Workflows.tenantOf(definitionId);
    return tenant.equals(DefinitionRef.DEFAULT_TENANT) ? null : tenant;
  }

  private boolean isOfOneNode(Life one, Life other) {
    var nodes = new HashSet<>(arrivals.getOrDefault(one.first.commandId(), Set.of()));
    nodes.addAll(arrivals.getOrDefault(other.first.commandId(), Set.of()));
    return nodes.size() == 1;
  }

  private boolean wasAny(Call call, List<Life> lives) {
    var owner = owner(imports.definition(call.item));
    return lives.stream()
        .anyMatch(life ->
            owner != null
                && owner.equals(owner(life.first.definitionId()))
                && !life.first.written().isAfter(Oracle.BEGIN.plusNanos(call.ended)));
  }

  /** It counts from when it is asked for, and may be refused for another reason. */
  private boolean wasAnyBeingImported(Call call, List<Call> calls) {
    var owner = owner(imports.definition(call.item));
    return calls.stream()
        .filter(other -> other != call && Imports.isImport(other))
        .anyMatch(other ->
            owner != null
                && owner.equals(owner(imports.definition(other.item)))
                && other.began <= call.ended);
  }
}
