import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, post, type Problem } from "../api";
import { number } from "../format";
import type { InstanceSummary, Page } from "../model";
import { ProblemBox, Status, Table, Time } from "../parts/basics";
import { Allowed, Dialog } from "../parts/dialog";
import { t } from "../text";
import { alter, type Alteration, type Skip, VersionChoice } from "./alter";
import { type Filters, pageOf } from "./instanceFilters";
import { BulkSkipFields } from "./skip";

/** Instances that one run of a bulk action takes. */
const AT_ONCE_MAX = 1_000;
const CHUNK = 50;
const SHOWN = 10;

type Kind = "cancel" | "retry" | "migrate" | "skip" | "delete";

const WORDS: Record<Kind, { title: string; go: string }> = {
  cancel: { title: t.instances.bulkCancelTitle, go: t.instances.goCancel },
  retry: { title: t.instances.bulkRetryTitle, go: t.instances.goRetry },
  migrate: { title: t.alter.bulkTitle, go: t.alter.goBulk },
  skip: { title: t.skipping.bulkTitle, go: t.skipping.goBulk },
  delete: { title: t.instances.bulkDeleteTitle, go: t.instances.goDelete },
};

/** Statuses of instances that have ended; others are not deleted in bulk. */
const ENDED = ["Finished", "Cancelled", "Faulted"];

/** Statuses of instances in which an activity may be skipped. */
const SKIPPABLE = ["Suspended", "Faulted"];

interface Results {
  results?: { isSuccessful: boolean; log: { logEntries: { message: string }[] } }[];
  cancelled?: number;
  deleted?: number;
}

/** Only what the action is for is chosen: what waits or runs, what has incidents, or what has ended. */
function narrowed(kind: Kind, filters: Filters): Filters {
  switch (kind) {
    case "retry":
      return { ...filters, incidents: "true" };
    case "delete":
      return { ...filters, status: filters.status ?? "Finished" };
    default:
      return { ...filters, status: filters.status ?? "Suspended" };
  }
}

async function perform(kind: Kind, ids: string[], alteration: Alteration | null): Promise<{ done: number; refused: string[] }> {
  if (alteration) {
    const { done, refused } = await alter(ids, [alteration]);
    return { done, refused: refused.map((one) => one.message) };
  }
  if (kind === "cancel") {
    const { cancelled = 0 } = await post<Results>("/bulk-actions/cancel/workflow-instances", { ids });
    return { done: cancelled, refused: [] };
  }
  if (kind === "delete") {
    const { deleted = 0 } = await post<Results>("/bulk-actions/delete/workflow-instances", { ids });
    return { done: deleted, refused: [] };
  }
  const { results = [] } = await post<Results>("/alterations/workflows/retry", { workflowInstanceIds: ids });
  return {
    done: results.filter((one) => one.isSuccessful).length,
    refused: results.filter((one) => !one.isSuccessful).map((one) => one.log.logEntries[0]?.message ?? ""),
  };
}

export function BulkActions({ filters, done }: { filters: Filters; done: () => void }) {
  const [kind, setKind] = useState<Kind>();
  return (
    <>
      <Allowed needs="run:alterations">
        <button type="button" onClick={() => setKind("retry")}>
          {t.instances.bulkRetry}
        </button>
      </Allowed>
      <Allowed needs="cancel:workflow-instances">
        <button type="button" onClick={() => setKind("cancel")}>
          {t.instances.bulkCancel}
        </button>
      </Allowed>
      {filters.definition && (
        <Allowed needs="run:alterations">
          <button type="button" onClick={() => setKind("migrate")}>
            {t.alter.migrate}
          </button>
          <button type="button" onClick={() => setKind("skip")}>
            {t.skipping.bulk}
          </button>
        </Allowed>
      )}
      {ENDED.includes(filters.status ?? "Finished") && (
        <Allowed needs="delete:workflow-instances">
          <button type="button" onClick={() => setKind("delete")}>
            {t.instances.bulkDelete}
          </button>
        </Allowed>
      )}
      {kind && (
        <BulkDialog
          kind={kind}
          filters={narrowed(kind, filters)}
          statuses={kind === "skip" && !filters.status ? SKIPPABLE : []}
          close={() => {
            setKind(undefined);
            done();
          }}
        />
      )}
    </>
  );
}

interface Progress {
  tried: number;
  done: number;
  refused: string[];
  running: boolean;
}

/** `statuses`: one of which can be chosen, where there are any. */
function BulkDialog(props: { kind: Kind; filters: Filters; statuses: readonly string[]; close: () => void }) {
  const { kind, statuses, close } = props;
  const [status, setStatus] = useState(props.filters.status);
  const filters: Filters = { ...props.filters, status };
  const [found, setFound] = useState<{ items: InstanceSummary[]; total: number }>();
  const [problem, setProblem] = useState<Problem>();
  const [progress, setProgress] = useState<Progress>();
  const [version, setVersion] = useState<number>();
  const [skip, setSkip] = useState<Skip | null>(null);
  const alteration: Alteration | null = kind === "skip" ? skip : kind === "migrate" && version !== undefined ? { type: "Migrate", targetVersion: version } : null;
  const stopped = useRef(false);
  useEffect(() => {
    const aborting = new AbortController();
    setFound(undefined);
    setProblem(undefined);
    const look = async () => {
      const items: InstanceSummary[] = [];
      let page: Page<InstanceSummary>;
      do {
        page = await pageOf(filters, items.length, aborting.signal);
        items.push(...page.items);
      } while (page.items.length > 0 && items.length < Math.min(page.totalCount, AT_ONCE_MAX));
      setFound({ items: items.slice(0, AT_ONCE_MAX), total: page.totalCount });
    };
    look().catch((failure: unknown) => aborting.signal.aborted || setProblem(asProblem(failure)));
    return () => {
      stopped.current = true;
      aborting.abort();
    };
  }, [status]);

  const run = async () => {
    stopped.current = false;
    const ids = (found?.items ?? []).map((one) => one.id);
    const state: Progress = { tried: 0, done: 0, refused: [], running: true };
    setProgress({ ...state });
    try {
      for (let from = 0; from < ids.length && !stopped.current; from += CHUNK) {
        const chunk = ids.slice(from, from + CHUNK);
        const result = await perform(kind, chunk, alteration);
        state.tried += chunk.length;
        state.done += result.done;
        state.refused.push(...result.refused);
        setProgress({ ...state });
      }
    } catch (failure) {
      setProblem(asProblem(failure));
    }
    setProgress({ ...state, running: false });
  };

  const { title, go } = WORDS[kind];
  const refused = [...new Set(progress?.refused ?? [])];
  return (
    <Dialog title={title} close={close} wide>
      <ProblemBox problem={problem} />
      {!found && !problem && <p aria-busy="true">{t.instances.previewing}</p>}
      {kind === "migrate" && <VersionChoice definitionId={filters.definition ?? ""} version={version} choose={setVersion} />}
      {kind === "skip" && <BulkSkipFields choose={setSkip} />}
      {statuses.length > 0 && (
        <label class="field">
          <span>{t.instances.status}</span>
          <select value={status} disabled={progress !== undefined} onChange={(event) => setStatus(event.currentTarget.value)}>
            {statuses.map((one) => (
              <option value={one}>{t.status[one]}</option>
            ))}
          </select>
        </label>
      )}
      {found && (
        <>
          <p>
            <strong>{number(found.total)}</strong> {t.instances.preview}
          </p>
          {found.total > AT_ONCE_MAX && (
            <p class="faint">
              {number(AT_ONCE_MAX)}: {t.instances.bulkLimit}
            </p>
          )}
          <Table
            label={title}
            rows={found.items.slice(0, SHOWN)}
            columns={[
              { title: t.instances.id, class: "mono", cell: (one) => one.name ?? one.id },
              { title: t.instances.status, cell: (one) => <Status status={one.subStatus} /> },
              { title: t.instances.definition, cell: (one) => one.definitionId },
              { title: t.instances.updated, class: "time", cell: (one) => <Time at={one.updatedAt} /> },
            ]}
          />
        </>
      )}
      {progress && found && (
        <div class="progress" role="status">
          <progress value={progress.tried} max={found.items.length} aria-label={title} />
          <span>
            {number(progress.done)} {t.instances.progress}
            {progress.refused.length > 0 && `, ${number(progress.refused.length)} ${t.instances.failed}`}
          </span>
          {refused.slice(0, SHOWN).map((reason) => (
            <p class="text-bad">{reason}</p>
          ))}
        </div>
      )}
      <footer>
        {progress?.running ? (
          <button
            type="button"
            onClick={() => {
              stopped.current = true;
            }}
          >
            {t.instances.stop}
          </button>
        ) : (
          <button type="button" onClick={close}>
            {t.common.close}
          </button>
        )}
        {!progress && (
          <button type="button" class={"strong" + (kind === "cancel" || kind === "delete" ? " danger" : "")} disabled={!found?.items.length || ((kind === "migrate" || kind === "skip") && alteration === null)} onClick={() => void run()}>
            {go}
          </button>
        )}
      </footer>
    </Dialog>
  );
}
