import { part, useResource } from "../api";
import { duration, number } from "../format";
import type { Page } from "../model";
import { Empty, Panel, ProblemBox, Table, Time } from "../parts/basics";
import { to } from "../router";
import { t } from "../text";

interface Lock {
  key: string;
  kind: string;
  node: string;
  since: string;
  expiresInMs: number;
  token: number;
}

interface Silent {
  node: string;
  detail: string;
}

interface WaitingCommands {
  workflowInstanceId: string;
  node: string;
  commands: number;
  reason: "lock" | "commands";
  since: string;
}

const OF_INSTANCE = "workflow:";

function InstanceLink({ id }: { id: string }) {
  return <a href={to("instances/" + part(id))}>{id}</a>;
}

/** Nodes of which nothing is known. */
function Unreachable({ nodes }: { nodes: Silent[] | undefined }) {
  return nodes?.length ? <p class="text-bad">{nodes.map((one) => one.detail).join(" ")}</p> : null;
}

/** The locks that are held now; of instances with what leads there. */
export function Locks() {
  const locks = useResource<Page<Lock> & { provider: string; unreachable: Silent[] }>("/locks");
  const { items = [], totalCount = 0 } = locks.data ?? {};
  return (
    <Panel
      title={t.cluster.locks}
      aside={
        <>
          {locks.data && `${t.cluster.provider}: ${locks.data.provider}`}
          <button type="button" onClick={locks.reload} aria-label={`${t.cluster.refresh}: ${t.cluster.locks}`}>
            {t.cluster.refresh}
          </button>
        </>
      }
    >
      <ProblemBox problem={locks.problem} retry={locks.reload} />
      <Unreachable nodes={locks.data?.unreachable} />
      {items.length ? (
        <Table
          label={t.cluster.locks}
          rows={items}
          columns={[
            { title: t.cluster.key, class: "mono", cell: (one) => (one.key.startsWith(OF_INSTANCE) ? <InstanceLink id={one.key.slice(OF_INSTANCE.length)} /> : one.key) },
            { title: t.cluster.kind, cell: (one) => one.kind },
            { title: t.cluster.node, cell: (one) => one.node },
            { title: t.cluster.since, class: "time", cell: (one) => <Time at={one.since} /> },
            { title: t.cluster.expires, class: "num", cell: (one) => duration(one.expiresInMs) },
            { title: t.cluster.token, class: "num", cell: (one) => number(one.token) },
          ]}
        />
      ) : (
        <Empty>{t.cluster.noLocks}</Empty>
      )}
      {totalCount > items.length && <p class="faint">{t.cluster.firstOf(number(items.length), number(totalCount))}</p>}
    </Panel>
  );
}

/** The instances with the most commands that wait for their turn. */
export function Waiting() {
  const waiting = useResource<Page<WaitingCommands> & { unreachable: Silent[] }>("/locks/waiting");
  return (
    <Panel
      title={t.cluster.waiting}
      aside={
        <button type="button" onClick={waiting.reload} aria-label={`${t.cluster.refresh}: ${t.cluster.waiting}`}>
          {t.cluster.refresh}
        </button>
      }
    >
      <ProblemBox problem={waiting.problem} retry={waiting.reload} />
      <Unreachable nodes={waiting.data?.unreachable} />
      {waiting.data?.items.length ? (
        <Table
          label={t.cluster.waiting}
          rows={waiting.data.items}
          columns={[
            { title: t.cluster.instance, class: "mono", cell: (one) => <InstanceLink id={one.workflowInstanceId} /> },
            { title: t.cluster.node, cell: (one) => one.node },
            { title: t.cluster.commands, class: "num", cell: (one) => number(one.commands) },
            { title: t.cluster.reason, cell: (one) => t.cluster.reasons[one.reason] },
            { title: t.cluster.oldestSince, class: "time", cell: (one) => <Time at={one.since} /> },
          ]}
        />
      ) : (
        waiting.data && <Empty>{t.cluster.noWaiting}</Empty>
      )}
    </Panel>
  );
}
