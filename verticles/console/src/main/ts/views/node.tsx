import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { asProblem, get, part, useResource, type Problem } from "../api";
import { number } from "../format";
import type { ClusterNode } from "../model";
import { Empty, Head, Json, Loading, Panel, ProblemBox, Status, Table, Tabs } from "../parts/basics";
import { to, useLocation } from "../router";
import { may } from "../session";
import { t } from "../text";

interface Setting {
  key: string;
  value: string;
  origin: string;
  isDefault: boolean;
}

interface LogPart {
  lines: string[];
  next: number;
  skippedBytes: number;
}

type Tab = keyof typeof t.node.tabs;

const LOG_EVERY_MS = 2_000;

/** Older lines are dropped from the page. */
const LOG_LINES_MAX = 5_000;

export function NodeView({ id }: { id: string }) {
  const { query } = useLocation();
  const given = query.get("tab");
  const tab: Tab = given && given in t.node.tabs ? (given as Tab) : "state";
  const path = "/cluster/nodes/" + part(id);
  const found = useResource<ClusterNode>(path);
  const node = found.data;
  const names = (may("read:node-internals") ? t.node.tabs : { state: t.node.tabs.state }) as Record<Tab, string>;
  return (
    <>
      <nav class="crumbs" aria-label={t.cluster.title}>
        <a href={to("cluster")}>{t.cluster.title}</a>
      </nav>
      <Head title={node?.name ?? id} sub={node && <Status status={node.phase} kind={node.ready ? "ok" : "waits"} />} />
      <ProblemBox problem={found.problem} retry={found.reload} />
      <Tabs names={names} selected={tab} href={(name) => to("cluster/" + part(id), { tab: name === "state" ? undefined : name })} />
      {tab === "state" && (node ? <Json value={node} label={node.name} /> : !found.problem && <Loading />)}
      {tab === "settings" && <Settings path={path} />}
      {tab === "log" && <Log path={path} />}
    </>
  );
}

function Settings({ path }: { path: string }) {
  const found = useResource<{ items: Setting[] }>(path + "/settings");
  const [search, setSearch] = useState("");
  const [all, setAll] = useState(false);
  const rows = (found.data?.items ?? []).filter(
    (one) => (all || !one.isDefault) && (one.key + " " + one.value + " " + one.origin).toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <Panel
      title={t.node.tabs.settings}
      aside={
        <div class="aside">
          <input type="search" data-search aria-label={t.node.search} placeholder={t.node.search} value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
          <label class="check">
            <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> {t.node.defaults}
          </label>
        </div>
      }
    >
      <ProblemBox problem={found.problem} retry={found.reload} />
      {rows.length > 0 ? (
        <Table
          label={t.node.tabs.settings}
          rows={rows}
          columns={[
            { title: t.node.key, class: "mono", cell: (one) => one.key },
            { title: t.node.value, class: "mono wide", cell: (one) => (one.value === "" ? <span class="faint">{t.node.nothing}</span> : one.value) },
            { title: t.node.origin, cell: (one) => (one.isDefault ? <span class="faint">{one.origin}</span> : one.origin) },
          ]}
        />
      ) : (
        found.data && <Empty>{t.node.noSettings}</Empty>
      )}
      {found.loading && !found.data && <Loading />}
    </Panel>
  );
}

/** By the words that both forms of the log have. */
function levelOf(line: string): string {
  return /\bERROR\b/.test(line) ? "bad" : /\bWARN\b/.test(line) ? "waits" : "";
}

function Log({ path }: { path: string }) {
  const [lines, setLines] = useState<string[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const [search, setSearch] = useState("");
  const [follow, setFollow] = useState(true);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let next: number | undefined;
    let timer = 0;
    const aborting = new AbortController();
    const read = async () => {
      try {
        const found = await get<LogPart>(path + "/log", next === undefined ? {} : { after: String(next) }, aborting.signal);
        next = found.next;
        const more = found.skippedBytes > 0 ? [t.node.skipped(number(found.skippedBytes)), ...found.lines] : found.lines;
        if (more.length > 0) {
          setLines((before) => [...before, ...more].slice(-LOG_LINES_MAX));
        }
        setProblem(undefined);
      } catch (failure) {
        if (!aborting.signal.aborted) {
          setProblem(asProblem(failure));
        }
      }
      if (!aborting.signal.aborted) {
        timer = window.setTimeout(() => void read(), LOG_EVERY_MS);
      }
    };
    void read();
    return () => {
      aborting.abort();
      window.clearTimeout(timer);
    };
  }, [path]);
  const shown = useMemo(() => lines.filter((line) => line.toLowerCase().includes(search.toLowerCase())), [lines, search]);
  useEffect(() => {
    if (follow && box.current) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [shown, follow]);
  return (
    <Panel
      title={t.node.tabs.log}
      aside={
        <div class="aside">
          <input type="search" data-search aria-label={t.node.search} placeholder={t.node.search} value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
          <label class="check">
            <input type="checkbox" checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} /> {t.node.follow}
          </label>
        </div>
      }
    >
      <ProblemBox problem={problem} />
      <div ref={box} class="log mono" tabIndex={0} role="region" aria-label={t.node.tabs.log}>
        {shown.map((line) => (
          <div class={levelOf(line)}>{line}</div>
        ))}
        {shown.length === 0 && !problem && <span class="faint">{t.node.noLines}</span>}
      </div>
    </Panel>
  );
}
