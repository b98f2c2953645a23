import type { ActivityStats, JournalEntry } from "../model";

/** What one burst wrote to the journal: entries of one instant. */
export interface Burst {
  /** Index of its first entry, and of the one after its last. */
  from: number;
  until: number;
  at: string;
}

export interface Value {
  name: string;
  value: unknown;
  /** Index of the entry that set it. */
  setBy: number;
}

export function burstsOf(entries: JournalEntry[]): Burst[] {
  const bursts: Burst[] = [];
  entries.forEach((entry, index) => {
    const last = bursts.at(-1);
    if (last && last.at === entry.timestamp) {
      last.until = index + 1;
    } else {
      bursts.push({ from: index, until: index + 1, at: entry.timestamp });
    }
  });
  return bursts;
}

/** The variables after so many entries, as the journal says that they were set; in order of their names. */
export function variablesAt(entries: JournalEntry[], count: number): Value[] {
  const values = new Map<string, Value>();
  entries.slice(0, count).forEach((entry, index) => {
    const set = (entry.payload as { variables?: Record<string, unknown> } | null)?.variables;
    Object.entries(set ?? {}).forEach(([name, value]) => values.set(name, { name, value, setBy: index }));
  });
  return [...values.values()].sort((one, other) => one.name.localeCompare(other.name));
}

const ENDS = ["Completed", "Faulted", "Canceled", "Cancelled"];
const TOLD = [...ENDS, "Started", "Resumed", "Suspended"];

/** How each activity had fared after so many entries. */
export function statsAt(entries: JournalEntry[], count: number): ActivityStats[] {
  const last = new Map<string, JournalEntry>();
  for (const entry of entries.slice(0, count)) {
    if (entry.activityInstanceId && TOLD.includes(entry.eventName)) {
      last.set(entry.activityInstanceId, entry);
    }
  }
  const stats = new Map<string, ActivityStats>();
  for (const entry of last.values()) {
    const one = stats.get(entry.activityId) ?? {
      activityId: entry.activityId,
      activityNodeId: entry.activityNodeId,
      startedCount: 0,
      completedCount: 0,
      uncompletedCount: 0,
      isBlocked: false,
      isFaulted: false,
    };
    const ended = ENDS.includes(entry.eventName);
    one.startedCount++;
    one.completedCount += ended ? 1 : 0;
    one.uncompletedCount += ended ? 0 : 1;
    one.isBlocked ||= entry.eventName === "Suspended";
    one.isFaulted ||= entry.eventName === "Faulted";
    stats.set(entry.activityId, one);
  }
  return [...stats.values()];
}

export interface Change {
  name: string;
  /** Undefined where there was none. */
  before: unknown;
  after: unknown;
}

/** The variables that differ between two moments. */
export function changesBetween(before: Value[], after: Value[]): Change[] {
  const old = new Map(before.map((one) => [one.name, one.value]));
  return after.flatMap(({ name, value }) => (JSON.stringify(old.get(name)) === JSON.stringify(value) && old.has(name) ? [] : [{ name, before: old.get(name), after: value }]));
}
