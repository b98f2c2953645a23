import { useEffect, useMemo, useState } from "preact/hooks";
import { asProblem, get, part, post, type Problem, useResource } from "../api";
import { duration, number } from "../format";
import type { Page, Schedule, Scheduler, Timer } from "../model";
import { Empty, Head, Loading, Panel, ProblemBox, Status, Table, Time } from "../parts/basics";
import { Chart } from "../parts/chart";
import { Acting, Confirmed } from "../parts/dialog";
import { to } from "../router";
import { t } from "../text";

const TIMERS = 1_000;
const SHOWN = 100;
const HOUR_S = 3_600;

/** Hours whose timers are counted at a time. */
const HOURS_AT_ONCE = 4;

/** The hours of a day from the present one on, by their beginnings in seconds. */
function hours(): number[] {
  const first = Math.floor(Date.now() / 1_000 / HOUR_S) * HOUR_S;
  return Array.from({ length: 24 }, (_, hour) => first + hour * HOUR_S);
}

interface Counted {
  times: number[];
  counts: number[];
}

/** Where there are more timers than the list has, the server counts those of each hour; overdue ones are in the first. */
async function countHours(signal: AbortSignal): Promise<Counted> {
  const times = hours();
  const counts: number[] = [];
  const count = async (from: number, index: number) => {
    const dueAfter = index === 0 ? undefined : new Date(from * 1_000).toISOString();
    const dueBefore = new Date((from + HOUR_S) * 1_000).toISOString();
    return (await get<Page<Timer>>("/timers", { dueAfter, dueBefore, take: 1 }, signal)).totalCount;
  };
  for (let at = 0; at < times.length; at += HOURS_AT_ONCE) {
    counts.push(...(await Promise.all(times.slice(at, at + HOURS_AT_ONCE).map((from, index) => count(from, at + index)))));
  }
  return { times, counts };
}

/** Undefined until they are counted; only where `needed`. */
function useCounted(needed: boolean): { counted: Counted | undefined; problem: Problem | undefined } {
  const [counted, setCounted] = useState<Counted>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (!needed) {
      return;
    }
    const aborting = new AbortController();
    countHours(aborting.signal)
      .then(setCounted)
      .catch((failure: unknown) => aborting.signal.aborted || setProblem(asProblem(failure)));
    return () => aborting.abort();
  }, [needed]);
  return { counted, problem };
}

function byHour(timers: Timer[]): Counted {
  const times = hours();
  const first = times[0] ?? 0;
  const counts = times.map(() => 0);
  for (const timer of timers) {
    const hour = Math.max(0, Math.floor((Date.parse(timer.dueAt) / 1_000 - first) / HOUR_S));
    if (hour < counts.length) {
      counts[hour] = (counts[hour] ?? 0) + 1;
    }
  }
  return { times, counts };
}

export function rule(schedule: Schedule): string {
  const text = schedule.cron ?? schedule.interval ?? schedule.rule ?? schedule.calendar;
  return text === undefined || text === null ? "–" : typeof text === "string" ? text : JSON.stringify(text);
}

export function TimeView() {
  const timers = useResource<Page<Timer>>("/timers", { take: TIMERS });
  const schedules = useResource<Page<Schedule>>("/schedules", { take: 200 });
  const scheduler = useResource<Scheduler>("/scheduler");
  const items = timers.data?.items;
  const more = (timers.data?.totalCount ?? 0) > (items?.length ?? 0);
  const { counted, problem } = useCounted(more);
  const chart = useMemo(() => {
    const { times, counts } = (more ? counted : undefined) ?? byHour(items ?? []);
    return { times, series: [{ label: t.time.timersSeries, color: "--blue", values: counts, bars: true }] };
  }, [items, more, counted]);
  return (
    <>
      <Head title={t.time.title} sub={scheduler.data && `${t.time.lag}: ${duration(scheduler.data.lagMs)}`} />
      <ProblemBox problem={timers.problem ?? problem} retry={timers.reload} />
      {items ? (
        <>
          <Panel title={t.time.next} aside={more && !counted ? `${t.time.only} ${number(TIMERS)}` : number(timers.data?.totalCount)}>
            <Chart label={t.time.nextChart} {...chart} />
          </Panel>
          <Panel title={t.time.schedules}>
            <ProblemBox problem={schedules.problem} retry={schedules.reload} />
            {schedules.data?.items.length ? (
              <Schedules rows={schedules.data.items} reload={schedules.reload} />
            ) : (
              !schedules.problem && (schedules.data ? <Empty>{t.time.noSchedules}</Empty> : <Loading />)
            )}
          </Panel>
          <Panel title={t.time.timers}>
            {items.length === 0 ? (
              <Empty>{t.time.noTimers}</Empty>
            ) : (
              <Table
                label={t.time.timers}
                rows={items.slice(0, SHOWN)}
                columns={[
                  { title: t.time.due, class: "time", cell: (one) => <Time at={one.dueAt} /> },
                  { title: t.time.kind, cell: (one) => one.kind },
                  { title: t.time.definition, cell: (one) => one.definitionId ?? <span class="faint">–</span> },
                  {
                    title: t.time.instance,
                    class: "mono",
                    cell: (one) => <a href={to("instances/" + part(one.workflowInstanceId))}>{one.workflowInstanceId}</a>,
                  },
                  { title: t.time.attempts, class: "num", cell: (one) => one.attempts },
                ]}
              />
            )}
          </Panel>
        </>
      ) : (
        !timers.problem && <Loading />
      )}
    </>
  );
}

function Schedules({ rows, reload }: { rows: Schedule[]; reload: () => void }) {
  return (
    <Table
      label={t.time.schedules}
      rows={rows}
      id={(one) => one.id}
      columns={[
        { title: t.time.id, class: "mono", cell: (one) => <a href={to("time/" + part(one.id))}>{one.id}</a> },
        { title: t.time.definition, cell: (one) => <a href={to("definitions/" + part(one.definitionId))}>{one.definitionId}</a> },
        { title: t.time.rule, class: "mono", cell: rule },
        { title: t.time.zone, cell: (one) => one.timeZone ?? "–" },
        { title: t.time.status, cell: (one) => <Status status={one.status} kind={one.status === "Active" ? "ok" : one.status === "Paused" ? "waits" : "off"} /> },
        { title: t.time.nextRun, class: "time", cell: (one) => <Time at={one.nextAt} /> },
        { title: t.time.lastRun, class: "time", cell: (one) => <Time at={one.lastAt} /> },
        {
          title: t.common.actions,
          class: "act",
          cell: (one) => {
            const path = "/schedules/" + part(one.id);
            return (
              <>
                {one.status === "Paused" ? (
                  <Acting label={t.time.resume} needs="write:schedules" work={() => post(path + "/resume")} done={reload} />
                ) : (
                  <Acting label={t.time.pause} needs="write:schedules" work={() => post(path + "/pause")} done={reload} />
                )}
                <Confirmed label={t.time.trigger} question={t.time.confirmTrigger} needs="write:schedules" work={() => post(path + "/trigger")} done={reload} />
              </>
            );
          },
        },
      ]}
    />
  );
}
