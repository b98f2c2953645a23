import { useMemo, useState } from "preact/hooks";
import { part, post, useAction, useResource } from "../api";
import { instant, number } from "../format";
import type { Schedule } from "../model";
import { Empty, Head, Json, Loading, Panel, ProblemBox, Status, Time } from "../parts/basics";
import { Acting, Allowed, Confirmed, Dialog } from "../parts/dialog";
import { to } from "../router";
import { t } from "../text";
import { rule } from "./time";

interface Instants {
  timeZone: string;
  items: { at: string; local: string }[];
}

interface Filled {
  started: number;
  skipped: number;
  existing: number;
  more: boolean;
}

/** As many as are asked for; a schedule that runs each minute fills a part of a day with them. */
const RUNS = 200;
const DAYS = 14;
const TIMES = 6;
const DAY_MS = 86_400_000;

interface Day {
  date: string;
  /** On the clocks of the schedule's zone. */
  times: string[];
}

/** Days from the first run on, also those without one, as far as all their runs are known. */
function calendar(runs: Instants["items"]): Day[] {
  const times = new Map<string, string[]>();
  for (const run of runs) {
    const [date = "", time = ""] = run.local.split("T");
    times.set(date, [...(times.get(date) ?? []), time.slice(0, 5)]);
  }
  const dates = [...times.keys()];
  if (runs.length === RUNS && dates.length > 1) {
    dates.pop();
  }
  const first = Date.parse(dates[0] + "T00:00:00Z");
  const last = Date.parse(dates[dates.length - 1] + "T00:00:00Z");
  const count = Number.isNaN(first) ? 0 : Math.min(DAYS, Math.round((last - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, day) => {
    const date = new Date(first + day * DAY_MS).toISOString().slice(0, 10);
    return { date, times: times.get(date) ?? [] };
  });
}

const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" });

export function ScheduleView({ id }: { id: string }) {
  const path = "/schedules/" + part(id);
  const found = useResource<Schedule>(path);
  const next = useResource<Instants>(path + "/next", { count: RUNS });
  const [filling, setFilling] = useState(false);
  const schedule = found.data;
  const days = useMemo(() => calendar(next.data?.items ?? []), [next.data]);
  const again = () => {
    found.reload();
    next.reload();
  };
  return (
    <>
      <nav class="crumbs" aria-label={t.time.title}>
        <a href={to("time")}>{t.time.title}</a>
      </nav>
      <Head
        title={schedule?.name ?? id}
        sub={
          schedule && (
            <>
              <Status status={schedule.status} kind={schedule.status === "Active" ? "ok" : schedule.status === "Paused" ? "waits" : "off"} />{" "}
              <a href={to("definitions/" + part(schedule.definitionId))}>{schedule.definitionId}</a>
            </>
          )
        }
      >
        {schedule && (
          <>
            {schedule.status === "Paused" ? (
              <Acting label={t.time.resume} needs="write:schedules" work={() => post(path + "/resume")} done={again} />
            ) : (
              <Acting label={t.time.pause} needs="write:schedules" work={() => post(path + "/pause")} done={again} />
            )}
            <Confirmed label={t.time.trigger} question={t.time.confirmTrigger} needs="write:schedules" work={() => post(path + "/trigger")} done={again} />
            <Allowed needs="write:schedules">
              <button type="button" onClick={() => setFilling(true)}>
                {t.time.backfill}…
              </button>
            </Allowed>
          </>
        )}
      </Head>
      {schedule && <Facts schedule={schedule} />}
      <ProblemBox problem={found.problem ?? next.problem} retry={again} />
      <Panel title={t.time.calendar} aside={next.data && `${t.time.zone}: ${next.data.timeZone}`}>
        {days.length > 0 ? <Calendar days={days} /> : next.data ? <Empty>{t.time.noRuns}</Empty> : !next.problem && <Loading />}
      </Panel>
      {schedule && (
        <Panel title={t.common.json}>
          <Json value={schedule} label={id} />
        </Panel>
      )}
      {filling && <Backfill path={path} close={() => setFilling(false)} />}
    </>
  );
}

function Facts({ schedule }: { schedule: Schedule }) {
  return (
    <dl class="facts">
      <div>
        <dt>{t.time.rule}</dt>
        <dd class="mono">{rule(schedule)}</dd>
      </div>
      <div>
        <dt>{t.time.nextRun}</dt>
        <dd>
          <Time at={schedule.nextAt} />
        </dd>
      </div>
      <div>
        <dt>{t.time.lastRun}</dt>
        <dd>
          <Time at={schedule.lastAt} />
        </dd>
      </div>
      {schedule.note && (
        <div>
          <dt>{t.time.note}</dt>
          <dd>{schedule.note}</dd>
        </div>
      )}
    </dl>
  );
}

function Calendar({ days }: { days: Day[] }) {
  return (
    <ul class="calendar">
      {days.map((day) => (
        <li class={day.times.length === 0 ? "off" : ""}>
          <strong>
            {WEEKDAY.format(Date.parse(day.date))} {day.date.slice(5)}
          </strong>
          {day.times.slice(0, TIMES).map((time) => (
            <span class="mono">{time}</span>
          ))}
          {day.times.length > TIMES && <span class="faint">{t.time.more(number(day.times.length - TIMES))}</span>}
          {day.times.length === 0 && <span class="faint">–</span>}
        </li>
      ))}
    </ul>
  );
}

function Backfill({ path, close }: { path: string; close: () => void }) {
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const [done, setDone] = useState<Filled>();
  const action = useAction();
  const range = { from: instant(from), to: instant(until) };
  return (
    <Dialog title={t.time.backfill} close={close}>
      <p>{t.time.backfillSays}</p>
      <label class="field">
        <span>{t.time.from}</span>
        <input type="datetime-local" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>{t.time.until}</span>
        <input type="datetime-local" value={until} onInput={(event) => setUntil(event.currentTarget.value)} />
      </label>
      <ProblemBox problem={action.problem} />
      {done && <p role="status">{t.time.filled(number(done.started), number(done.existing), number(done.skipped), done.more)}</p>}
      <footer>
        <button type="button" onClick={close}>
          {t.common.close}
        </button>
        <button
          type="button"
          class="strong"
          disabled={action.busy || !range.from || !range.to}
          onClick={() => void action.run(async () => setDone(await post<Filled>(path + "/backfill", range)))}
        >
          {t.time.backfill}
        </button>
      </footer>
    </Dialog>
  );
}
