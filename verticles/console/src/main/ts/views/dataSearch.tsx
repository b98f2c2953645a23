import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asProblem, get, part, type Problem, useResource } from "../api";
import { number } from "../format";
import type { Definition, InstanceSummary } from "../model";
import { Empty, Loading, Panel, ProblemBox, Status, Table, Time } from "../parts/basics";
import { Typed } from "../parts/typed";
import { to } from "../router";
import { t } from "../text";
import type { Filters } from "./instanceFilters";

const NAMES = "names-of-data";

interface Found extends InstanceSummary {
  foundIn: string;
}

interface Answer {
  items: Found[];
  searched: number;
  unreadable: number;
  total: number;
  totalIsExact: boolean;
  searchedBackTo: string | null;
  cursor: string | null;
}

/** What is asked for: `orderId=4711`; the value may have further equals signs. */
export function wantedOf(data: string | undefined): { name: string; value: string } | undefined {
  const equals = data?.indexOf("=") ?? -1;
  const name = data?.slice(0, Math.max(0, equals)).trim() ?? "";
  const value = data?.slice(equals + 1).trim() ?? "";
  return name && value ? { name, value } : undefined;
}

/** The field for a value, with the names of the variables and inputs of the definition. */
export function DataField({ filters, set }: { filters: Filters; set: (change: Filters, replace?: boolean) => void }) {
  const definition = useResource<Definition>(filters.definition ? "/workflow-definitions/" + part(filters.definition) : null, { format: "source" });
  const names = [...new Set([...(definition.data?.variables ?? []), ...(definition.data?.inputs ?? [])].map((one) => one.name))].sort();
  return (
    <>
      <Typed label={t.data.label} hint={t.data.hint} list={NAMES} value={filters.data ?? ""} onValue={(data) => set({ data }, true)} />
      <datalist id={NAMES}>
        {names.map((name) => (
          <option value={name + "="} />
        ))}
      </datalist>
      {filters.data && (
        <label class="check">
          <input type="checkbox" checked={filters.ended === "true"} onChange={(event) => set({ ended: event.currentTarget.checked ? "true" : "" })} />
          {t.data.ended}
        </label>
      )}
    </>
  );
}

/** What was found so far; each answer goes on where the one before ended. */
function useSearch(filters: Filters) {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const aborting = useRef(new AbortController());
  const { definition, data, ended } = filters;
  const search = useCallback(
    async (before: Answer | undefined) => {
      const wanted = wantedOf(data);
      const { signal } = aborting.current;
      if (!wanted || !definition) {
        return;
      }
      setBusy(true);
      setProblem(undefined);
      try {
        const path = `/workflow-definitions/${part(definition)}/instances-by-data`;
        const next = await get<Answer>(path, { ...wanted, finished: ended, cursor: before?.cursor ?? undefined }, signal);
        if (!signal.aborted) {
          setAnswer({
            ...next,
            items: [...(before?.items ?? []), ...next.items],
            searched: next.searched + (before?.searched ?? 0),
            unreadable: next.unreadable + (before?.unreadable ?? 0),
          });
        }
      } catch (failure) {
        if (!signal.aborted) {
          setProblem(asProblem(failure));
        }
      } finally {
        if (!signal.aborted) {
          setBusy(false);
        }
      }
    },
    [definition, data, ended],
  );
  useEffect(() => {
    aborting.current = new AbortController();
    setAnswer(undefined);
    setProblem(undefined);
    void search(undefined);
    return () => aborting.current.abort();
  }, [search]);
  return { answer, problem, busy, search };
}

/** How far the search has come, in one sentence. The server counts the newest instances only; once all were searched, their number is known. */
function progress(answer: Answer, ended: boolean): string {
  const done = answer.searched + answer.unreadable;
  const exact = answer.totalIsExact || answer.cursor === null;
  const total = `${exact ? "" : t.common.atLeast + " "}${number(answer.cursor === null ? done : Math.max(done, answer.total))} ${ended ? t.data.instances : t.data.unfinished}`;
  const parts = [t.data.searched(number(answer.searched), total), t.data.found(number(answer.items.length))];
  return [...parts, ...(answer.unreadable ? [t.data.unreadable(number(answer.unreadable))] : [])].join("; ") + ".";
}

/** The instances of a definition that have a value, as far as they were searched. */
export function DataResults({ filters }: { filters: Filters }) {
  const { answer, problem, busy, search } = useSearch(filters);
  const { data, ended, definition, ...others } = filters;
  if (!definition) {
    return <Empty>{t.data.needsDefinition}</Empty>;
  }
  if (!wantedOf(data)) {
    return <Empty>{t.data.needsValue}</Empty>;
  }
  return (
    <>
      {Object.keys(others).length > 0 && <p class="text-waits">{t.data.only}</p>}
      <ProblemBox problem={problem} retry={() => void search(answer)} />
      <p class="searched">
        <span role="status">{busy ? t.data.searching : answer && progress(answer, ended === "true")}</span>{" "}
        {!busy && answer?.searchedBackTo && (
          <span class="faint">
            {t.data.backTo} <Time at={answer.searchedBackTo} />{" "}
          </span>
        )}
        {answer?.cursor && (
          <button type="button" disabled={busy} onClick={() => void search(answer)}>
            {t.data.further}
          </button>
        )}
      </p>
      {answer?.items.length ? (
        <Panel>
          <Table
            label={t.instances.title}
            rows={answer.items}
            columns={[
              { title: t.instances.id, class: "mono", cell: (row) => <a href={to("instances/" + part(row.id))}>{row.name || row.id}</a> },
              { title: t.instances.status, cell: (row) => <Status status={row.subStatus} /> },
              { title: t.instances.version, class: "num", cell: (row) => row.version },
              { title: t.instances.correlation, cell: (row) => row.correlationId ?? <span class="faint">–</span> },
              { title: t.data.where, cell: (row) => t.data.places[row.foundIn] ?? row.foundIn },
              { title: t.instances.created, class: "time", cell: (row) => <Time at={row.createdAt} /> },
              { title: t.instances.updated, class: "time", cell: (row) => <Time at={row.updatedAt} /> },
            ]}
          />
        </Panel>
      ) : answer ? (
        <Empty>{t.data.none}</Empty>
      ) : (
        !problem && <Loading />
      )}
    </>
  );
}
