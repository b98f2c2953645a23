import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, get, part, type Problem } from "../api";
import { instant } from "../format";
import type { AuditLine } from "../model";
import { Empty, Head, Loading, Panel, ProblemBox, Status, Table, Time } from "../parts/basics";
import { go, to, useLocation } from "../router";
import { t } from "../text";

const TAKE = 100;

interface Lines {
  items: AuditLine[];
  next: string | null;
}

/** What of the audit is shown; times as a field for local times holds them. */
interface Filters {
  action?: string;
  instance?: string;
  actor?: string;
  from?: string;
  until?: string;
}

const NAMES = ["action", "instance", "actor", "from", "until"] as const;

function queryOf(filters: Filters): Record<string, string | undefined> {
  return {
    action: filters.action,
    workflowInstanceId: filters.instance,
    actor: filters.actor,
    from: filters.from && instant(filters.from),
    to: filters.until && instant(filters.until),
  };
}

export function AuditView() {
  const { query } = useLocation();
  const filters = Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ""])) as Required<Filters>;
  const set = (change: Filters) => go(to("audit", { ...filters, ...change }), true);
  const field = (name: keyof Filters, label: string, type: "text" | "datetime-local", first = false) => (
    <label class="field">
      <span>{label}</span>
      <input type={type as "text"} value={filters[name]} data-search={first ? "" : undefined} onInput={(event) => set({ [name]: event.currentTarget.value.trim() })} />
    </label>
  );
  return (
    <>
      <Head title={t.audit.title} />
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        {field("action", t.audit.filterAction, "text", true)}
        {field("instance", t.audit.filterInstance, "text")}
        {field("actor", t.audit.filterActor, "text")}
        {field("from", t.audit.filterFrom, "datetime-local")}
        {field("until", t.audit.filterUntil, "datetime-local")}
      </form>
      <AuditLines filters={filters} />
    </>
  );
}

/** Who changed one instance, and how. */
export function AuditTab({ instanceId }: { instanceId: string }) {
  return (
    <>
      <p class="faint">
        <a href={to("audit", { instance: instanceId })}>{t.audit.all}</a>
      </p>
      <AuditLines filters={{ instance: instanceId }} />
    </>
  );
}

/** The lines that match, the newest first, a page at a time. */
function AuditLines({ filters }: { filters: Filters }) {
  const [lines, setLines] = useState<Lines>();
  const [problem, setProblem] = useState<Problem>();
  const key = JSON.stringify(filters);
  const reading = useRef(new AbortController());
  const load = async (after: string | undefined, before: AuditLine[]) => {
    const { signal } = reading.current;
    try {
      const found = await get<Lines>("/audit", { ...queryOf(filters), after, take: TAKE }, signal);
      if (!signal.aborted) {
        setLines({ items: [...before, ...found.items], next: found.next });
        setProblem(undefined);
      }
    } catch (failure) {
      if (!signal.aborted) {
        setProblem(asProblem(failure));
      }
    }
  };
  useEffect(() => {
    const mine = new AbortController();
    reading.current = mine;
    setLines(undefined);
    setProblem(undefined);
    void load(undefined, []);
    return () => mine.abort();
  }, [key]);
  return (
    <>
      <ProblemBox problem={problem} retry={() => void load(undefined, [])} />
      {!lines ? (
        !problem && <Loading />
      ) : lines.items.length === 0 ? (
        <Empty>{t.audit.none}</Empty>
      ) : (
        <Panel>
          <Table
            label={t.audit.title}
            rows={lines.items}
            columns={[
              { title: t.audit.at, class: "time", cell: (one) => <Time at={one.at} exact /> },
              { title: t.audit.action, class: "mono", cell: (one) => one.action },
              { title: t.audit.outcome, cell: (one) => <Status status={one.outcome} kind={one.outcome === "ok" ? "ok" : one.outcome === "unknown" ? "none" : "bad"} /> },
              {
                title: t.audit.subject,
                class: "wide",
                cell: (one) =>
                  one.workflowInstanceId ? (
                    <a class="mono" href={to("instances/" + part(one.workflowInstanceId))}>
                      {one.bookmarkId ?? one.workflowInstanceId}
                    </a>
                  ) : (
                    one.subject
                  ),
              },
              { title: t.audit.actor, cell: (one) => one.actor },
              { title: t.audit.node, cell: (one) => one.node },
            ]}
          />
          {lines.next && (
            <footer>
              <button type="button" onClick={() => void load(lines.next ?? undefined, lines.items)}>
                {t.common.more}
              </button>
            </footer>
          )}
        </Panel>
      )}
    </>
  );
}
