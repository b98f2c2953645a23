import { useState } from "preact/hooks";
import { part, post, useAction, useResource } from "../api";
import { useLive } from "../live";
import type { Page, Task } from "../model";
import { Empty, Head, Json, LiveMark, Loading, Panel, ProblemBox, Table, Tabs, Time } from "../parts/basics";
import { Acting, Allowed, Dialog, JsonField, parse } from "../parts/dialog";
import { initial, isSimple, SchemaForm } from "../parts/schemaForm";
import { to, useLocation } from "../router";
import { whoLooks } from "../session";
import { t } from "../text";

const WHO = "skein.user";
const GROUPS = "skein.groups";

/** As many as can be followed. */
const TAKE = "100";

interface Actor {
  user: string;
  groups: string[];
  /** Groups as they are typed. */
  typed: string;
  /** Null where the server knows who acts. */
  set: ((user: string, groups: string) => void) | null;
}

/** Who acts: the signed-in user, or the name that this browser remembers. */
function useActor(): Actor {
  const [user, setUser] = useState(() => localStorage.getItem(WHO) ?? "");
  const [typed, setTyped] = useState(() => localStorage.getItem(GROUPS) ?? "");
  const known = whoLooks();
  if (known) {
    return { user: known.name, groups: known.roles, typed: "", set: null };
  }
  const set = (nextUser: string, nextGroups: string) => {
    localStorage.setItem(WHO, nextUser);
    localStorage.setItem(GROUPS, nextGroups);
    setUser(nextUser);
    setTyped(nextGroups);
  };
  return { user: user.trim(), groups: names(typed), typed, set };
}

/** What a request says of who acts, if the server does not know it. */
function sent(actor: Actor): { user?: string; groups?: string[] } {
  return actor.set ? { user: actor.user, groups: actor.groups } : {};
}

function Who({ actor }: { actor: Actor }) {
  const { set, typed } = actor;
  return set && (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>{t.tasks.me}</span>
        <input value={actor.user} placeholder={t.tasks.meHint} autocomplete="username" onInput={(event) => set(event.currentTarget.value, typed)} />
      </label>
      <label class="field">
        <span>{t.tasks.groups}</span>
        <input value={typed} placeholder={t.tasks.groupsHint} onInput={(event) => set(actor.user, event.currentTarget.value)} />
      </label>
    </form>
  );
}

/** Whose tasks a list shows; all that one may see where nothing is chosen. */
type Box = keyof typeof t.tasks.boxes;

function boxOf(query: URLSearchParams): Box {
  const given = query.get("of");
  return given && given in t.tasks.boxes ? (given as Box) : query.get("mine") === "true" ? "mine" : "all";
}

function filtersOf(box: Box, actor: Actor): Record<string, string | string[]> {
  switch (box) {
    case "mine":
      return { assignee: actor.user, take: TAKE };
    case "groups":
      return { groups: actor.groups, take: TAKE };
    case "claimed":
      return { claimedBy: actor.user, take: TAKE };
    case "all":
      return { take: TAKE };
  }
}

/** Whether it is known of whom they are; else the list would have all tasks. */
function isKnown(box: Box, actor: Actor): boolean {
  return box === "all" || (box === "groups" ? actor.groups.length > 0 : actor.user !== "");
}

export function TasksView() {
  const { query } = useLocation();
  const box = boxOf(query);
  const actor = useActor();
  const known = isKnown(box, actor);
  const filters = filtersOf(box, actor);
  const found = useResource<Page<Task>>(known ? "/user-tasks" : null, filters);
  const [pushed, setPushed] = useState<{ of: string; page: Page<Task> }>();
  const asked = JSON.stringify(filters);
  const live = useLive<Page<Task>>(known ? { topic: "tasks", ...filters } : null, (page) => setPushed({ of: asked, page }));
  const rows = (pushed?.of === asked ? pushed.page : found.data)?.items;
  return (
    <>
      <Head title={t.tasks.title}>
        {known && <LiveMark state={live} />}
      </Head>
      <Who actor={actor} />
      <Tabs names={t.tasks.boxes} selected={box} href={(name) => to("tasks", { of: name === "all" ? undefined : name })} />
      <ProblemBox problem={found.problem} retry={found.reload} />
      {!known ? (
        <Empty>{box === "groups" ? t.tasks.noGroups : t.tasks.whoFirst}</Empty>
      ) : !rows ? (
        !found.problem && <Loading />
      ) : rows.length === 0 ? (
        <Empty>{t.tasks.none}</Empty>
      ) : (
        <Panel>
          <Table
            label={t.tasks.title}
            rows={rows}
            id={(one) => one.taskId}
            columns={[
              { title: t.tasks.task, cell: (one) => <a href={to("tasks/" + part(one.taskId))}>{one.title || one.taskId}</a> },
              { title: t.tasks.definition, cell: (one) => <a href={to("instances/" + part(one.workflowInstanceId))}>{one.definitionId}</a> },
              { title: t.tasks.candidates, cell: (one) => [...(one.assignees ?? []), ...(one.groups ?? [])].join(", ") },
              { title: t.tasks.claimedBy, cell: (one) => one.claimedBy ?? <span class="faint">–</span> },
              { title: t.tasks.priority, class: "num", cell: (one) => (one.priority === null ? "–" : String(one.priority)) },
              { title: t.tasks.due, class: "time", cell: (one) => <Time at={one.dueAt} /> },
              { title: t.tasks.created, class: "time", cell: (one) => <Time at={one.createdAt} /> },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

export function TaskView({ id }: { id: string }) {
  const actor = useActor();
  const path = "/user-tasks/" + part(id);
  const found = useResource<Task>(path);
  const [done, setDone] = useState(false);
  const task = found.data;
  if (done) {
    return (
      <>
        <Head title={task?.title || id} />
        <p class="well">
          {t.tasks.completed} <a href={to("tasks")}>{t.tasks.title}</a>
        </p>
      </>
    );
  }
  if (!task) {
    return (
      <>
        <Head title={id} />
        {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : <Loading />}
      </>
    );
  }
  const may = actor.user !== "";
  return (
    <div class="narrow">
      <nav class="crumbs" aria-label={t.tasks.title}>
        <a href={to("tasks")}>{t.tasks.title}</a>
      </nav>
      <Head title={task.title || id} sub={task.description}>
        {may && !task.claimedBy && <Acting label={t.tasks.claim} needs="write:user-tasks" work={() => post(path + "/claim", sent(actor))} done={found.reload} />}
        {may && task.claimedBy === actor.user && <Acting label={t.tasks.unclaim} needs="write:user-tasks" work={() => post(path + "/unclaim", sent(actor))} done={found.reload} />}
        {may && <HandOnButton task={task} path={path} actor={actor} done={found.reload} />}
      </Head>
      <Who actor={actor} />
      <dl class="facts">
        <div>
          <dt>{t.tasks.instance}</dt>
          <dd>
            <a href={to("instances/" + part(task.workflowInstanceId))}>{task.workflowInstanceName || task.workflowInstanceId}</a>
          </dd>
        </div>
        <div>
          <dt>{t.tasks.claimedBy}</dt>
          <dd>{task.claimedBy ?? "–"}</dd>
        </div>
        <div>
          <dt>{t.tasks.candidates}</dt>
          <dd>{[...(task.assignees ?? []), ...(task.groups ?? [])].join(", ") || "–"}</dd>
        </div>
        <div>
          <dt>{t.tasks.due}</dt>
          <dd>
            <Time at={task.dueAt} />
          </dd>
        </div>
      </dl>
      {task.data !== null && (
        <Panel title={t.tasks.data}>
          <Json value={task.data} label={t.tasks.data} />
        </Panel>
      )}
      {may ? <Completion task={task} path={path} actor={actor} done={() => setDone(true)} /> : <Empty>{t.tasks.whoFirst}</Empty>}
    </div>
  );
}

/** Names with commas between them. */
function names(typed: string): string[] {
  return typed
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

/** Gives a task to others, as when another person has to decide; it is no longer for those before. */
function HandOnButton(props: { task: Task; path: string; actor: Actor; done: () => void }) {
  const { task, path, actor, done } = props;
  const [open, setOpen] = useState(false);
  const [people, setPeople] = useState("");
  const [groups, setGroups] = useState("");
  const action = useAction();
  const to = { assignees: names(people), groups: names(groups) };
  return (
    <>
      <Allowed needs="write:user-tasks">
        <button type="button" onClick={() => setOpen(true)}>
          {t.tasks.handOn}
        </button>
      </Allowed>
      {open && (
        <Dialog title={t.tasks.handOnTitle} close={() => setOpen(false)}>
          <p>{t.tasks.handOnHow}</p>
          <p class="faint">
            {t.tasks.candidates}: {[...(task.assignees ?? []), ...(task.groups ?? [])].join(", ") || "–"}
          </p>
          <label class="field">
            <span>{t.tasks.toPeople}</span>
            <input value={people} onInput={(event) => setPeople(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span>{t.tasks.toGroups}</span>
            <input value={groups} onInput={(event) => setGroups(event.currentTarget.value)} />
          </label>
          <ProblemBox problem={action.problem} />
          <footer>
            <button
              type="button"
              class="strong"
              disabled={action.busy || to.assignees.length + to.groups.length === 0}
              onClick={async () => {
                if (await action.run(() => post(path + "/assign", { ...sent(actor), to }))) {
                  setOpen(false);
                  done();
                }
              }}
            >
              {t.tasks.goHandOn}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

function Completion(props: { task: Task; path: string; actor: Actor; done: () => void }) {
  const { form, outcomes } = props.task;
  const simple = isSimple(form);
  const [data, setData] = useState(() => (simple ? initial(form) : {}));
  const [text, setText] = useState("{}");
  const action = useAction();
  const parsed = parse(text, false);
  const result = simple ? data : "value" in parsed ? parsed.value : null;
  const complete = (outcome?: string) => async () => {
    const body = { ...sent(props.actor), result, ...(outcome ? { outcome } : {}) };
    if (await action.run(() => post(props.path + "/complete", body))) {
      props.done();
    }
  };
  return (
    <Panel title={t.tasks.form}>
      <form onSubmit={(event) => event.preventDefault()}>
        {simple ? <SchemaForm schema={form} data={data} onData={setData} /> : <JsonField label={t.tasks.result} text={text} onText={setText} />}
        <ProblemBox problem={action.problem} />
        <footer>
          {outcomes?.length ? (
            outcomes.map((outcome, index) => (
              <button type="button" class={index === 0 ? "strong" : ""} disabled={action.busy} onClick={complete(outcome)}>
                {outcome}
              </button>
            ))
          ) : (
            <button type="button" class="strong" disabled={action.busy} onClick={complete()}>
              {t.tasks.complete}
            </button>
          )}
        </footer>
      </form>
    </Panel>
  );
}
