package skein.timers;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.model.Timer;
import skein.storage.TimerOwner;

/**
 * Timers that wait, by owner. Tenants take turns, and definitions take turns with those of their
 * tenant, so that a tenant with ever new definitions gets no more than another one; of each
 * definition the earliest timer is next. Not thread-safe: it belongs to the object that made it.
 */
final class DefinitionTurns {
  static final Comparator<Timer> BY_DUE_TIME =
      Comparator.comparing(Timer::dueAt).thenComparing(Timer::id);

  /** By tenant, then by definition. None is empty; the first one's turn is next. */
  private final LinkedHashMap<String, LinkedHashMap<String, TreeSet<Timer>>> tenants =
      new LinkedHashMap<>();

  private int size;

  void add(TimerOwner owner, Timer timer) {
    var ofTenant = tenants.computeIfAbsent(owner.tenant(), _ -> new LinkedHashMap<>());
    var timers = ofTenant.computeIfAbsent(owner.definitionId(), _ -> new TreeSet<>(BY_DUE_TIME));
    size += timers.add(timer) ? 1 : 0;
  }

  void remove(TimerOwner owner, Timer timer) {
    var ofTenant = tenants.get(owner.tenant());
    var timers = ofTenant == null ? null : ofTenant.get(owner.definitionId());
    if (ofTenant == null || timers == null) {
      return;
    }
    size -= timers.remove(timer) ? 1 : 0;
    if (timers.isEmpty()) {
      ofTenant.remove(owner.definitionId());
    }
    if (ofTenant.isEmpty()) {
      tenants.remove(owner.tenant());
    }
  }

  /** The earliest timer of the definition whose turn it is; null: none is due at that instant. */
  @Nullable Timer next(Instant now) {
    for (var ofTenant : tenants.values()) {
      for (var timers : ofTenant.values()) {
        var first = timers.first();
        if (!first.dueAt().isAfter(now)) {
          return first;
        }
      }
    }
    return null;
  }

  /** The definition and its tenant have had their turn. */
  void goLast(TimerOwner owner) {
    var ofTenant = tenants.get(owner.tenant());
    if (ofTenant != null) {
      goLast(tenants, owner.tenant());
      goLast(ofTenant, owner.definitionId());
    }
  }

  private static <V> void goLast(SequencedMap<String, V> turns, String name) {
    var turn = turns.remove(name);
    if (turn != null) {
      turns.putLast(name, turn);
    }
  }

  /** The definition and its tenant have missed their turn. */
  void goFirst(TimerOwner owner) {
    var ofTenant = tenants.get(owner.tenant());
    if (ofTenant != null) {
      goFirst(tenants, owner.tenant());
      goFirst(ofTenant, owner.definitionId());
    }
  }

  private static <V> void goFirst(SequencedMap<String, V> turns, String name) {
    var turn = turns.get(name);
    if (turn != null) {
      turns.putFirst(name, turn);
    }
  }

  /** Timers that wait, of all definitions. */
  int size() {
    return size;
  }

  int sizeOf(TimerOwner owner) {
    var ofTenant = tenants.get(owner.tenant());
    var timers = ofTenant == null ? null : ofTenant.get(owner.definitionId());
    return timers == null ? 0 : timers.size();
  }

  /** Definitions of a tenant of which timers wait. */
  int definitionsOf(String tenant) {
    var ofTenant = tenants.get(tenant);
    return ofTenant == null ? 0 : ofTenant.size();
  }

  /** Tenants of which timers wait. */
  int tenants() {
    return tenants.size();
  }
}
