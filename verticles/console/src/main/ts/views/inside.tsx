import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asProblem, get, part, type Problem, type Resource, useReading } from "../api";
import { number } from "../format";
import type { Activity, ActivityStats, Definition, Instance, JournalEntry, Page } from "../model";
import { Loading, ProblemBox, Status } from "../parts/basics";
import { go, to, useLocation } from "../router";
import { t } from "../text";
import { around, below, type Execution, isLoop, nodeIdOf, runsOf, scopeOf, statsOf, type Step, stepsTo, usedDefinition } from "./containers";

const PAGE = 1_000;

/** Executions that are read at most, the first ones. */
const EXECUTIONS_MAX = 10_000;

/** Where activities of a workflow lie, in their paths. */
const WORKFLOW = "Workflow1";

/** What the diagram shows: the workflow, or what lies in one of its containers. */
export interface Inside {
  root: Activity;
  stats: ActivityStats[];
  /** Opens a container; undefined where there is no more to open. */
  open: (activity: Activity) => void;
  /** The container that is open. */
  opened: string | undefined;
  /** Whether an entry of the journal is about what is shown. */
  includes: (entry: JournalEntry) => boolean;
  bar: ComponentChildren;
}

function useExecutions(instance: Instance, wanted: boolean): Resource<Page<Execution>> {
  const path = `/activity-execution-summaries/list?${instance.id}`;
  return useReading(wanted ? path : null, (signal) => firstExecutions(instance.id, signal), instance.updatedAt);
}

async function firstExecutions(workflowInstanceId: string, signal: AbortSignal): Promise<Page<Execution>> {
  const items: Execution[] = [];
  for (;;) {
    const page = await get<Page<Execution>>("/activity-execution-summaries/list", { workflowInstanceId, take: PAGE, skip: items.length }, signal);
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= Math.min(page.totalCount, EXECUTIONS_MAX)) {
      return { items, totalCount: page.totalCount };
    }
  }
}

/** The root of the definition that an activity is a use of. */
async function rootOf(use: Activity, signal: AbortSignal): Promise<Activity | undefined> {
  const source = { format: "source" };
  const path = "/workflow-definitions/" + part(usedDefinition(use) ?? "");
  const pinned = use.workflowDefinitionVersionId;
  const version = typeof use.version === "number" ? use.version : 1;
  const id = typeof pinned === "string" ? pinned : (await get<Definition[]>(path + "/versions", source, signal)).find((one) => one.version === version)?.id;
  return id === undefined ? undefined : (await get<Definition>("/workflow-definitions/by-id/" + part(id), source, signal)).root;
}

/** The roots of the used definitions on the way to a container, read one after the other. */
function useInsides(root: Activity, nodeId: string | null): { insides: Map<string, Activity>; steps: Step[]; problem: Problem | undefined; reading: boolean } {
  const [insides, setInsides] = useState<Map<string, Activity>>(new Map());
  const [problem, setProblem] = useState<Problem>();
  const steps = nodeId === null ? [] : stepsTo(root, `${WORKFLOW}:${root.id}`, nodeId, insides);
  const last = steps.at(-1);
  const use = last && usedDefinition(last.activity) !== undefined && !insides.has(last.nodeId) ? last : undefined;
  useEffect(() => {
    setProblem(undefined);
    if (!use) {
      return;
    }
    const aborting = new AbortController();
    rootOf(use.activity, aborting.signal)
      .then((found) => found && setInsides((before) => new Map(before).set(use.nodeId, found)))
      .catch((failure: unknown) => aborting.signal.aborted || setProblem(asProblem(failure)));
    return () => aborting.abort();
  }, [use?.nodeId]);
  return { insides, steps, problem, reading: use !== undefined && !problem };
}

/** The container that the address names, and the one of its runs or iterations that it names. */
export function useInside(instance: Instance, root: Activity, stats: ActivityStats[]): Inside {
  const { query } = useLocation();
  const nodeId = query.get("in");
  const executions = useExecutions(instance, nodeId !== null);
  const { insides, steps, problem, reading } = useInsides(root, nodeId);
  const show = (container: string | undefined, run?: string) => go(address(instance, container, run));
  const step = steps.at(-1);
  const whole: Step = { activity: root, nodeId: `${WORKFLOW}:${root.id}` };
  const chosen = runIn(instance, query.get("run"));
  const open = (below: Step) => (activity: Activity) => {
    const found = nodeIdOf(below, activity.id);
    if (found) {
      show(found, chosen);
    }
  };
  if (!step || steps.length < 2 || step.nodeId !== nodeId) {
    const missing = nodeId !== null && !reading && !problem && step?.nodeId !== nodeId;
    const bar = problem || missing ? <Breadcrumbs instance={instance} steps={steps.slice(0, 1)} executions={[]} chosen={undefined} missing={missing} problem={problem} /> : null;
    return { root, stats, open: open(whole), opened: undefined, includes: () => true, bar };
  }
  const inner = insides.get(step.nodeId);
  const shown: Step = inner ? { activity: inner, nodeId: `${step.nodeId}:${inner.id}` } : step;
  const all = executions.data?.items ?? [];
  const scope = chosen === undefined ? undefined : scopeOf(all, chosen);
  const inScope = below(step.nodeId, scope ? all.filter((one) => scope.has(one.id)) : all);
  const ids = new Set(inScope.map((one) => one.id));
  return {
    root: shown.activity,
    stats: executions.data ? statsOf(inScope) : below(step.nodeId, stats),
    open: open(shown),
    opened: inner ? undefined : shown.activity.id,
    includes: (entry) => entry.activityInstanceId !== null && ids.has(entry.activityInstanceId),
    bar: (
      <>
        <Breadcrumbs instance={instance} steps={steps} executions={all} chosen={chosen} missing={false} problem={problem ?? executions.problem} />
        {executions.data ? <Runs instance={instance} steps={steps} executions={all} chosen={chosen} /> : !executions.problem && <Loading />}
        {(executions.data?.totalCount ?? 0) > all.length && <p class="faint">{t.inside.some(number(all.length), number(executions.data?.totalCount))}</p>}
      </>
    ),
  };
}

/** Executions have the id of their instance and a number; the address has the number. */
function runIn(instance: Instance, run: string | null): string | undefined {
  return run && /^\d+$/.test(run) ? `${instance.id}-a${run}` : undefined;
}

function address(instance: Instance, container: string | undefined, run?: string): string {
  return to("instances/" + part(instance.id), { in: container, run: container && run?.slice(instance.id.length + 2) });
}

/** The containers around what is shown, the workflow first. */
function Breadcrumbs(props: { instance: Instance; steps: Step[]; executions: Execution[]; chosen: string | undefined; missing: boolean; problem: Problem | undefined }) {
  const { instance, steps, executions, chosen } = props;
  const outside = chosen === undefined ? [] : around(executions, chosen);
  const runFor = (step: Step) => {
    const runs = new Set(runsOf(step, executions).map((one) => one.id));
    return outside.find((id) => runs.has(id));
  };
  return (
    <>
      <nav class="crumbs" aria-label={t.inside.breadcrumbs}>
        {steps.map((step, index) => (
          <a href={index === 0 ? address(instance, undefined) : address(instance, step.nodeId, runFor(step))} aria-current={index === steps.length - 1 ? "page" : undefined}>
            {index === 0 ? t.inside.workflow : step.activity.name || step.activity.id}
          </a>
        ))}
      </nav>
      {props.missing && <p class="faint">{t.inside.missing}</p>}
      <ProblemBox problem={props.problem} />
    </>
  );
}

/** Chooses an iteration of a loop, or one of several runs of another container. */
function Runs({ instance, steps, executions, chosen }: { instance: Instance; steps: Step[]; executions: Execution[]; chosen: string | undefined }) {
  const step = steps.at(-1) as Step;
  const all = runsOf(step, executions);
  const loop = isLoop(step.activity);
  const outer = outerRun(steps, executions, chosen);
  const within = outer === undefined ? undefined : scopeOf(executions, outer);
  const runs = within ? all.filter((one) => within.has(one.id)) : all;
  const at = runs.findIndex((one) => one.id === chosen);
  if (runs.length === 0 || (runs.length === 1 && !loop)) {
    return loop ? <p class="faint">{t.inside.noIterations}</p> : null;
  }
  const words = loop ? t.inside.iterations : t.inside.runs;
  const show = (index: number) => go(address(instance, step.nodeId, runs[index]?.id ?? outer), true);
  const open = runs.findIndex((one, index) => index > at && one.status !== "Completed");
  const next = open < 0 ? runs.findIndex((one) => one.status !== "Completed") : open;
  const run = runs[at];
  return (
    <div class="moments runs" role="group" aria-label={words.all}>
      <button type="button" disabled={at === 0} onClick={() => show(at < 0 ? runs.length - 1 : at - 1)}>
        {words.before}
      </button>
      <label class="inline">
        {words.one}
        <input type="number" min={1} max={runs.length} value={at < 0 ? "" : at + 1} onChange={(event) => show(Number(event.currentTarget.value) - 1)} />
      </label>
      <span class="faint">{t.inside.of(number(runs.length))}</span>
      <button type="button" disabled={at === runs.length - 1} onClick={() => show(at + 1)}>
        {words.after}
      </button>
      {next >= 0 && next !== at && (
        <button type="button" onClick={() => show(next)}>
          {words.open}
        </button>
      )}
      {at >= 0 && (
        <button type="button" class="quiet" onClick={() => show(-1)}>
          {words.all}
        </button>
      )}
      <span role="status">{run ? <Status status={stateOf(run, executions)} /> : words.shown(number(runs.length))}</span>
    </div>
  );
}

/** An iteration that is not over waits if something in it waits. */
function stateOf(run: Execution, executions: Execution[]): string {
  if (run.status !== "Running") {
    return run.status;
  }
  const scope = scopeOf(executions, run.id);
  const inside = executions.filter((one) => scope.has(one.id));
  return inside.some((one) => one.status === "Faulted") ? "Faulted" : inside.some((one) => one.hasBookmarks) ? "Suspended" : "Running";
}

/** The run of an outer container in which the chosen one lies; undefined: of all. */
function outerRun(steps: Step[], executions: Execution[], chosen: string | undefined): string | undefined {
  if (chosen === undefined) {
    return undefined;
  }
  const own = new Set(runsOf(steps.at(-1) as Step, executions).map((one) => one.id));
  const outer = new Set(steps.slice(1, -1).flatMap((step) => runsOf(step, executions)).map((one) => one.id));
  return own.has(chosen) ? around(executions, chosen).find((id) => id !== chosen && outer.has(id)) : chosen;
}
