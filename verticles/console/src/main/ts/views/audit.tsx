import { useEffect, useState } from "preact/hooks";
import { asProblem, get, part, type Problem } from "../api";
import type { AuditLine } from "../model";
import { Empty, Head, Loading, Panel, ProblemBox, Status, Table, Time } from "../parts/basics";
import { go, to, useLocation } from "../router";
import { t } from "../text";

const TAKE = 100;

interface Lines {
  items: AuditLine[];
  next: string | null;
}

export function AuditView() {
  const { query } = useLocation();
  const action = query.get("action") ?? "";
  const instance = query.get("instance") ?? "";
  const [lines, setLines] = useState<Lines>();
  const [problem, setProblem] = useState<Problem>();
  const load = async (after: string | undefined, before: AuditLine[]) => {
    try {
      const found = await get<Lines>("/audit", { action, workflowInstanceId: instance, after, take: TAKE });
      setLines({ items: [...before, ...found.items], next: found.next });
      setProblem(undefined);
    } catch (failure) {
      setProblem(asProblem(failure));
    }
  };
  useEffect(() => {
    setLines(undefined);
    void load(undefined, []);
  }, [action, instance]);
  const set = (change: Record<string, string>) => go(to("audit", { action, instance, ...change }), true);
  return (
    <>
      <Head title={t.audit.title} />
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>{t.audit.filterAction}</span>
          <input value={action} data-search="" onChange={(event) => set({ action: event.currentTarget.value.trim() })} />
        </label>
        <label class="field wide">
          <span>{t.audit.filterInstance}</span>
          <input value={instance} onChange={(event) => set({ instance: event.currentTarget.value.trim() })} />
        </label>
      </form>
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
