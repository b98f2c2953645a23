import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { part, post, useResource } from "../api";
import { number } from "../format";
import { useLive } from "../live";
import type { ClusterNode, Instance, InstanceSummary } from "../model";
import { Mark, Panel, ProblemBox, Status } from "../parts/basics";
import { Acting } from "../parts/dialog";
import { to } from "../router";
import { may } from "../session";
import { t } from "../text";
import { KillButton } from "./kill";

const KEY = "skein.tour";
const DEFINITION = "ApprovalWorkflow";

/** How far a visitor is; kept by this browser. */
interface Progress {
  instance?: string;
  killed?: string;
  over?: boolean;
}

function kept(): Progress {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") as Progress | null) ?? {};
  } catch {
    return {};
  }
}

interface Nodes {
  nodes: ClusterNode[];
}

/** A node that can be killed without this page losing its server. */
export function victimOf(nodes: ClusterNode[], serving: string | undefined): ClusterNode | undefined {
  return serving === undefined ? undefined : nodes.find((one) => one.ready && one.tour === true && one.name !== serving);
}

/** Shows in three minutes what a cluster does, where `console.tour` is set. */
export function Tour() {
  const [progress, setProgress] = useState(kept);
  const cluster = useResource<Nodes>(progress.over ? null : "/cluster");
  const [pushed, setPushed] = useState<Nodes>();
  const offered = !progress.over && may("exec:workflow-definitions") && (cluster.data?.nodes.some((one) => one.tour === true) ?? false);
  useLive<Nodes>(offered ? { topic: "cluster" } : null, setPushed);
  const nodes = (pushed ?? cluster.data)?.nodes ?? [];
  const set = (change: Progress) => {
    const next = { ...progress, ...change };
    setProgress(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // it lasts as long as this page
    }
  };
  return offered ? <Steps progress={progress} set={set} nodes={nodes} /> : null;
}

function Steps({ progress, set, nodes }: { progress: Progress; set: (change: Progress) => void; nodes: ClusterNode[] }) {
  const self = useResource<ClusterNode>("/cluster/nodes/self");
  const path = progress.instance === undefined ? null : "/workflow-instances/" + part(progress.instance);
  const found = useResource<Instance>(path);
  const live = progress.instance === undefined ? null : { topic: "instance", id: progress.instance };
  useLive<InstanceSummary>(live, found.reload);
  useEffect(() => {
    if (found.problem?.status === 404) {
      set({ instance: undefined }); // of another database
    }
  }, [found.problem]);
  const instance = found.data;
  const finished = instance?.status === "Finished";
  const waits = instance !== undefined && (finished || instance.workflowState.bookmarks.length > 0);
  const victim = victimOf(nodes, self.data?.name);
  const moved = progress.killed !== undefined && nodes.length > 0 && nodes.every((one) => one.name !== progress.killed || !one.ready);
  const start = async () => {
    const made = await post<{ id: string }>("/workflow-instances", { definitionId: DEFINITION, input: { Subject: t.tour.subject } });
    set({ instance: made.id });
  };
  return (
    <Panel
      title={t.tour.title}
      class="tour"
      aside={
        <button type="button" class="quiet" onClick={() => set({ over: true })}>
          {t.tour.end}
        </button>
      }
    >
      <ol>
        <Step done={progress.instance !== undefined} title={t.tour.start} says={t.tour.startSays}>
          {progress.instance === undefined && <Acting label={t.tour.startGo} needs="exec:workflow-definitions" class="strong" work={start} />}
        </Step>
        <Step done={waits} title={t.tour.wait} says={t.tour.waitSays}>
          {instance && (
            <>
              <Status status={instance.subStatus} /> <a href={to("instances/" + part(instance.id))}>{t.tour.look}</a>
            </>
          )}
          <ProblemBox problem={found.problem} retry={found.reload} />
        </Step>
        <Step done={finished} title={t.tour.resume} says={t.tour.resumeSays}>
          {waits && !finished && (
            <Acting label={t.instance.resume} needs="resume:workflow-instances" class="strong" work={() => post(path + "/resume", { input: { by: t.tour.title } })} done={found.reload} />
          )}
        </Step>
        <Step done={progress.killed !== undefined} title={t.tour.crash} says={nodes.length > 1 || progress.killed !== undefined ? t.tour.crashSays : t.tour.alone}>
          {finished && progress.killed === undefined && victim && <KillButton node={victim} done={() => set({ killed: victim.name })} />}
        </Step>
        <Step done={moved} title={t.tour.move} says={t.tour.moveSays}>
          {progress.killed !== undefined && (
            <>
              {nodes.map((one) => `${one.name}: ${number((one.partitions as number | undefined) ?? 0)}`).join(", ")} <a href={to("cluster")}>{t.tour.map}</a>
            </>
          )}
        </Step>
      </ol>
    </Panel>
  );
}

function Step(props: { done: boolean; title: string; says: string; children?: ComponentChildren }) {
  return (
    <li class={props.done ? "done" : ""}>
      <h3>
        {props.done && <Mark kind="ok" />}
        {props.title}
        {props.done && <span class="unseen"> {t.tour.done}</span>}
      </h3>
      <p>{props.says}</p>
      <div class="row-of">{props.children}</div>
    </li>
  );
}
