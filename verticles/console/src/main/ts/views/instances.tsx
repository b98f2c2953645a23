import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { asProblem, isUnanswered, type Problem, useAgain } from "../api";
import { number } from "../format";
import { useLive } from "../live";
import type { InstanceSummary, Page } from "../model";
import { Empty, Head, LiveMark, ProblemBox, Status, Time } from "../parts/basics";
import { Typed } from "../parts/typed";
import { VirtualGrid } from "../parts/virtual";
import { go, to, useLocation } from "../router";
import { t } from "../text";
import { BulkActions } from "./bulk";
import { DataField, DataResults } from "./dataSearch";
import { SavedViews } from "./savedViews";
import { type Filters, filtersOf, PAGE, pageOf, queryOf } from "./instanceFilters";

const COUNTED_MAX = 10_000;
const STATUSES = ["Suspended", "Executing", "Faulted", "Finished", "Cancelled", "Pending"];

interface Loaded {
  rows: Map<number, InstanceSummary>;
  total: number;
  known: boolean;
}

const NOTHING: Loaded = { rows: new Map(), total: 0, known: false };

/** The rows that were scrolled to, read a page at a time. */
function useRows(filters: Filters, wanted: boolean) {
  const key = JSON.stringify(filters);
  const [loaded, setLoaded] = useState<Loaded>(NOTHING);
  const [problem, setProblem] = useState<Problem>();
  const [unanswered, setUnanswered] = useState(0);
  const [turn, setTurn] = useState(0);
  const [shifts, setShifts] = useState(0);
  const asked = useRef(new Set<number>());
  const aborting = useRef(new AbortController());
  /** What was pushed before the first answer, which may be older. */
  const early = useRef<Page<InstanceSummary>>();
  const load = useCallback(
    async (page: number) => {
      if (asked.current.has(page)) {
        return;
      }
      asked.current.add(page);
      const { signal } = aborting.current;
      try {
        const found = await pageOf(filters, page * PAGE, signal);
        if (!signal.aborted) {
          setProblem(undefined);
          setUnanswered(0);
          setLoaded((before) => {
            const rows = new Map(before.rows);
            found.items.forEach((item, index) => rows.set(page * PAGE + index, item));
            return { rows, total: found.totalCount, known: true };
          });
          if (early.current) {
            push(early.current);
            early.current = undefined;
          }
        }
      } catch (failure) {
        if (!signal.aborted) {
          asked.current.delete(page);
          const found = asProblem(failure);
          setProblem(found);
          setUnanswered((before) => (isUnanswered(found) ? before + 1 : 0));
        }
      }
    },
    [key, turn],
  );
  useEffect(() => {
    aborting.current.abort();
    aborting.current = new AbortController();
    asked.current = new Set();
    early.current = undefined;
    setLoaded(NOTHING);
    setProblem(undefined);
    setUnanswered(0);
    if (wanted) {
      void load(0);
    }
  }, [load, wanted]);
  const need = useCallback(
    (first: number, last: number) => {
      for (let page = Math.floor(first / PAGE); page * PAGE < last; page++) {
        void load(page);
      }
    },
    [load, shifts],
  );
  /** The rows that are there stay; `need` asks for the others of those in sight. */
  const again = useCallback(() => (loaded.known ? setShifts((count) => count + 1) : void load(0)), [load, loaded.known]);
  useAgain(unanswered, false, again);
  /**
   * What the server pushes is the first page: it takes the place of what is there. Where rows have
   * moved, those of later pages are read again when they are in sight.
   */
  const push = useCallback((page: Page<InstanceSummary>) => {
    setLoaded((before) => {
      if (!before.known) {
        early.current = page;
        return before;
      }
      if (page.totalCount !== before.total || page.items[0]?.id !== before.rows.get(0)?.id) {
        asked.current = new Set([0]);
        setShifts((count) => count + 1);
      }
      const rows = new Map(before.rows);
      page.items.forEach((item, index) => rows.set(index, item));
      return { rows, total: page.totalCount, known: true };
    });
  }, []);
  return { loaded, problem, need, push, again, reload: () => setTurn((before) => before + 1) };
}

export function InstancesView() {
  const { query } = useLocation();
  const filters = useMemo(() => filtersOf(query), [query.toString()]);
  const byData = Boolean(filters.data);
  const { loaded, problem, need, push, again, reload } = useRows(filters, !byData);
  const timed = Boolean(filters.from || filters.until);
  const live = useLive<Page<InstanceSummary>>(timed || byData ? null : { topic: "instances", take: String(PAGE), ...queryOf(filters) }, push);
  const set = (change: Filters, replace = false) => go(to("instances", { ...filters, ...change } as Record<string, string>), replace);
  const any = Object.keys(filters).length > 0;
  return (
    <div class="full">
      <Head title={t.instances.title} sub={byData ? undefined : loaded.known ? matching(loaded.total) : t.common.loading}>
        {!timed && !byData && <LiveMark state={live} />}
        {!byData && <BulkActions filters={filters} done={reload} />}
      </Head>
      <FilterBar filters={filters} set={set} any={any} />
      <ProblemBox problem={problem} retry={again} />
      {byData ? (
        <DataResults filters={filters} />
      ) : loaded.known && loaded.total === 0 ? (
        <Empty>{t.instances.none}</Empty>
      ) : (
        <VirtualGrid<InstanceSummary>
          label={t.instances.title}
          total={loaded.known ? loaded.total : 0}
          row={(index) => loaded.rows.get(index)}
          id={(row) => row.id}
          find={(id) => [...loaded.rows].find(([, row]) => row.id === id)?.[0]}
          need={need}
          href={(row) => to("instances/" + encodeURIComponent(row.id))}
          open={(row) => go(to("instances/" + encodeURIComponent(row.id)))}
          template="minmax(15rem,2fr) 7.5rem minmax(9rem,1.4fr) 5rem minmax(6rem,1fr) 6rem 8rem 8rem"
          columns={[
            { title: t.instances.id, class: "mono", cell: (row) => (row.name ? row.name : row.id) },
            { title: t.instances.status, cell: (row) => <Status status={row.subStatus} /> },
            { title: t.instances.definition, cell: (row) => row.definitionId },
            { title: t.instances.version, class: "num", cell: (row) => row.version },
            { title: t.instances.correlation, cell: (row) => row.correlationId ?? <span class="faint">–</span> },
            { title: t.instances.incidents, class: "num", cell: (row) => (row.incidentCount ? <span class="text-bad">{row.incidentCount}</span> : <span class="faint">0</span>) },
            { title: t.instances.created, class: "time", cell: (row) => <Time at={row.createdAt} /> },
            { title: t.instances.updated, class: "time", cell: (row) => <Time at={row.updatedAt} /> },
          ]}
        />
      )}
    </div>
  );
}

/** The server counts no further. */
function matching(total: number): string {
  return `${total >= COUNTED_MAX ? t.common.atLeast + " " : ""}${number(total)} ${t.instances.matching}`;
}

function FilterBar(props: { filters: Filters; set: (change: Filters, replace?: boolean) => void; any: boolean }) {
  const { filters, set } = props;
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <Typed label={t.instances.searchLabel} value={filters.q ?? ""} wide onValue={(q) => set({ q }, true)} type="search" />
      <label class="field">
        <span>{t.instances.status}</span>
        <select value={filters.status ?? ""} onChange={(event) => set({ status: event.currentTarget.value })}>
          <option value="">{t.instances.any}</option>
          {STATUSES.map((status) => (
            <option value={status}>{t.status[status]}</option>
          ))}
        </select>
      </label>
      <Typed label={t.instances.definition} value={filters.definition ?? ""} onValue={(definition) => set({ definition }, true)} />
      <Typed label={t.instances.version} value={filters.version ?? ""} narrow onValue={(version) => set({ version: version.replace(/\D/g, "") }, true)} />
      <Typed label={t.instances.correlation} value={filters.correlation ?? ""} onValue={(correlation) => set({ correlation }, true)} />
      <DataField filters={filters} set={set} />
      {filters.parent && <Typed label={t.instance.parent} value={filters.parent} onValue={(parent) => set({ parent }, true)} />}
      <label class="field">
        <span>{t.instances.from}</span>
        <input type="datetime-local" value={filters.from ?? ""} onChange={(event) => set({ from: event.currentTarget.value })} />
      </label>
      <label class="field">
        <span>{t.instances.until}</span>
        <input type="datetime-local" value={filters.until ?? ""} onChange={(event) => set({ until: event.currentTarget.value })} />
      </label>
      <label class="check">
        <input type="checkbox" checked={filters.incidents === "true"} onChange={(event) => set({ incidents: event.currentTarget.checked ? "true" : "" })} />
        {t.instances.withIncidents}
      </label>
      <SavedViews filters={filters} />
      {props.any && (
        <a class="button quiet" href={to("instances")}>
          {t.instances.clear}
        </a>
      )}
    </form>
  );
}
