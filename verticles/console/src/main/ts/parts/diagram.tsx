import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { number, shortType } from "../format";
import type { Activity, ActivityStats } from "../model";
import { t } from "../text";
import { Empty, type Kind, Mark } from "./basics";
import { type Box, type Edge, type Group, layoutOf, NODE } from "./layout";

const MARGIN = 16;
const CHARS_MAX = 22;

function shortened(text: string): string {
  return text.length > CHARS_MAX ? text.slice(0, CHARS_MAX - 1) + "…" : text;
}

/** What a name leaves free in its box: the space before it, and the mark after it. */
const BESIDE_NAME = { before: 14, after: 10, mark: 28 };

const NAME_FONT = "560 12.5px system-ui, sans-serif";

const pen = document.createElement("canvas").getContext("2d");

/** As much of a name as is no wider than `width`. */
function fitted(name: string, width: number): string {
  let text = name.slice(0, 200); // no box is so wide
  if (!pen) {
    return shortened(text);
  }
  pen.font = NAME_FONT;
  if (text === name && pen.measureText(text).width <= width) {
    return text;
  }
  while (text.length > 1 && pen.measureText(text + "…").width > width) {
    text = text.slice(0, -1);
  }
  return text + "…";
}

/** How much an activity stands out, from 0 to 1, and the figure that says why. */
export interface Heat {
  share: number;
  figure: string;
}

/** How often a line was followed, and its share of the most frequent one. */
export interface Flow {
  share: number;
  times: number;
}

function kindOf(stats: ActivityStats | undefined): Kind {
  if (!stats || stats.startedCount === 0) {
    return "none";
  }
  if (stats.isFaulted) {
    return "bad";
  }
  return stats.isBlocked || stats.uncompletedCount > 0 ? "waits" : "ok";
}

function word(kind: Kind): string {
  const { ran, waits, faulted, none } = t.diagram.legend;
  return kind === "ok" ? ran : kind === "waits" ? waits : kind === "bad" ? faulted : none;
}

function path(edge: Edge): string {
  const { from, to } = edge;
  if (to.x >= from.x + from.width && to.y < from.y + from.height) {
    const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
    const bend = Math.max(16, (x2 - x1) / 2);
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2];
  if (to.y >= from.y + from.height) {
    let place = { x: x1, y: from.y + from.height };
    let text = `M${place.x} ${place.y}`;
    for (const next of [...edge.via, { x: x2, y: to.y }]) {
      const bend = (next.y - place.y) / 2;
      text += `C${place.x} ${place.y + bend} ${next.x} ${next.y - bend} ${next.x} ${next.y}`;
      place = next;
    }
    return text;
  }
  const side = Math.max(from.x + from.width, to.x + to.width) + 20; // it leads back
  return `M${from.x + from.width} ${from.y + from.height / 2}C${side} ${from.y + from.height / 2} ${side} ${to.y + to.height / 2} ${to.x + to.width} ${to.y + to.height / 2}`;
}

/** Beside the line, not far from where it begins. */
function labelPlace(edge: Edge) {
  const start = { x: edge.from.x + edge.from.width / 2, y: edge.from.y + edge.from.height };
  const next = edge.via[0] ?? { x: edge.to.x + edge.to.width / 2, y: edge.to.y };
  const leftwards = next.x < start.x;
  return {
    x: (start.x + next.x) / 2 + (leftwards ? -8 : 8),
    y: (start.y + next.y) / 2 + (next.x === start.x ? 3 : -3),
    "text-anchor": leftwards ? ("end" as const) : ("start" as const),
  };
}

interface Shown {
  stats: Map<string, ActivityStats>;
  counted: boolean;
  heat: Map<string, Heat> | undefined;
  flow: ((edge: Edge) => Flow) | undefined;
  marks: Map<string, Kind> | undefined;
  selected: string | undefined;
  select: ((activity: Activity) => void) | undefined;
  opening: Opening | undefined;
}

/** How what lies in an activity is shown alone. */
export interface Opening {
  can: (activity: Activity) => boolean;
  open: (activity: Activity) => void;
}

function onKey(act: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    }
  };
}

/** At the lower right of the box of an activity. Attributes of SVG are written as they are: one of another case is none. */
function OpenButton({ box, name, open }: { box: Box; name: string; open: () => void }) {
  const label = `${t.diagram.open} ${name}`;
  return (
    <g
      class="open"
      role="button"
      tabindex={0}
      aria-label={label}
      transform={`translate(${box.width - 24} ${box.height - 18})`}
      onClick={(event) => {
        event.stopPropagation();
        open();
      }}
      onKeyDown={onKey(open)}
    >
      <title>{label}</title>
      <rect width="20" height="15" rx="3" />
      <path d="M7 4H4v7h12V8M10 3.5h6.5V8M16 4 9.5 8.5" />
    </g>
  );
}

function EdgeLine({ edge, shown }: { edge: Edge; shown: Shown }) {
  const ran = (shown.stats.get(edge.to.activity.id)?.startedCount ?? 0) > 0 && (shown.stats.get(edge.from.activity.id)?.completedCount ?? 0) > 0;
  const flow = shown.flow?.(edge);
  const label = flow?.times ? `${shortened(edge.label)} ×${number(flow.times)}`.trim() : shortened(edge.label);
  return (
    <g class={"edge" + (ran ? " ran" : "") + (flow ? (flow.times ? " followed" : " unused") : "")}>
      <path d={path(edge)} marker-end="url(#arrow)" style={flow?.times ? { strokeWidth: `${1.2 + 3 * flow.share}px` } : undefined} />
      {label && <text {...labelPlace(edge)}>{label}</text>}
    </g>
  );
}

function Node({ box, shown }: { box: Box; shown: Shown }) {
  const { activity } = box;
  const stats = shown.stats.get(activity.id);
  const kind = shown.marks?.get(activity.id) ?? (shown.counted ? kindOf(stats) : "none");
  const heat = shown.heat?.get(activity.id);
  const title = activity.name || activity.id;
  const spoken = `${title}, ${shortType(activity.type)}` + (heat ? `, ${heat.figure}` : "") + (shown.counted ? `, ${word(kind)}${stats ? `, ${stats.startedCount} ${t.diagram.times}` : ""}` : "");
  const container = box.groups.length > 0;
  const marked = (shown.counted || shown.marks !== undefined) && kind !== "none";
  const room = Math.max(box.width, NODE.width) - BESIDE_NAME.before - (marked ? BESIDE_NAME.mark : BESIDE_NAME.after);
  const pick = () => shown.select?.(activity);
  const openable = shown.opening?.can(activity) ?? false;
  return (
    <g
      class={`node ${kind}` + (container ? " container" : "") + (shown.selected === activity.id ? " selected" : "")}
      transform={`translate(${box.x} ${box.y})`}
    >
      <g
        role={shown.select ? "button" : "img"}
        tabindex={shown.select ? 0 : undefined}
        aria-label={spoken}
        onClick={(event) => {
          event.stopPropagation();
          pick();
        }}
        onKeyDown={onKey(pick)}
      >
        <title>{spoken}</title>
        <rect
          width={box.width}
          height={box.height}
          rx="6"
          class={heat && heat.share > 0 ? "hot" : undefined}
          style={heat && heat.share > 0 && !container ? { fill: `color-mix(in srgb, var(--heat) ${Math.round(10 + 45 * heat.share)}%, var(--panel))` } : undefined}
        />
        {!container && <rect class="stripe" width="4" height={box.height} rx="2" />}
        <text class="name" x="14" y={container ? 19 : 20}>
          {fitted(title, room)}
        </text>
        {!container && (
          <text class="type" x="14" y="36">
            {heat ? heat.figure : shortened(shortType(activity.type))}
          </text>
        )}
        {marked && (
          <g transform={`translate(${box.width - 24} 7)`}>
            <foreignObject width="16" height="16">
              <Mark kind={kind} />
            </foreignObject>
          </g>
        )}
        {stats && stats.startedCount > 1 && (
          <text class="times" x={box.width - 10} y={container ? 19 : 37} text-anchor="end" dx={container ? -20 : openable ? -18 : 0}>
            {"×" + stats.startedCount}
          </text>
        )}
      </g>
      {box.groups.map((group) => (
        <GroupOf group={group} shown={shown} />
      ))}
      {openable && <OpenButton box={box} name={title} open={() => shown.opening?.open(activity)} />}
    </g>
  );
}

function GroupOf({ group, shown }: { group: Group; shown: Shown }) {
  return (
    <g transform={`translate(${group.x} ${group.y})`}>
      {group.label && (
        <text class="port" y="11">
          {shortened(group.label)}
        </text>
      )}
      {group.edges.map((edge) => (
        <EdgeLine edge={edge} shown={shown} />
      ))}
      {group.boxes.map((box) => (
        <Node box={box} shown={shown} />
      ))}
    </g>
  );
}

/**
 * A workflow as boxes and lines; with `stats`, what ran, waits and faulted, and how often; with
 * `heat` and `flow`, what many instances did; with `marks`, what `legend` says.
 */
export function Diagram(props: {
  root: Activity;
  stats?: ActivityStats[] | undefined;
  heat?: Map<string, Heat> | undefined;
  flow?: ((edge: Edge) => Flow) | undefined;
  marks?: Map<string, Kind> | undefined;
  legend?: [Kind, string][];
  selected?: string | undefined;
  select?: (activity: Activity) => void;
  opening?: Opening | undefined;
}) {
  const layout = useMemo(() => layoutOf(props.root), [props.root]);
  const place = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  const width = (layout?.width ?? 0) + 2 * MARGIN + 24;
  const height = (layout?.height ?? 0) + 2 * MARGIN;
  const fit = () => {
    const room = place.current?.clientWidth ?? width;
    setScale(Math.max(0.35, Math.min(1, room / width)));
  };
  useEffect(fit, [width]);
  if (!layout) {
    return <Empty>{t.diagram.empty}</Empty>;
  }
  const shown: Shown = {
    stats: new Map((props.stats ?? []).map((one) => [one.activityId, one])),
    counted: props.stats !== undefined,
    heat: props.heat,
    flow: props.flow,
    marks: props.marks,
    selected: props.selected,
    select: props.select,
    opening: props.opening,
  };
  return (
    <div class="diagram">
      <div class="tools">
        {shown.counted &&
          (["ok", "waits", "bad", "none"] as Kind[]).map((kind) => (
            <span class={"status " + kind}>
              <Mark kind={kind} />
              {word(kind)}
            </span>
          ))}
        {(props.legend ?? []).map(([kind, label]) => (
          <span class={"status " + kind}>
            <Mark kind={kind} />
            {label}
          </span>
        ))}
        <span class="grow" />
        <button type="button" class="quiet" aria-label={t.diagram.zoomOut} onClick={() => setScale(Math.max(0.3, scale / 1.25))}>
          −
        </button>
        <button type="button" class="quiet" onClick={fit}>
          {t.diagram.fit}
        </button>
        <button type="button" class="quiet" aria-label={t.diagram.zoomIn} onClick={() => setScale(Math.min(2.5, scale * 1.25))}>
          +
        </button>
      </div>
      <div class="canvas" ref={place} tabIndex={0} role="region" aria-label={t.diagram.label}>
        <svg width={width * scale} height={height * scale} viewBox={`0 0 ${width} ${height}`}>
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="10" markerHeight="10" orient="auto-start-reverse">
              <path d="M0 .8 7 4 0 7.2z" />
            </marker>
          </defs>
          <g transform={`translate(${MARGIN} ${MARGIN})`}>
            <GroupOf group={layout} shown={shown} />
          </g>
        </svg>
      </div>
    </div>
  );
}
