import { duration, number, shortType, timeOfDay } from "../format";
import type { JournalEntry } from "../model";
import { Empty, Json, type Kind, Mark, Panel } from "../parts/basics";
import { t } from "../text";

/** What an execution of an activity did between two entries of the journal. */
type Doing = keyof typeof t.instance.legend;

interface Stretch {
  from: number;
  until: number;
  doing: Doing;
}

interface Bar {
  key: string;
  name: string;
  type: string;
  from: number;
  until: number;
  kind: Kind;
  stretches: Stretch[];
  /** 1, and one more for each time that it was tried again. */
  attempts: number;
}

const ENDS: Record<string, Kind> = { Completed: "ok", Faulted: "bad", Canceled: "off", Cancelled: "off" };

/** Activities whose work is done outside of a burst: they do not wait for a person. */
const OUTSIDE = /(HttpRequest|HttpFile|SendEmail|Sql\w*|Job)$/i;

/** What an execution does after an entry, until its next one. */
function doingAfter(entry: JournalEntry): Doing {
  switch (entry.eventName) {
    case "Suspended":
      return OUTSIDE.test(entry.activityType) ? "outside" : "waits";
    case "Retrying":
      return "retry";
    default:
      return "runs";
  }
}

/** One bar for each execution of an activity; what has not ended reaches to the last entry. */
function barsOf(entries: JournalEntry[], open: Kind): Bar[] {
  const last = Math.max(...entries.map((entry) => Date.parse(entry.timestamp)));
  const bars = new Map<string, Bar>();
  for (const entry of entries) {
    const key = entry.activityInstanceId;
    if (!key) {
      continue;
    }
    const at = Date.parse(entry.timestamp);
    const end = ENDS[entry.eventName];
    const bar: Bar = bars.get(key) ?? {
      key,
      name: entry.activityName || entry.activityId,
      type: shortType(entry.activityType),
      from: at,
      until: last,
      kind: open,
      stretches: [],
      attempts: 1,
    };
    bars.set(key, bar);
    const before = bar.stretches.at(-1);
    if (before) {
      before.until = at;
    }
    bar.attempts += entry.eventName === "Retrying" ? 1 : 0;
    bar.kind = end ?? open;
    bar.until = end ? at : last;
    if (!end) {
      bar.stretches.push({ from: at, until: last, doing: doingAfter(entry) });
    }
  }
  return [...bars.values()];
}

function kindOf(event: string): Kind {
  return ENDS[event] ?? (event === "Suspended" ? "waits" : event === "Started" ? "runs" : "none");
}

export function Timeline({ entries, total, over }: { entries: JournalEntry[]; total: number; over: boolean }) {
  if (entries.length === 0) {
    return <Empty>{t.instance.timelineEmpty}</Empty>;
  }
  const bars = barsOf(entries, over ? "off" : "waits");
  const first = Date.parse(entries[0]?.timestamp ?? "");
  const last = Math.max(...bars.map((bar) => bar.until), first + 1);
  const percent = (at: number) => ((at - first) / (last - first)) * 100;
  return (
    <>
      <Panel
        title={t.instance.waterfall}
        aside={
          <>
            {(Object.keys(t.instance.legend) as Doing[]).map((doing) => (
              <span class="key">
                <i class={"stretch " + doing} aria-hidden="true" /> {t.instance.legend[doing]}
              </span>
            ))}
            {duration(last - first)}
          </>
        }
      >
        <ol class="waterfall">
          {bars.map((bar) => (
            <li key={bar.key}>
              <span class="who">
                <Mark kind={bar.kind} /> {bar.name} <small>{bar.type}</small>
                {bar.attempts > 1 && <small class="text-waits"> {t.instance.attempt(number(bar.attempts))}</small>}
              </span>
              <span class="lane">
                <span class={"bar " + bar.kind} style={{ left: percent(bar.from) + "%", width: `max(3px, ${percent(bar.until) - percent(bar.from)}%)` }} />
                {bar.stretches
                  .filter((one) => one.until > one.from)
                  .map((one) => (
                    <span
                      class={"stretch " + one.doing}
                      title={`${t.instance.legend[one.doing]}: ${duration(one.until - one.from)}`}
                      style={{ left: percent(one.from) + "%", width: `${percent(one.until) - percent(one.from)}%` }}
                    />
                  ))}
              </span>
              <span class="num">{duration(bar.until - bar.from)}</span>
            </li>
          ))}
        </ol>
      </Panel>
      <Panel title={t.instance.tabs.timeline} aside={number(total)}>
        <div class="scroll" tabIndex={0} role="region" aria-label={t.instance.tabs.timeline}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.instance.time}</th>
                <th scope="col" class="num">
                  {t.instance.burst}
                </th>
                <th scope="col">{t.instance.event}</th>
                <th scope="col">{t.instance.activity}</th>
                <th scope="col">{t.instance.message}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry, index) => (
                <tr key={entry.id}>
                  <td class="mono" title={entry.timestamp}>
                    {timeOfDay(new Date(entry.timestamp))}
                  </td>
                  <td class="num faint">{since(entries[index - 1], entry)}</td>
                  <td>
                    <span class={"status " + kindOf(entry.eventName)}>
                      <Mark kind={kindOf(entry.eventName)} />
                      {entry.eventName}
                    </span>
                  </td>
                  <td>
                    {entry.activityName || entry.activityId} <small class="faint">{shortType(entry.activityType)}</small>
                  </td>
                  <td class="wrap">
                    {entry.message}
                    {(entry.payload != null || entry.activityState != null) && (
                      <details>
                        <summary>{t.instance.data}</summary>
                        <Json value={{ state: entry.activityState, payload: entry.payload }} label={t.instance.data} />
                      </details>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {total > entries.length && <Empty>{t.instance.moreThan}</Empty>}
      </Panel>
    </>
  );
}

function since(before: JournalEntry | undefined, entry: JournalEntry): string {
  const ms = before ? Date.parse(entry.timestamp) - Date.parse(before.timestamp) : 0;
  return ms > 0 ? "+" + duration(ms) : "";
}
