package skein.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.InstanceCodec;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/** The content of a database: states as bytes, journals, timers. */
final class Stored {
  private final Map<InstanceId, Row> rows = new LinkedHashMap<>();
  private final Map<String, Timer> timers = new LinkedHashMap<>();

  private record Row(State state, List<JournalEntry> journal, @Nullable String activation) {}

  /** An instance in bytes. */
  static final class State {
    private final byte[] bytes;
    private final long revision;

    State(WorkflowInstance instance) {
      this.bytes = InstanceCodec.encode(instance);
      this.revision = instance.revision();
    }

    /** Anew each time: nothing that is not in the bytes survives. */
    WorkflowInstance decoded() {
      return InstanceCodec.decode(bytes, revision);
    }

    boolean isOf(WorkflowInstance instance) {
      return revision == instance.revision()
          && Arrays.equals(bytes, InstanceCodec.encode(instance));
    }
  }

  @Nullable State state(InstanceId id) {
    var row = rows.get(id);
    return row == null ? null : row.state();
  }

  @Nullable WorkflowInstance find(InstanceId id) {
    var state = state(id);
    return state == null ? null : state.decoded();
  }

  WorkflowInstance get(InstanceId id) {
    var found = find(id);
    if (found == null) {
      throw InstanceRefusals.instanceNotFound(id);
    }
    return found;
  }

  /** All instances in the order in which they were started. */
  List<WorkflowInstance> all() {
    return List.copyOf(rows.keySet()).stream().map(this::get).toList();
  }

  List<JournalEntry> journal(InstanceId id) {
    var row = rows.get(id);
    return row == null ? List.of() : row.journal();
  }

  /** Null where a guard of the transition does not hold; nothing is written then. */
  @Nullable State commit(Transition transition) {
    var guard = transition.guard();
    if (guard.consumes() != null && !timers.containsKey(guard.consumes())) {
      return null;
    }
    refuseExcluded(transition);
    var next = transition.next();
    var before = rows.get(next.id());
    var journal = new ArrayList<>(journal(next.id()));
    journal.addAll(transition.journal());
    var only = guard.activation();
    var activation = before != null ? before.activation() : only == null ? null : only.key();
    var state = new State(next);
    var excludes = next.status().finished() ? null : activation;
    rows.put(next.id(), new Row(state, List.copyOf(journal), excludes));
    transition.timersDone().forEach(timers::remove);
    transition.timersMade().forEach(timer -> timers.putIfAbsent(timer.id(), timer));
    return state;
  }

  private void refuseExcluded(Transition transition) {
    var only = transition.guard().activation();
    if (only == null) {
      return;
    }
    var correlationId = only.correlationId();
    var excluded =
        rows.values().stream().anyMatch(row -> only.key().equals(row.activation()))
            || (correlationId != null
                && all().stream()
                    .anyMatch(other ->
                        !other.status().finished()
                            && correlationId.equals(other.labels().correlationId())));
    if (excluded) {
      throw SkeinException.activationRefused(transition.next().definition().definitionId());
    }
  }

  List<Timer> timers() {
    return List.copyOf(timers.values());
  }

  void add(Timer timer) {
    timers.putIfAbsent(timer.id(), timer);
  }

  void remove(Timer timer) {
    timers.remove(timer.id());
  }
}
