import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { part, post, useAction, useResource } from "../api";
import { bytes, duration, number, percent } from "../format";
import { useLive } from "../live";
import type { ClusterNode, InFlight, NodeLoad, Page, Partitions, Scheduler } from "../model";
import { type Column, Empty, Head, LiveMark, Loading, Panel, ProblemBox, Status, Table, Time } from "../parts/basics";
import { Acting, Allowed, Confirmed, Dialog } from "../parts/dialog";
import { to } from "../router";
import { t } from "../text";
import { KillButton } from "./kill";
import { Locks, Waiting } from "./locks";
import { Owners } from "./owners";
import { PauseClusterButton } from "./paused";

interface Cluster {
  nodes: ClusterNode[];
  scheduler?: Scheduler;
  partitions?: Partitions;
}

interface Levels {
  items: { node: string; levels: { logger: string; level: string }[] }[];
}

interface Violation {
  invariant: string;
  subjectId: string;
  detail: string;
  foundAt: string;
}

interface Pass {
  pending: boolean;
  finishedAt: string | null;
}

const SCAN_LOOK_MS = 1_000;
const MANAGE = "ManageWorkflowRuntime";

/** An event loop that is later than this makes everything on it wait. */
const LAG_HIGH_MS = 200;

const HIGH = 0.9;

function Part({ used, text, label }: { used: number; text: string; label: string }) {
  return (
    <span class={used > HIGH ? "text-bad" : ""}>
      <meter min={0} max={1} high={HIGH} value={used} aria-label={label} /> {text}
    </span>
  );
}

function Flights({ node }: { node: ClusterNode }) {
  const given = node.inFlight;
  return given ? <span title={inFlightText(given)}>{number(given.requests + given.commands + given.work)}</span> : <span class="faint">–</span>;
}

export function inFlightText(given: InFlight): string {
  return t.cluster.inFlightKinds(number(given.requests), number(given.commands), number(given.work));
}

/** What a process uses of its machine; nothing of a node that does not answer. */
function loadColumns(): Column<ClusterNode>[] {
  const of = (cell: (load: NodeLoad, node: ClusterNode) => ComponentChildren) => (node: ClusterNode) => (node.load ? cell(node.load, node) : <span class="faint">–</span>);
  return [
    {
      title: t.cluster.cpu,
      class: "num",
      cell: of((load, node) => (load.cpu === null ? "–" : <Part used={load.cpu} text={percent(load.cpu)} label={`${t.cluster.cpu} ${node.name}`} />)),
    },
    {
      title: t.cluster.memory,
      class: "num",
      cell: of((load, node) => (
        <Part used={load.heapUsedBytes / load.heapMaxBytes} text={`${bytes(load.heapUsedBytes)} / ${bytes(load.heapMaxBytes)}`} label={`${t.cluster.memory} ${node.name}`} />
      )),
    },
    {
      title: t.cluster.loopLag,
      class: "num",
      cell: of((load) => <span class={load.eventLoopLagMs > LAG_HIGH_MS ? "text-bad" : ""}>{duration(load.eventLoopLagMs)}</span>),
    },
  ];
}

export function ClusterView() {
  const first = useResource<Cluster>("/cluster");
  const scheduler = useResource<Scheduler>("/scheduler");
  const partitions = useResource<Partitions>("/cluster/partitions");
  const [pushed, setPushed] = useState<Cluster>();
  const live = useLive<Cluster>({ topic: "cluster" }, setPushed);
  const nodes = (pushed ?? first.data)?.nodes;
  const shards = pushed?.scheduler ?? scheduler.data;
  const owners = pushed?.partitions ?? partitions.data;
  return (
    <>
      <Head title={t.cluster.title}>
        <LiveMark state={live} />
        <PauseClusterButton />
      </Head>
      <ProblemBox problem={first.problem} retry={first.reload} />
      {nodes ? <Nodes nodes={nodes} reload={first.reload} /> : !first.problem && <Loading />}
      <Panel title={t.cluster.partitions} aside={owners && number(owners.count)}>
        {owners && owners.count > 0 ? <Owners owners={owners} nodes={nodes ?? []} /> : <Empty>{t.cluster.noPartitions}</Empty>}
      </Panel>
      {shards && (
        <Panel title={t.cluster.shards} aside={`${t.cluster.lag} ${duration(shards.lagMs)}`}>
          <Table
            label={t.cluster.shards}
            rows={shards.leaders}
            columns={[
              { title: t.cluster.shard, cell: (one) => one.shard },
              { title: t.cluster.leader, cell: (one) => one.node ?? <Status status={t.common.none} kind="bad" /> },
              { title: t.cluster.epoch, class: "num", cell: (one) => number(one.epoch) },
              { title: t.cluster.heartbeat, class: "num", cell: (one) => (one.heartbeatAgeMs === null ? "–" : duration(one.heartbeatAgeMs)) },
              { title: t.cluster.expires, class: "num", cell: (one) => (one.expiresInMs === null ? "–" : duration(one.expiresInMs)) },
              { title: t.cluster.lag, class: "num", cell: (one) => duration(one.lagMs) },
            ]}
          />
        </Panel>
      )}
      <Invariants />
      <Locks />
      <Waiting />
      <LogLevels />
    </>
  );
}

function Nodes({ nodes, reload }: { nodes: ClusterNode[]; reload: () => void }) {
  const self = useResource<ClusterNode>("/cluster/nodes/self");
  return (
    <Panel title={t.cluster.nodes}>
      <Table
        label={t.cluster.nodes}
        rows={nodes}
        id={(one) => one.id}
        columns={[
          {
            title: t.cluster.name,
            cell: (one) => <a href={to("cluster/" + part(one.id))}>{one.name}</a>,
          },
          { title: t.cluster.phase, cell: (one) => <Status status={one.phase} kind={one.ready ? "ok" : one.phase === "UNREACHABLE" ? "bad" : "waits"} /> },
          { title: t.cluster.version, cell: (one) => String(one.version ?? "–") },
          { title: t.cluster.owned, class: "num", cell: (one) => number(one.partitions as number | undefined) },
          { title: t.cluster.shards, class: "num", cell: (one) => ((one.shards as number[] | undefined) ?? []).join(", ") || "–" },
          { title: t.cluster.inFlight, class: "num", cell: (one) => <Flights node={one} /> },
          ...loadColumns(),
          {
            title: t.common.actions,
            class: "act",
            cell: (one) => {
              const path = `/cluster/nodes/${part(one.id)}`;
              return (
                <>
                  {one.phase === "PAUSED" || one.phase === "DRAINED" ? (
                    <Acting label={t.cluster.resume} needs={MANAGE} work={() => post(path + "/resume")} done={reload} />
                  ) : (
                    <Confirmed label={t.cluster.pause} question={t.cluster.confirmPause} needs={MANAGE} work={() => post(path + "/pause")} done={reload} />
                  )}
                  <Confirmed label={t.cluster.drain} question={t.cluster.confirmDrain} needs={MANAGE} danger work={() => post(path + "/drain")} done={reload} />
                  {one.tour === true && one.ready && self.data && one.name !== self.data.name && <KillButton node={one} done={reload} />}
                </>
              );
            },
          },
        ]}
      />
    </Panel>
  );
}

/** Violations that the scanner found and that are not repaired; a pass repairs what it can. */
function Invariants() {
  const found = useResource<Page<Violation> & { scan: Pass }>("/invariants");
  const scan = found.data?.scan;
  useEffect(() => {
    const timer = scan?.pending ? window.setTimeout(found.reload, SCAN_LOOK_MS) : 0;
    return () => window.clearTimeout(timer);
  }, [found.data]);
  return (
    <Panel
      title={t.cluster.invariants}
      aside={
        <div class="aside">
          {scan?.pending && <span role="status">{t.cluster.scanning}</span>}
          {scan && !scan.pending && (
            <span>
              {t.cluster.scanned} <Time at={scan.finishedAt} />
            </span>
          )}
          <Acting label={t.cluster.scan} needs={MANAGE} work={() => post("/invariants/scan")} done={found.reload} />
        </div>
      }
    >
      <ProblemBox problem={found.problem} retry={found.reload} />
      {found.data?.items.length ? (
        <Table
          label={t.cluster.invariants}
          rows={found.data.items}
          columns={[
            { title: t.cluster.invariant, class: "mono", cell: (one) => one.invariant },
            { title: t.cluster.subject, class: "mono", cell: (one) => one.subjectId },
            { title: t.cluster.detail, class: "wide", cell: (one) => one.detail },
            { title: t.cluster.foundAt, class: "time", cell: (one) => <Time at={one.foundAt} /> },
          ]}
        />
      ) : (
        found.data && <Empty>{t.cluster.noViolations}</Empty>
      )}
    </Panel>
  );
}

function LogLevels() {
  const found = useResource<Levels>("/log-levels");
  const [open, setOpen] = useState(false);
  const rows = (found.data?.items ?? []).flatMap((one) => one.levels.map((level) => ({ node: one.node, ...level })));
  return (
    <Panel
      title={t.cluster.levels}
      aside={
        <Allowed needs={MANAGE}>
          <button type="button" onClick={() => setOpen(true)}>
            {t.cluster.set}…
          </button>
        </Allowed>
      }
    >
      <ProblemBox problem={found.problem} retry={found.reload} />
      <Table
        label={t.cluster.levels}
        rows={rows}
        columns={[
          { title: t.cluster.node, cell: (one) => one.node },
          { title: t.cluster.logger, class: "mono wide", cell: (one) => one.logger },
          { title: t.cluster.level, cell: (one) => one.level },
        ]}
      />
      {open && (
        <SetLevel
          close={() => setOpen(false)}
          done={() => {
            setOpen(false);
            found.reload();
          }}
        />
      )}
    </Panel>
  );
}

function SetLevel({ close, done }: { close: () => void; done: () => void }) {
  const [logger, setLogger] = useState("skein");
  const [level, setLevel] = useState("DEBUG");
  const [seconds, setSeconds] = useState("300");
  const action = useAction();
  return (
    <Dialog title={t.cluster.setTitle} close={close}>
      <label class="field">
        <span>{t.cluster.logger}</span>
        <input value={logger} onInput={(event) => setLogger(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>{t.cluster.level}</span>
        <select value={level} onChange={(event) => setLevel(event.currentTarget.value)}>
          {["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"].map((one) => (
            <option>{one}</option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t.cluster.forSeconds}</span>
        <input type="number" min={1} value={seconds} onInput={(event) => setSeconds(event.currentTarget.value)} />
      </label>
      <ProblemBox problem={action.problem} />
      <footer>
        <button
          type="button"
          class="strong"
          disabled={action.busy}
          onClick={async () => {
            if (await action.run(() => post("/log-levels", { logger, level, ...(seconds ? { seconds: Number(seconds) } : {}) }))) {
              done();
            }
          }}
        >
          {t.cluster.set}
        </button>
      </footer>
    </Dialog>
  );
}
