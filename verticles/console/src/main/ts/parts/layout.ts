import type { Activity, Connection } from "../model";

export const NODE = { width: 200, height: 46 };
const PASSAGE = 24;
const GAP = { across: 34, along: 40, inset: 18, head: 30 };

/** An activity with its place; containers have what is in them, relative to themselves. */
export interface Box {
  activity: Activity;
  x: number;
  y: number;
  width: number;
  height: number;
  groups: Group[];
}

/** Activities that belong together, as those of a sequence or of one branch. */
export interface Group {
  label: string;
  x: number;
  y: number;
  width: number;
  height: number;
  boxes: Box[];
  edges: Edge[];
}

/** A line; `via` are the places through which one leads that passes other layers. */
export interface Edge {
  from: Box;
  to: Box;
  label: string;
  /** The outcome that leads along it; empty where one activity follows another in a sequence. */
  port: string;
  via: { x: number; y: number }[];
}

/** A layer's room for a line that passes through. */
interface Passage {
  edge: Edge;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Part {
  label: string;
  activities: Activity[];
  links: { from: string; to: string; label: string; port: string }[];
}

function isActivity(value: unknown): value is Activity {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Activity).type === "string" &&
    typeof (value as Activity).id === "string"
  );
}

function chain(activities: Activity[]): Part["links"] {
  return activities.slice(1).map((activity, index) => ({
    from: activities[index]?.id ?? "",
    to: activity.id,
    label: "",
    port: "",
  }));
}

function links(connections: Connection[]): Part["links"] {
  return connections.flatMap((one) =>
    one?.source?.activity && one.target?.activity
      ? [
          {
            from: one.source.activity,
            to: one.target.activity,
            label: one.source.port && one.source.port !== "Done" ? one.source.port : "",
            port: one.source.port || "Done",
          },
        ]
      : [],
  );
}

const PARALLEL = /\.(Parallel|Fork)$/;

/** What lies in an activity, member by member; what has no activity in it has no part. */
export function partsOf(activity: Activity): Part[] {
  const parts: Part[] = [];
  for (const [member, value] of Object.entries(activity)) {
    if (isActivity(value)) {
      parts.push({ label: member, activities: [value], links: [] });
    } else if (Array.isArray(value)) {
      const nested = value.flatMap((one: unknown) =>
        isActivity(one) ? [one] : isActivity((one as { activity?: unknown } | null)?.activity) ? [(one as { activity: Activity }).activity] : [],
      );
      if (nested.length > 0) {
        const own = Array.isArray(activity.connections);
        parts.push({
          label: member === "activities" ? "" : member,
          activities: nested,
          links: own ? links(activity.connections ?? []) : member === "activities" && !PARALLEL.test(activity.type) ? chain(nested) : [],
        });
      }
    }
  }
  return parts;
}

/** All activities below one, itself included. */
export function allOf(activity: Activity): Activity[] {
  return [activity, ...partsOf(activity).flatMap((part) => part.activities.flatMap(allOf))];
}

function boxOf(activity: Activity): Box {
  const groups = partsOf(activity).map(groupOf);
  if (groups.length === 0) {
    return { activity, x: 0, y: 0, ...NODE, groups };
  }
  let x = GAP.inset;
  let height = 0;
  for (const group of groups) {
    group.x = x;
    group.y = GAP.head;
    x += group.width + GAP.inset;
    height = Math.max(height, group.height);
  }
  return { activity, x: 0, y: 0, width: Math.max(NODE.width, x), height: GAP.head + height + GAP.inset, groups };
}

function groupOf(part: Part): Group {
  const boxes = part.activities.map(boxOf);
  const byId = new Map(boxes.map((box) => [box.activity.id, box]));
  const edges = part.links.flatMap((link) => {
    const [from, to] = [byId.get(link.from), byId.get(link.to)];
    return from && to ? [{ from, to, label: link.label, port: link.port, via: [] }] : [];
  });
  if (!placeAsDesigned(boxes)) {
    placeInLayers(boxes, edges);
  }
  const top = part.label ? 20 : 0;
  boxes.forEach((box) => (box.y += top));
  return {
    label: part.label,
    x: 0,
    y: 0,
    width: Math.max(...boxes.map((box) => box.x + box.width)),
    height: Math.max(...boxes.map((box) => box.y + box.height)),
    boxes,
    edges,
  };
}

/** By the positions that a designer stored; false where they are missing or lie on one another. */
function placeAsDesigned(boxes: Box[]): boolean {
  const places = boxes.map((box) => box.activity.metadata?.designer?.position);
  if (boxes.length < 2 || places.some((place) => typeof place?.x !== "number" || typeof place.y !== "number")) {
    return false;
  }
  const left = Math.min(...places.map((place) => place?.x ?? 0));
  const top = Math.min(...places.map((place) => place?.y ?? 0));
  boxes.forEach((box, index) => {
    box.x = (places[index]?.x ?? 0) - left;
    box.y = (places[index]?.y ?? 0) - top;
  });
  return !boxes.some((one, index) =>
    boxes
      .slice(index + 1)
      .some(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
  );
}

/** From top to bottom, each below all that lead to it; edges that lead back are not counted. */
function placeInLayers(boxes: Box[], edges: Edge[]): void {
  const layer = new Map<Box, number>();
  const onPath = new Set<Box>();
  const outgoing = (box: Box) => edges.filter((edge) => edge.from === box).map((edge) => edge.to);
  const visit = (box: Box, depth: number) => {
    if (onPath.has(box) || depth <= (layer.get(box) ?? -1) || depth > boxes.length) {
      return;
    }
    layer.set(box, depth);
    onPath.add(box);
    outgoing(box).forEach((next) => visit(next, depth + 1));
    onPath.delete(box);
  };
  const entered = new Set(edges.map((edge) => edge.to));
  boxes.filter((box) => !entered.has(box)).forEach((box) => visit(box, 0));
  boxes.filter((box) => !layer.has(box)).forEach((box) => visit(box, 0));

  const layers: (Box | Passage)[][] = [];
  boxes.forEach((box) => (layers[layer.get(box) ?? 0] ??= []).push(box));
  for (const edge of edges) {
    for (let at = (layer.get(edge.from) ?? 0) + 1; at < (layer.get(edge.to) ?? 0); at++) {
      layers[at]?.push({ edge, x: 0, y: 0, width: PASSAGE, height: NODE.height });
    }
  }
  arrange(layers, edges);
  const widths = layers.map((row) => row.reduce((sum, one) => sum + one.width + GAP.across, -GAP.across));
  const widest = Math.max(...widths);
  let y = 0;
  layers.forEach((row, index) => {
    let x = (widest - (widths[index] ?? 0)) / 2;
    const tallest = Math.max(...row.map((one) => one.height));
    row.forEach((one) => {
      one.x = x;
      one.y = y;
      x += one.width + GAP.across;
      if ("edge" in one) {
        one.edge.via.push({ x: one.x + PASSAGE / 2, y }, { x: one.x + PASSAGE / 2, y: y + tallest });
      }
    });
    y += tallest + GAP.along;
  });
}

/** Orders each layer by what lies above it, so that few lines cross. */
function arrange(layers: (Box | Passage)[][], edges: Edge[]): void {
  const order = new Map<Box | Passage, number>();
  layers.forEach((row, index) => {
    const above = (one: Box | Passage): (Box | Passage)[] => {
      if (!("edge" in one)) {
        const passages = (layers[index - 1] ?? []).filter((other) => "edge" in other && other.edge.to === one);
        return [...edges.filter((edge) => edge.to === one).map((edge) => edge.from), ...passages];
      }
      const passage = (layers[index - 1] ?? []).find((other) => "edge" in other && other.edge === one.edge);
      return [passage ?? one.edge.from];
    };
    const weight = (one: Box | Passage) => {
      const places = above(one).flatMap((other) => order.get(other) ?? []);
      const mean = places.length ? places.reduce((sum, place) => sum + place, 0) / places.length : row.indexOf(one);
      return mean + ("edge" in one ? 0.25 : 0);
    };
    const weights = new Map(row.map((one) => [one, weight(one)]));
    row.sort((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0));
    row.forEach((one, place) => order.set(one, place));
  });
}

/** The whole of a workflow; null where there is nothing to draw. */
export function layoutOf(root: Activity): Group | null {
  const parts = partsOf(root);
  if (parts.length === 0) {
    return root.type ? groupOf({ label: "", activities: [root], links: [] }) : null;
  }
  if (parts.length === 1 && parts[0] && parts[0].label === "") {
    return groupOf(parts[0]);
  }
  return groupOf({ label: "", activities: [root], links: [] });
}
