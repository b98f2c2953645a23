import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api";
import { ago, json, local } from "../format";
import { useHelp } from "../help";
import type { LiveState } from "../live";
import { t } from "../text";

const TICK_MS = 5_000;

const clocks = new Set<(now: number) => void>();
window.setInterval(() => clocks.forEach((tick) => tick(Date.now())), TICK_MS);

/** A time relative to now; hovering shows it exactly, local and in UTC. */
export function Time({ at, exact }: { at: string | null | undefined; exact?: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    clocks.add(setNow);
    return () => {
      clocks.delete(setNow);
    };
  }, []);
  if (!at) {
    return <span class="faint">–</span>;
  }
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${local(date)}\n${at}`}>
      {exact ? local(date) : ago(date, now)}
    </time>
  );
}

export type Kind = "waits" | "runs" | "ok" | "bad" | "off" | "warn" | "none";

const KINDS: Record<string, Kind> = {
  Pending: "none",
  Running: "runs",
  Executing: "runs",
  Suspended: "waits",
  Completed: "ok",
  Finished: "ok",
  Faulted: "bad",
  Cancelled: "off",
  Canceled: "off",
};

export function kindOf(status: string): Kind {
  return KINDS[status] ?? "none";
}

const SHAPES: Record<Kind, JSX.Element> = {
  ok: <path d="M3 8.5 6.5 12 13 4.5" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" />,
  bad: <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />,
  waits: <path d="M5.5 3.5v9M10.5 3.5v9" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" />,
  runs: <path d="M5 3.2v9.6L13 8z" fill="currentColor" />,
  off: <path d="M3.5 8h9" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" />,
  warn: <path d="M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round" stroke-linecap="round" />,
  none: <circle cx="8" cy="8" r="4.2" fill="none" stroke="currentColor" stroke-width="2" />,
};

export function Mark({ kind }: { kind: Kind }) {
  return (
    <svg class={"mark " + kind} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[kind]}
    </svg>
  );
}

/** A state by shape, colour and word. */
export function Status({ status, kind }: { status: string; kind?: Kind }) {
  const shown = kind ?? kindOf(status);
  return (
    <span class={"status " + shown}>
      <Mark kind={shown} />
      {t.status[status] ?? status}
    </span>
  );
}

/** Why something was refused: title, detail, code, what is wrong in detail, and what to do. */
export function ProblemBox({ problem, retry }: { problem: Problem | undefined; retry?: () => void }) {
  const help = useHelp(problem?.code);
  if (!problem) {
    return null;
  }
  return (
    <div class="problem" role="alert">
      <Mark kind="warn" />
      <div>
        <strong>{problem.title}</strong>
        {problem.detail && problem.detail !== problem.title && <p>{problem.detail}</p>}
        {problem.errors.length > 0 && (
          <ul>
            {problem.errors.map((error) => (
              <li>{error}</li>
            ))}
          </ul>
        )}
        {help && (
          <p>
            {t.common.whatToDo}: {help}
          </p>
        )}
        <code>{problem.code}</code>
      </div>
      {retry && (
        <button type="button" onClick={retry}>
          {t.common.retry}
        </button>
      )}
    </div>
  );
}

export function LiveMark({ state }: { state: LiveState }) {
  return (
    <span class={"live-mark " + state} role="status">
      <i aria-hidden="true" />
      {t.live[state]}
    </span>
  );
}

export function Panel(props: {
  title?: ComponentChildren;
  aside?: ComponentChildren;
  class?: string;
  children?: ComponentChildren;
}) {
  return (
    <section class={"panel " + (props.class ?? "")}>
      {(props.title || props.aside) && (
        <header>
          <h2>{props.title}</h2>
          <div class="aside">{props.aside}</div>
        </header>
      )}
      {props.children}
    </section>
  );
}

export function Head(props: { title: ComponentChildren; sub?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <header class="head">
      <div>
        <h1 title={typeof props.title === "string" ? props.title : undefined}>{props.title}</h1>
        {props.sub && <div class="sub">{props.sub}</div>}
      </div>
      <div class="actions">{props.children}</div>
    </header>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Loading() {
  return (
    <p class="empty" aria-busy="true">
      {t.common.loading}
    </p>
  );
}

/** Any value as text; long ones scroll. */
export function Json({ value, label }: { value: unknown; label?: string }) {
  const text = typeof value === "string" ? value : json(value);
  return (
    <pre class="json" tabIndex={0} role="region" aria-label={label ?? t.common.json}>
      {text}
    </pre>
  );
}

export function Copy({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        void navigator.clipboard?.writeText(text).then(() => setCopied(true));
      }}
    >
      {copied ? t.common.copied : t.common.copy}
    </button>
  );
}

export function Tabs<T extends string>(props: {
  names: Record<T, string>;
  counts?: Partial<Record<T, number>>;
  selected: T;
  href: (name: T) => string;
}) {
  return (
    <nav class="tabs" aria-label={t.nav.label}>
      {(Object.keys(props.names) as T[]).map((name) => (
        <a href={props.href(name)} aria-current={name === props.selected ? "page" : undefined}>
          {props.names[name]}
          {props.counts?.[name] ? <span class="count">{props.counts[name]}</span> : null}
        </a>
      ))}
    </nav>
  );
}

export interface Column<T> {
  title: string;
  cell: (row: T) => ComponentChildren;
  class?: string;
}

/**
 * A table of few rows. `id` tells them apart where rows come and go while a dialog of one of them is
 * open, or one has the focus: without it the one that takes its place would get both.
 */
export function Table<T>(props: { label: string; columns: Column<T>[]; rows: T[]; id?: (row: T) => string }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.label}>
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th scope="col" class={column.class}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.id?.(row)}>
              {props.columns.map((column) => (
                <td class={column.class}>{column.cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
