import type { ComponentChildren } from "preact";
import { part, useResource } from "../api";
import { json } from "../format";
import { useJournal } from "../journal";
import type { Definition, Instance, JournalEntry } from "../model";
import { Empty, Json, Loading, Panel, ProblemBox, Table, Time } from "../parts/basics";
import { Diagram } from "../parts/diagram";
import { go, to, useLocation } from "../router";
import { t } from "../text";
import { ForkButton } from "./fork";
import { type Burst, burstsOf, changesBetween, statsAt, variablesAt } from "./history";

/** The state as of each moment of the past, and what differs between two of them. */
export function HistoryTab({ instance }: { instance: Instance }) {
  const journal = useJournal(instance);
  const definition = useResource<Definition>("/workflow-definitions/by-id/" + part(instance.definitionVersionId), { format: "source" });
  if (!journal.data) {
    return journal.problem ? <ProblemBox problem={journal.problem} retry={journal.reload} /> : <Loading />;
  }
  const { items, totalCount } = journal.data;
  return items.length === 0 ? (
    <Empty>{t.instance.timelineEmpty}</Empty>
  ) : (
    <>
      <Moments instance={instance} entries={items} root={definition.data?.root} />
      {totalCount > items.length && <Empty>{t.instance.moreThan}</Empty>}
    </>
  );
}

function within(text: string | null, fallback: number, max: number): number {
  const given = Number.parseInt(text ?? "", 10);
  return Number.isNaN(given) ? fallback : Math.max(0, Math.min(given, max));
}

function Moments(props: { instance: Instance; entries: JournalEntry[]; root: Definition["root"] }) {
  const { instance, entries, root } = props;
  const { query } = useLocation();
  const bursts = burstsOf(entries);
  const at = Math.max(1, within(query.get("at"), entries.length, entries.length));
  const burst = bursts.findIndex((one) => at <= one.until);
  const since = within(query.get("since"), bursts[burst]?.from ?? 0, entries.length);
  const show = (moment: number, from?: number) =>
    go(to("instances/" + part(instance.id), { tab: "history", at: String(moment), since: from === undefined ? undefined : String(from) }), true);
  const entry = entries[at - 1];
  const last = entries[(bursts[burst]?.until ?? 0) - 1];
  return (
    <>
      <Panel title={`${t.history.entry} ${at} ${t.history.of} ${entries.length}`} aside={<Time at={entry?.timestamp} exact />}>
        <div class="moments">
          <button type="button" disabled={burst <= 0} onClick={() => show(bursts[burst - 1]?.until ?? 1)}>
            {t.history.burstBefore}
          </button>
          <input
            type="range"
            min="1"
            max={entries.length}
            value={at}
            aria-label={t.history.moment}
            aria-valuetext={`${t.history.entry} ${at}: ${entry?.eventName} ${entry?.activityId}`}
            onInput={(event) => show(Number(event.currentTarget.value))}
          />
          <button type="button" disabled={burst >= bursts.length - 1} onClick={() => show(bursts[burst + 1]?.until ?? entries.length)}>
            {t.history.burstAfter}
          </button>
        </div>
        <p>
          {t.history.burst} {burst + 1} {t.history.of} {bursts.length}: <strong>{entry?.eventName}</strong> <span>{entry?.activityName || entry?.activityId}</span> <span>{entry?.message}</span>
        </p>
        {last && burst < bursts.length - (instance.status === "Finished" && instance.subStatus !== "Faulted" ? 1 : 0) && (
          <div class="row-of">
            <ForkButton key={last.sequence} instance={instance} last={last} values={variablesAt(entries, bursts[burst]?.until ?? at)} />
          </div>
        )}
      </Panel>
      <div class="split">
        <Panel class="flush">{root ? <Diagram root={root} stats={statsAt(entries, at)} selected={entry?.activityId} /> : <Empty>{t.instance.noDefinition}</Empty>}</Panel>
        <Panel title={t.history.entryData} class="side">
          {entry?.activityState == null && entry?.payload == null ? (
            <Empty>{t.history.noData}</Empty>
          ) : (
            <>
              {entry.activityState != null && <Json value={entry.activityState} label={t.instance.input} />}
              {entry.payload != null && <Json value={entry.payload} label={t.instance.data} />}
            </>
          )}
        </Panel>
      </div>
      <Differences entries={entries} bursts={bursts} at={at} since={since} choose={(from) => show(at, from)} />
      <VariablesThen entries={entries} at={at} />
    </>
  );
}

function Differences(props: { entries: JournalEntry[]; bursts: Burst[]; at: number; since: number; choose: (from: number) => void }) {
  const { entries, bursts, at, since } = props;
  const changes = changesBetween(variablesAt(entries, since), variablesAt(entries, at));
  const moments: [number, ComponentChildren][] = [
    [0, t.history.beginning],
    ...bursts.slice(0, -1).map((one, index): [number, ComponentChildren] => [one.until, `${t.history.afterBurst} ${index + 1}`]),
  ];
  return (
    <Panel
      title={t.history.changes}
      aside={
        <label class="inline">
          {t.history.since}
          <select value={since} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
            {moments
              .filter(([moment]) => moment < at || moment === since)
              .map(([moment, label]) => (
                <option value={moment}>{label}</option>
              ))}
          </select>
        </label>
      }
    >
      {changes.length === 0 ? (
        <Empty>{t.history.noChanges}</Empty>
      ) : (
        <Table
          label={t.history.changes}
          rows={changes}
          columns={[
            { title: t.definitions.name, class: "mono", cell: (one) => one.name },
            { title: t.history.before, class: "wide", cell: (one) => (one.before === undefined ? <span class="faint">{t.history.absent}</span> : <Json value={json(one.before)} label={`${one.name}, ${t.history.before}`} />) },
            { title: t.history.after, class: "wide", cell: (one) => <Json value={json(one.after)} label={`${one.name}, ${t.history.after}`} /> },
          ]}
        />
      )}
    </Panel>
  );
}

function VariablesThen({ entries, at }: { entries: JournalEntry[]; at: number }) {
  const values = variablesAt(entries, at);
  return (
    <Panel title={t.history.variables}>
      {values.length === 0 ? (
        <Empty>{t.history.noVariables}</Empty>
      ) : (
        <Table
          label={t.history.variables}
          rows={values}
          columns={[
            { title: t.definitions.name, class: "mono", cell: (one) => one.name },
            { title: t.instance.value, class: "wide", cell: (one) => <Json value={json(one.value)} label={one.name} /> },
            { title: t.history.setBy, cell: (one) => entries[one.setBy]?.activityName || entries[one.setBy]?.activityId },
            { title: t.instance.time, class: "time", cell: (one) => <Time at={entries[one.setBy]?.timestamp} /> },
          ]}
        />
      )}
    </Panel>
  );
}
