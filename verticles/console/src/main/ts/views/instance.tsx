import { useEffect, useState } from "preact/hooks";
import { part, post, useResource } from "../api";
import { download } from "../files";
import { duration, shortType } from "../format";
import { useJournal } from "../journal";
import { useLive } from "../live";
import type { Activity, ActivityStats, Definition, Instance, InstanceSummary, Note, Page } from "../model";
import { Copy, Empty, Head, Json, LiveMark, Loading, Panel, ProblemBox, Status, Tabs, Time } from "../parts/basics";
import { Acting, Confirmed } from "../parts/dialog";
import { Diagram } from "../parts/diagram";
import { to, useLocation } from "../router";
import { may } from "../session";
import { t } from "../text";
import { ActivityActions, MigrateButton } from "./alter";
import { AuditTab } from "./audit";
import { BundleButton } from "./bundle";
import { canOpen } from "./containers";
import { CopyButton } from "./copy";
import { Family } from "./family";
import { useInside } from "./inside";
import { Incidents, Variables, Waits } from "./instanceTabs";
import { ResumeButton } from "./resume";
import { openExecutions, outcomesOf, SkipButton } from "./skip";
import { HistoryTab } from "./historyTab";
import { Notes } from "./notes";
import { DeleteButton } from "./remove";
import { Timeline } from "./timeline";

type Tab = keyof typeof t.instance.tabs;

/** Those that the user may see. */
function tabs(): Record<Tab, string> {
  const { audit, ...others } = t.instance.tabs;
  return (may("read:audit") ? t.instance.tabs : others) as Record<Tab, string>;
}

export function InstanceView({ id }: { id: string }) {
  const { query } = useLocation();
  const tab = ((query.get("tab") as Tab | null) ?? "diagram") in t.instance.tabs ? ((query.get("tab") as Tab | null) ?? "diagram") : "diagram";
  const path = "/workflow-instances/" + part(id);
  const found = useResource<Instance>(path);
  const instance = found.data;
  const notes = useResource<Page<Note>>(path + "/notes");
  const [changed, setChanged] = useState("");
  const live = useLive<InstanceSummary>({ topic: "instance", id }, (state) => setChanged(state.updatedAt));
  useEffect(() => {
    if (changed && instance && changed !== instance.updatedAt) {
      found.reload();
    }
  }, [changed, instance?.updatedAt]); // also when what was asked for before the change is answered after it
  if (!instance) {
    return (
      <>
        <Head title={id} />
        {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : <Loading />}
      </>
    );
  }
  const finished = instance.status === "Finished";
  const faulted = instance.incidentCount > 0;
  const state = instance.workflowState;
  return (
    <>
      <nav class="crumbs" aria-label={t.instances.title}>
        <a href={to("instances")}>{t.instances.title}</a>
        <a href={to("instances", { definition: instance.definitionId })}>{instance.definitionId}</a>
      </nav>
      <Head
        title={instance.name || instance.correlationId || instance.id}
        sub={
          <>
            <Status status={instance.subStatus} /> <Why instance={instance} />
          </>
        }
      >
        <LiveMark state={live} />
        {state.bookmarks.length > 0 && <ResumeButton id={id} done={found.reload} />}
        {faulted && <Acting label={t.instance.retry} needs="run:alterations" class="strong" work={() => post(path + "/retry")} done={found.reload} />}
        {!finished && <MigrateButton instance={instance} done={found.reload} />}
        {!finished && <Confirmed label={t.instance.cancel} question={t.instance.confirmCancel} go={t.instance.goCancel} needs="cancel:workflow-instances" danger work={() => post(path + "/cancel")} done={found.reload} />}
        <CopyButton instance={instance} />
        <Acting label={t.instance.export} needs="read:workflow-instances" work={() => download(path + "/export", `workflow-instance-${id}.json`)} />
        <BundleButton instance={instance} />
        <DeleteButton instance={instance} />
      </Head>
      <Facts instance={instance} />
      <ProblemBox problem={found.problem} retry={found.reload} />
      <Tabs
        names={tabs()}
        counts={{ waits: state.bookmarks.length, incidents: state.incidents.length, notes: notes.data?.totalCount ?? 0 }}
        selected={tab}
        href={(name) => to("instances/" + part(id), { tab: name === "diagram" ? undefined : name })}
      />
      {tab === "notes" ? <Notes instanceId={id} notes={notes} /> : <TabContent tab={tab} instance={instance} reload={found.reload} />}
    </>
  );
}

/** In one line, why it stands where it stands. */
function Why({ instance }: { instance: Instance }) {
  const { bookmarks, incidents } = instance.workflowState;
  const places = instance.incidentCount > 0 ? incidents.map((one) => `${one.activityId}: ${one.message}`) : bookmarks.map((one) => `${one.activityId} (${shortType(one.name)})`);
  if (places.length === 0) {
    return null;
  }
  const word = instance.incidentCount > 0 ? t.instance.why.Faulted : t.instance.why[instance.subStatus];
  return (
    <span>
      {word} <strong>{places[0]}</strong>
      {places.length > 1 && ` + ${places.length - 1}`}
    </span>
  );
}

function Facts({ instance }: { instance: Instance }) {
  const end = instance.finishedAt ?? instance.updatedAt;
  return (
    <dl class="facts">
      <div>
        <dt>{t.instances.id}</dt>
        <dd class="mono">
          {instance.id} <Copy text={instance.id} />
        </dd>
      </div>
      <div>
        <dt>{t.instances.definition}</dt>
        <dd>
          <a href={to("definitions/" + part(instance.definitionId), { version: String(instance.version) })}>
            {instance.definitionId} v{instance.version}
          </a>
        </dd>
      </div>
      {instance.correlationId && (
        <div>
          <dt>{t.instance.correlation}</dt>
          <dd>
            <a href={to("instances", { correlation: instance.correlationId })}>{instance.correlationId}</a>
          </dd>
        </div>
      )}
      {instance.parentWorkflowInstanceId && (
        <div>
          <dt>{t.instance.parent}</dt>
          <dd>
            <a href={to("instances/" + part(instance.parentWorkflowInstanceId))}>{instance.parentWorkflowInstanceId}</a>
          </dd>
        </div>
      )}
      <div>
        <dt>{t.instance.started}</dt>
        <dd>
          <Time at={instance.createdAt} />
        </dd>
      </div>
      <div>
        <dt>{instance.finishedAt ? t.instance.ended : t.instance.changed}</dt>
        <dd>
          <Time at={end} />
        </dd>
      </div>
      {instance.finishedAt && (
        <div>
          <dt>{t.instance.took}</dt>
          <dd>{duration(Date.parse(instance.finishedAt) - Date.parse(instance.createdAt))}</dd>
        </div>
      )}
      <div>
        <dt>{t.instance.revision}</dt>
        <dd>{instance.revision}</dd>
      </div>
    </dl>
  );
}

function TabContent({ tab, instance, reload }: { tab: Exclude<Tab, "notes">; instance: Instance; reload: () => void }) {
  switch (tab) {
    case "diagram":
      return <DiagramTab instance={instance} reload={reload} />;
    case "timeline":
      return <TimelineTab instance={instance} />;
    case "history":
      return <HistoryTab instance={instance} />;
    case "variables":
      return <Variables instance={instance} reload={reload} />;
    case "waits":
      return <Waits instance={instance} reload={reload} />;
    case "incidents":
      return <Incidents instance={instance} reload={reload} />;
    case "family":
      return <Family instance={instance} />;
    case "audit":
      return <AuditTab instanceId={instance.id} />;
    case "json":
      return <Json value={instance} />;
  }
}

/** How often each activity began and ended, as the server counts it. */
function useStats(instance: Instance): ActivityStats[] | undefined {
  const [stats, setStats] = useState<ActivityStats[]>();
  useEffect(() => {
    let gone = false;
    post<{ stats: ActivityStats[] }>("/activity-executions/report", { workflowInstanceId: instance.id })
      .then((answer) => gone || setStats(answer.stats))
      .catch(() => gone || setStats([]));
    return () => {
      gone = true;
    };
  }, [instance.id, instance.updatedAt]);
  return stats;
}

/** One that waits, also for others inside, or is faulted; an instance that has faulted goes on by that. */
function mayBeSkipped(instance: Instance, activityId: string, runs: boolean): boolean {
  const faulted = instance.workflowState.incidents.some((one) => one.activityId === activityId);
  const over = instance.status === "Finished" && instance.subStatus !== "Faulted";
  return !over && (faulted || runs);
}

function DiagramTab({ instance, reload }: { instance: Instance; reload: () => void }) {
  const definition = useResource<Definition>("/workflow-definitions/by-id/" + part(instance.definitionVersionId), { format: "source" });
  const stats = useStats(instance);
  const root = definition.data?.root;
  if (definition.problem) {
    return definition.problem.status === 404 ? <Empty>{t.instance.noDefinition}</Empty> : <ProblemBox problem={definition.problem} retry={definition.reload} />;
  }
  return root && stats ? <InstanceDiagram instance={instance} root={root} stats={stats} reload={reload} /> : <Loading />;
}

function InstanceDiagram({ instance, root, stats, reload }: { instance: Instance; root: Activity; stats: ActivityStats[]; reload: () => void }) {
  const journal = useJournal(instance);
  const inside = useInside(instance, root, stats);
  const [selected, setSelected] = useState<string>();
  const entries = (journal.data?.items ?? []).filter((one) => one.activityId === selected && inside.includes(one));
  const runs = inside.stats.some((one) => one.activityId === selected && one.uncompletedCount > 0);
  const skippable = openExecutions(instance, entries);
  const opening = { can: (activity: Activity) => activity.id !== inside.opened && activity !== root && canOpen(activity), open: inside.open };
  return (
    <div class="split">
      <Panel class="flush">
        {inside.bar && <div class="inside">{inside.bar}</div>}
        <Diagram root={inside.root} stats={inside.stats} selected={selected} select={(activity) => setSelected(activity.id)} opening={opening} />
      </Panel>
      <Panel title={selected ?? t.instance.activity} class="side">
        {selected && (
          <div class="row-of">
            {instance.status !== "Finished" && <ActivityActions instance={instance} activityId={selected} runs={runs} done={reload} />}
            {skippable.length > 0 && mayBeSkipped(instance, selected, runs) && (
              <SkipButton key={selected} instance={instance} executions={skippable} outcomes={outcomesOf(inside.root, selected)} done={reload} />
            )}
          </div>
        )}
        {selected ? (
          entries.length === 0 ? (
            <Empty>{t.diagram.legend.none}</Empty>
          ) : (
            entries.map((entry) => (
              <details open={entries.length < 4}>
                <summary>
                  {entry.eventName} <Time at={entry.timestamp} exact />
                </summary>
                {entry.message && <p>{entry.message}</p>}
                {entry.activityState != null && <Json value={entry.activityState} label={t.instance.input} />}
                {entry.payload != null && <Json value={entry.payload} label={t.instance.data} />}
              </details>
            ))
          )
        ) : (
          <>
            <h3>{t.instance.input}</h3>
            <Json value={instance.workflowState.input} label={t.instance.input} />
            <h3>{t.instance.output}</h3>
            <Json value={instance.workflowState.output} label={t.instance.output} />
          </>
        )}
      </Panel>
    </div>
  );
}

function TimelineTab({ instance }: { instance: Instance }) {
  const journal = useJournal(instance);
  return journal.data ? <Timeline entries={journal.data.items} total={journal.data.totalCount} over={instance.status === "Finished"} /> : journal.problem ? <ProblemBox problem={journal.problem} retry={journal.reload} /> : <Loading />;
}
