import type { Activity, Declaration, Definition } from "../model";
import { allOf } from "../parts/layout";

/** One value that differs; undefined where there is none. */
export interface Difference {
  /** Where in the activity or the definition, as `text.expression.value`. */
  path: string;
  before: unknown;
  after: unknown;
}

export interface ActivityDifference {
  activity: Activity;
  kind: "added" | "removed" | "changed";
  values: Difference[];
}

export interface DefinitionDifference {
  activities: ActivityDifference[];
  connections: { connection: string; kind: "added" | "removed" }[];
  /** Of what the definition says beside its activities. */
  values: Difference[];
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isActivity(value: unknown): boolean {
  return isObject(value) && typeof value.type === "string" && typeof value.id === "string";
}

/** What an activity says of itself: without those in it, which are compared by themselves, and without its place on the canvas. */
function own(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.some((one) => isActivity(one) || (isObject(one) && isActivity(one.activity)))
      ? value.map((one) => (isActivity(one) ? (one as Activity).id : own(one)))
      : value.map(own);
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== "designer" && name !== "connections")
          .map(([name, inner]) => [name, isActivity(inner) ? (inner as Activity).id : own(inner)]),
      )
    : value;
}

/** The leaves that differ. */
export function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return [];
  }
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => differences(before[name], after[name], path ? `${path}.${name}` : name));
  }
  return [{ path, before, after }];
}

function activitiesOf(definition: Definition): Map<string, Activity> {
  return new Map((definition.root ? allOf(definition.root) : []).map((one) => [one.nodeId || one.id, one]));
}

function connectionsOf(definition: Definition): Set<string> {
  const end = (one: { activity: string; port?: string | null }) => (one.port && one.port !== "In" ? `${one.activity}.${one.port}` : one.activity);
  return new Set(
    (definition.root ? allOf(definition.root) : []).flatMap((one) =>
      (Array.isArray(one.connections) ? one.connections : []).flatMap((each) => (each?.source && each.target ? [`${end(each.source)} → ${end(each.target)}`] : [])),
    ),
  );
}

function byName(declarations: Declaration[] | undefined): Json {
  return Object.fromEntries((declarations ?? []).map((one) => [one.name, one]));
}

function rest(definition: Definition): Json {
  const { name, description, inputs, outputs, variables } = definition;
  const { options, customProperties, outcomes } = definition as unknown as Json;
  return { name, description, options, customProperties, outcomes, inputs: byName(inputs), outputs: byName(outputs), variables: byName(variables) };
}

/** What has to be done to one version to have the other one. */
export function differenceOf(before: Definition, after: Definition): DefinitionDifference {
  const [old, now] = [activitiesOf(before), activitiesOf(after)];
  const activities: ActivityDifference[] = [];
  for (const [id, activity] of now) {
    const was = old.get(id);
    const values = was ? differences(own(was), own(activity)) : [];
    if (!was || values.length > 0) {
      activities.push({ activity, kind: was ? "changed" : "added", values });
    }
  }
  for (const [id, activity] of old) {
    if (!now.has(id)) {
      activities.push({ activity, kind: "removed", values: [] });
    }
  }
  const [lines, newer] = [connectionsOf(before), connectionsOf(after)];
  return {
    activities,
    connections: [
      ...[...newer].filter((one) => !lines.has(one)).map((connection) => ({ connection, kind: "added" as const })),
      ...[...lines].filter((one) => !newer.has(one)).map((connection) => ({ connection, kind: "removed" as const })),
    ],
    values: differences(rest(before), rest(after)),
  };
}
