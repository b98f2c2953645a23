import { useMemo, useState } from "preact/hooks";
import { part, useResource } from "../api";
import { duration, number, shortType } from "../format";
import type { Activity, ActivityUsage, Definition, Quantiles, Usage } from "../model";
import { Empty, Loading, Panel, ProblemBox, Table } from "../parts/basics";
import { Diagram, type Flow, type Heat } from "../parts/diagram";
import { allOf, type Edge } from "../parts/layout";
import { go, to, useLocation } from "../router";
import { t } from "../text";

type Measure = keyof typeof t.usage.measures;
type Period = keyof typeof t.usage.periods;

const HOURS: Record<Period, number> = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 };

function valueOf(one: ActivityUsage, by: Measure): number {
  switch (by) {
    case "runs":
      return one.startedCount;
    case "waiting":
      return one.waitingCount;
    case "faulted":
      return one.faultedCount;
    case "duration":
      return one.duration?.p95Ms ?? 0;
    case "wait":
      return one.wait?.p95Ms ?? 0;
  }
}

function figureOf(one: ActivityUsage, by: Measure): string {
  const value = valueOf(one, by);
  return by === "duration" || by === "wait" ? `p95 ${value ? duration(value) : "–"}` : `${number(value)} ${(value === 1 ? t.usage.one : t.usage.many)[by]}`;
}

/** Of a square root, so that the less frequent ones can be told apart as well. */
function share(value: number, most: number): number {
  return most > 0 ? Math.sqrt(value / most) : 0;
}

function heatOf(usage: Usage, by: Measure): Map<string, Heat> {
  const most = Math.max(0, ...usage.activities.map((one) => valueOf(one, by)));
  return new Map(usage.activities.map((one) => [one.activityId, { share: share(valueOf(one, by), most), figure: figureOf(one, by) }]));
}

function flowOf(usage: Usage): (edge: Edge) => Flow {
  const byId = new Map(usage.activities.map((one) => [one.activityId, one]));
  const times = (edge: Edge) => {
    const from = byId.get(edge.from.activity.id);
    return (edge.port ? from?.outcomes[edge.port] : undefined) ?? (edge.port && edge.port !== "Done" ? 0 : (from?.completedCount ?? 0));
  };
  const most = Math.max(0, ...usage.activities.map((one) => one.completedCount));
  return (edge) => ({ times: times(edge), share: share(times(edge), most) });
}

function quantiles(value: Quantiles | null): string {
  return value ? `${duration(value.p50Ms)} / ${duration(value.p95Ms)}` : "–";
}

/** What the newest instances of a definition did: how often each activity ran, where they wait and fault. */
export function UsageTab({ definition }: { definition: Definition }) {
  const { query } = useLocation();
  const given = query.get("period");
  const period: Period = given && given in HOURS ? (given as Period) : "week";
  const measure = query.get("by");
  const by: Measure = measure && measure in t.usage.measures ? (measure as Measure) : "runs";
  const since = useMemo(() => new Date(Date.now() - HOURS[period] * 3_600_000).toISOString(), [period]);
  const path = `/workflow-definitions/${part(definition.definitionId)}/activity-usage`;
  const found = useResource<Usage>(path, { since, version: definition.version });
  const [selected, setSelected] = useState<Activity>();
  const set = (change: Record<string, string>) =>
    go(to("definitions/" + part(definition.definitionId), { version: query.get("version") ?? undefined, tab: "usage", period, by, ...change }), true);
  const usage = found.data;
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>{t.usage.period}</span>
          <select value={period} onChange={(event) => set({ period: event.currentTarget.value })}>
            {Object.entries(t.usage.periods).map(([value, label]) => (
              <option value={value}>{label}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t.usage.by}</span>
          <select value={by} onChange={(event) => set({ by: event.currentTarget.value })}>
            {Object.entries(t.usage.measures).map(([value, label]) => (
              <option value={value}>{label}</option>
            ))}
          </select>
        </label>
        <button type="button" onClick={found.reload} disabled={found.loading}>
          {t.usage.refresh}
        </button>
        {usage && (
          <span class="faint" role="status">
            {usage.complete ? t.usage.all(number(usage.instances), usage.instances === 1) : t.usage.some(number(usage.instances))}
          </span>
        )}
      </form>
      <ProblemBox problem={found.problem} retry={found.reload} />
      {!usage ? (
        !found.problem && <Loading />
      ) : usage.instances === 0 ? (
        <Empty>{t.usage.none}</Empty>
      ) : (
        <>
          {definition.root && (
            <Panel class="flush">
              <Diagram root={definition.root} heat={heatOf(usage, by)} flow={flowOf(usage)} selected={selected?.id} select={setSelected} />
            </Panel>
          )}
          <Figures definition={definition} usage={usage} by={by} selected={selected?.id} />
        </>
      )}
    </>
  );
}

/** The same as numbers, those that stand out first; the chosen one alone where one is chosen. */
function Figures(props: { definition: Definition; usage: Usage; by: Measure; selected: string | undefined }) {
  const { definition, usage, by } = props;
  const known = new Map((definition.root ? allOf(definition.root) : []).map((one) => [one.id, one]));
  const chosen = usage.activities.filter((one) => one.activityId === props.selected);
  const rows = (chosen.length > 0 ? chosen : [...usage.activities]).sort((one, other) => valueOf(other, by) - valueOf(one, by));
  const name = (one: ActivityUsage) => known.get(one.activityId)?.name || one.activityId;
  const waiting = to("instances", { definition: definition.definitionId, version: String(definition.version), status: "Suspended" });
  return (
    <Panel title={t.usage.title} aside={t.usage.quantiles}>
      <Table
        label={t.usage.title}
        rows={rows}
        columns={[
          {
            title: t.instance.activity,
            cell: (one) => (
              <>
                {name(one)} <small class="faint">{shortType(known.get(one.activityId)?.type ?? "")}</small>
              </>
            ),
          },
          { title: t.usage.measures.runs, class: "num", cell: (one) => number(one.startedCount) },
          {
            title: t.usage.measures.waiting,
            class: "num",
            cell: (one) => (one.waitingCount ? <a href={waiting} aria-label={`${t.usage.measures.waiting}: ${name(one)}`}>{number(one.waitingCount)}</a> : <span class="faint">0</span>),
          },
          { title: t.usage.measures.faulted, class: "num", cell: (one) => (one.faultedCount ? <span class="text-bad">{number(one.faultedCount)}</span> : <span class="faint">0</span>) },
          { title: t.usage.cancelled, class: "num", cell: (one) => number(one.cancelledCount) },
          { title: t.usage.duration, class: "num", cell: (one) => quantiles(one.duration) },
          { title: t.usage.wait, class: "num", cell: (one) => quantiles(one.wait) },
          {
            title: t.usage.outcomes,
            cell: (one) =>
              Object.entries(one.outcomes)
                .map(([outcome, times]) => `${outcome} ×${number(times)}`)
                .join(", "),
          },
        ]}
      />
    </Panel>
  );
}
