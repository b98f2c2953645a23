import { useMemo, useState } from "preact/hooks";
import { type Problem, useResource } from "../api";
import { number } from "../format";
import { useLive } from "../live";
import type { InstanceSummary, Overview } from "../model";
import { Empty, Head, LiveMark, Loading, Mark, Panel, ProblemBox, Status, Table, Time } from "../parts/basics";
import { Chart } from "../parts/chart";
import { go, to, useLocation } from "../router";
import { t } from "../text";
import { Tour } from "./tour";

function Figure(props: { label: string; value: string; href?: string; kind?: string; note?: string }) {
  const inner = (
    <>
      <span>{props.label}</span>
      <strong>{props.value}</strong>
      {props.note && <small>{props.note}</small>}
    </>
  );
  const name = "figure " + (props.kind ?? "");
  return props.href ? (
    <a class={name} href={props.href}>
      {inner}
    </a>
  ) : (
    <div class={name}>{inner}</div>
  );
}

export function instanceName(one: InstanceSummary): string {
  return one.name || one.correlationId || one.id;
}

function Attention({ data }: { data: Overview }) {
  const nodes = data.nodes.filter((node) => !node.ready);
  if (nodes.length + data.violations.length + data.incidents.length + data.lateTimers.length === 0) {
    return (
      <p class="well">
        <Mark kind="ok" />
        {t.overview.allWell}
      </p>
    );
  }
  return (
    <ul class="attention">
      {nodes.map((node) => (
        <li>
          <Status status={t.overview.nodeAside} kind="warn" />
          <a href={to("cluster")}>{node.name}</a>
          <span class="detail">{node.detail ?? node.phase}</span>
        </li>
      ))}
      {data.violations.map((one) => (
        <li>
          <Status status={t.overview.violation} kind="warn" />
          <a href={to("instances", { q: one.subjectId })}>{one.invariant}</a>
          <span class="detail">{one.detail}</span>
          <Time at={one.foundAt} />
        </li>
      ))}
      {data.lateTimers.map((one) => (
        <li>
          <Status status={t.overview.late} kind="warn" />
          <a href={to("instances/" + encodeURIComponent(one.workflowInstanceId))}>{one.definitionId ?? one.workflowInstanceId}</a>
          <span class="detail">{one.kind}</span>
          <Time at={one.dueAt} />
        </li>
      ))}
      {data.incidents.map((one) => (
        <li>
          <Status status={one.subStatus === "Faulted" ? "Faulted" : t.overview.incident} kind="bad" />
          <a href={to("instances/" + encodeURIComponent(one.id), { tab: "incidents" })}>{instanceName(one)}</a>
          <span class="detail">{one.definitionId}</span>
          <Time at={one.updatedAt} />
        </li>
      ))}
    </ul>
  );
}

export function OverviewView() {
  const first = useResource<Overview>("/overview");
  const [pushed, setPushed] = useState<Overview>();
  const [problem, setProblem] = useState<Problem>();
  const live = useLive<Overview>({ topic: "overview" }, setPushed, setProblem);
  const data = pushed ?? first.data;
  const { query } = useLocation();
  const chosen = query.get("definition") ?? "";
  const latest = data?.recent.series.at(-1);
  const ofOne = useResource<Overview>(chosen ? "/overview" : null, { definitionId: chosen }, `${latest?.at} ${data?.recent.instances}`);
  const series = chosen ? ofOne.data?.recent.series : data?.recent.series;
  const chart = useMemo(
    () => ({
      times: (series ?? []).map((one) => Date.parse(one.at) / 1_000),
      series: [
        { label: t.overview.started, color: "--blue", values: (series ?? []).map((one) => one.started) },
        { label: t.overview.finished, color: "--green", values: (series ?? []).map((one) => one.finished) },
        { label: t.overview.faultedSeries, color: "--red", values: (series ?? []).map((one) => one.faulted) },
      ],
    }),
    [series],
  );
  if (!data) {
    return (
      <>
        <Head title={t.overview.title} />
        {first.problem ? <ProblemBox problem={first.problem} retry={first.reload} /> : <Loading />}
      </>
    );
  }
  const { statuses, recent } = data;
  const counted = (count: number | undefined) => number(data.countedAt === null ? undefined : (count ?? 0));
  const timers = Object.values(data.timers).reduce((sum, one) => sum + one, 0);
  const ready = data.nodes.filter((node) => node.ready).length;
  const sample = recent.complete ? t.overview.recentAll : `${t.overview.recent} ${number(recent.instances)} ${t.overview.instances}`;
  return (
    <>
      <Head title={t.overview.title}>
        <LiveMark state={live} />
      </Head>
      <ProblemBox problem={problem} />
      <Tour />
      <div class="figures">
        <Figure label={t.overview.running} value={counted(statuses.Running)} href={to("instances", { status: "Executing" })} />
        <Figure label={t.overview.waiting} value={counted(statuses.Suspended)} href={to("instances", { status: "Suspended" })} kind="waits" />
        <Figure label={t.overview.faulted} value={counted(statuses.Faulted)} href={to("instances", { status: "Faulted" })} kind={statuses.Faulted ? "bad" : ""} />
        <Figure label={t.overview.completed} value={counted(statuses.Completed)} href={to("instances", { status: "Finished" })} kind="ok" />
        <Figure label={t.overview.timers} value={counted(timers)} href={to("time")} />
        <Figure label={t.overview.nodes} value={`${ready} / ${data.nodes.length}`} href={to("cluster")} kind={ready < data.nodes.length ? "bad" : ""} />
        <Figure
          label={t.overview.database}
          value={problem?.code === "STORAGE_UNAVAILABLE" ? t.overview.down : t.overview.up}
          kind={problem?.code === "STORAGE_UNAVAILABLE" ? "bad" : ""}
        />
        <small class="note">
          {data.countedAt === null ? (
            t.overview.notCounted
          ) : (
            <>
              {t.overview.counted} <Time at={data.countedAt} />
            </>
          )}
        </small>
      </div>
      <Panel title={t.overview.attention}>
        <Attention data={data} />
      </Panel>
      {recent.definitions.length === 0 ? (
        <Panel>
          <Empty>
            {t.overview.nothing} <a href={to("definitions")}>{t.nav.definitions}</a>
          </Empty>
        </Panel>
      ) : (
        <>
          <Panel
            title={t.overview.activity}
            aside={
              <>
                {sample}
                <label class="inline">
                  {t.overview.definition}
                  <select value={chosen} onChange={(event) => go(to("", { definition: event.currentTarget.value }), true)}>
                    <option value="">{t.overview.allDefinitions}</option>
                    {recent.definitions.map((one) => (
                      <option value={one.definitionId}>{one.definitionId}</option>
                    ))}
                  </select>
                </label>
              </>
            }
          >
            <ProblemBox problem={ofOne.problem} retry={ofOne.reload} />
            <Chart label={t.overview.chart} {...chart} />
          </Panel>
          <Panel title={t.overview.byDefinition} aside={sample}>
            <Table
              label={t.overview.byDefinition}
              rows={recent.definitions}
              columns={[
                { title: t.overview.definition, cell: (one) => <a href={to("definitions/" + encodeURIComponent(one.definitionId))}>{one.definitionId}</a> },
                { title: t.overview.total, class: "num", cell: (one) => <a href={to("instances", { definition: one.definitionId })}>{number(one.started)}</a> },
                { title: t.overview.running, class: "num", cell: (one) => number(one.running) },
                { title: t.overview.waiting, class: "num", cell: (one) => <Count count={one.waiting} href={to("instances", { definition: one.definitionId, status: "Suspended" })} kind="waits" /> },
                { title: t.overview.faulted, class: "num", cell: (one) => <Count count={one.faulted} href={to("instances", { definition: one.definitionId, status: "Faulted" })} kind="bad" /> },
                { title: t.overview.incidents, class: "num", cell: (one) => <Count count={one.incidents} href={to("instances", { definition: one.definitionId, incidents: "true" })} kind="bad" /> },
                { title: t.overview.completed, class: "num", cell: (one) => number(one.completed) },
                { title: t.overview.last, class: "time", cell: (one) => <Time at={one.lastStartedAt} /> },
              ]}
            />
          </Panel>
        </>
      )}
    </>
  );
}

function Count({ count, href, kind }: { count: number; href: string; kind: string }) {
  return count === 0 ? <span class="faint">0</span> : (
    <a class={"text-" + kind} href={href}>
      {number(count)}
    </a>
  );
}
