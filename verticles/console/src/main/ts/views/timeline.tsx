import { duration, number, shortType, timeOfDay } from "../format";
import type { JournalEntry } from "../model";
import { Empty, Json, type Kind, Mark, Panel } from "../parts/basics";
import { t } from "../text";

interface Bar {
  key: string;
  name: string;
  type: string;
  from: number;
  until: number;
  kind: Kind;
}

const ENDS: Record<string, Kind> = { Completed: "ok", Faulted: "bad", Canceled: "off", Cancelled: "off" };

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
    const bar = bars.get(key);
    const end = ENDS[entry.eventName];
    if (!bar) {
      bars.set(key, {
        key,
        name: entry.activityName || entry.activityId,
        type: shortType(entry.activityType),
        from: at,
        until: end ? at : last,
        kind: end ?? open,
      });
    } else if (end) {
      bar.until = at;
      bar.kind = end;
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
      <Panel title={t.instance.waterfall} aside={duration(last - first)}>
        <ol class="waterfall">
          {bars.map((bar) => (
            <li key={bar.key}>
              <span class="who">
                <Mark kind={bar.kind} /> {bar.name} <small>{bar.type}</small>
              </span>
              <span class="lane">
                <span
                  class={"bar " + bar.kind}
                  style={{ left: percent(bar.from) + "%", width: `max(3px, ${percent(bar.until) - percent(bar.from)}%)` }}
                />
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
