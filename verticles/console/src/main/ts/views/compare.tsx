import { part, useResource } from "../api";
import { json, shortType } from "../format";
import type { Definition } from "../model";
import { Empty, Json, type Kind, Loading, Panel, ProblemBox, Status, Table } from "../parts/basics";
import { Diagram } from "../parts/diagram";
import { go, to, useLocation } from "../router";
import { t } from "../text";
import { type Difference, differenceOf } from "./difference";

const KINDS: Record<"added" | "removed" | "changed", Kind> = { added: "ok", changed: "waits", removed: "bad" };

const LEGEND: [Kind, string][] = [
  ["ok", t.compare.kinds.added],
  ["waits", t.compare.kinds.changed],
];

/** What differs between a version and another one, by default the one before it. */
export function CompareTab({ definition, versions }: { definition: Definition; versions: Definition[] }) {
  const { query } = useLocation();
  const others = versions.filter((one) => one.version !== definition.version);
  const given = others.find((one) => String(one.version) === query.get("with"));
  const other = given ?? others.filter((one) => one.version < definition.version).sort((one, two) => two.version - one.version)[0] ?? others[0];
  const found = useResource<Definition>(other ? "/workflow-definitions/by-id/" + part(other.id) : null, { format: "source" });
  if (!other) {
    return <Empty>{t.compare.oneVersion}</Empty>;
  }
  const choose = (version: string) =>
    go(to("definitions/" + part(definition.definitionId), { version: String(definition.version), tab: "compare", with: version }), true);
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>{t.compare.from}</span>
          <select value={other.version} onChange={(event) => choose(event.currentTarget.value)}>
            {others.map((one) => (
              <option value={one.version}>v{one.version}</option>
            ))}
          </select>
        </label>
        <span class="faint">
          {t.compare.to} v{definition.version}
        </span>
      </form>
      <ProblemBox problem={found.problem} retry={found.reload} />
      {found.data ? <Differences before={found.data} after={definition} /> : !found.problem && <Loading />}
    </>
  );
}

function Differences({ before, after }: { before: Definition; after: Definition }) {
  const { activities, connections, values } = differenceOf(before, after);
  if (activities.length + connections.length + values.length === 0) {
    return <Empty>{t.compare.equal}</Empty>;
  }
  const marks = new Map(activities.filter((one) => one.kind !== "removed").map((one) => [one.activity.id, KINDS[one.kind]]));
  return (
    <>
      {after.root && (
        <Panel class="flush">
          <Diagram root={after.root} marks={marks} legend={LEGEND} />
        </Panel>
      )}
      {activities.map((one) => (
        <Panel
          title={
            <>
              <Status status={t.compare.kinds[one.kind]} kind={KINDS[one.kind]} /> {one.activity.name || one.activity.id} <small>{shortType(one.activity.type)}</small>
            </>
          }
        >
          {one.values.length > 0 ? <Values label={one.activity.id} values={one.values} /> : <Json value={one.activity} label={one.activity.id} />}
        </Panel>
      ))}
      {connections.length > 0 && (
        <Panel title={t.compare.connections}>
          <Table
            label={t.compare.connections}
            rows={connections}
            columns={[
              { title: t.compare.kind, cell: (one) => <Status status={t.compare.kinds[one.kind]} kind={KINDS[one.kind]} /> },
              { title: t.compare.connection, class: "mono wide", cell: (one) => one.connection },
            ]}
          />
        </Panel>
      )}
      {values.length > 0 && (
        <Panel title={t.compare.rest}>
          <Values label={t.compare.rest} values={values} />
        </Panel>
      )}
    </>
  );
}

function Values({ label, values }: { label: string; values: Difference[] }) {
  const shown = (value: unknown, name: string) => (value === undefined ? <span class="faint">{t.history.absent}</span> : <Json value={json(value)} label={name} />);
  return (
    <Table
      label={label}
      rows={values}
      columns={[
        { title: t.compare.property, class: "mono", cell: (one) => one.path },
        { title: t.history.before, class: "wide", cell: (one) => shown(one.before, `${one.path}, ${t.history.before}`) },
        { title: t.history.after, class: "wide", cell: (one) => shown(one.after, `${one.path}, ${t.history.after}`) },
      ]}
    />
  );
}
