import { useState } from "preact/hooks";
import { asProblem, get, part, useAction } from "../api";
import { saveAs } from "../files";
import { json } from "../format";
import type { Bookmark, Instance, JournalEntry } from "../model";
import { ProblemBox } from "../parts/basics";
import { Dialog } from "../parts/dialog";
import { may } from "../session";
import { t } from "../text";

/** Entries of the journal that a bundle has at most, the oldest first, and how many are read at a time. */
const ENTRIES_MAX = 10_000;
const ENTRIES_AT_ONCE = 1_000;

/** Rows that it has of other lists. */
const ROWS_MAX = 200;

interface Entries {
  items: JournalEntry[];
  next: number | null;
}

/** A page that is too large for one answer is asked for in smaller ones. */
async function journalPage(path: string, after: number): Promise<Entries> {
  for (let take = ENTRIES_AT_ONCE; ; take = Math.floor(take / 2)) {
    try {
      return await get<Entries>(path + "/journal", { after, take });
    } catch (failure) {
      if (asProblem(failure).code !== "TOO_LARGE" || take === 1) {
        throw failure;
      }
    }
  }
}

async function journal(path: string): Promise<{ items: JournalEntry[]; complete: boolean }> {
  const items: JournalEntry[] = [];
  let next: number | null = 0;
  while (next !== null && items.length < ENTRIES_MAX) {
    const page: Entries = await journalPage(path, next);
    items.push(...page.items);
    next = page.items.length === 0 ? null : page.next;
  }
  return { items, complete: next === null };
}

/** What was stored by the workflow is left out; where it stands, and what happened when, is not. */
function bare(instance: Instance): object {
  const { bookmarks, incidents } = instance.workflowState;
  return { ...instance, workflowState: { bookmarks: bookmarks.map(({ payload: _, ...rest }: Bookmark) => rest), incidents } };
}

function bareEntry({ activityState: _, payload: __, ...rest }: JournalEntry): object {
  return rest;
}

/** What cannot be read does not keep the rest from being saved: why is in its place. */
async function attempt(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read();
  } catch (failure) {
    const { status, title, detail, code } = asProblem(failure);
    return { problem: { status, title, detail, code } };
  }
}

/** All that is known of an instance and of the cluster that runs it, in parts by name. */
async function collect(instance: Instance, withData: boolean): Promise<object> {
  const path = "/workflow-instances/" + part(instance.id);
  const own = { workflowInstanceId: instance.id, take: ROWS_MAX };
  const runtime = may("read:workflow-runtime");
  const parts: [string, boolean, () => Promise<unknown>][] = [
    ["instance", true, async () => (withData ? instance : bare(instance))],
    ["definition", may("read:workflow-definitions"), () => get("/workflow-definitions/by-id/" + part(instance.definitionVersionId), { format: "source" })],
    [
      "journal",
      true,
      async () => {
        const { items, complete } = await journal(path);
        return { complete, items: withData ? items : items.map(bareEntry) };
      },
    ],
    ["variables", withData, () => get(path + "/variables")],
    ["notes", true, () => get(path + "/notes")],
    ["children", true, () => get("/workflow-instances", { parentWorkflowInstanceId: instance.id, take: ROWS_MAX })],
    ["timers", runtime, () => get("/timers", own)],
    ["locks", runtime, () => get("/locks", own)],
    ["violations", runtime, () => get("/invariants", { take: ROWS_MAX })],
    ["audit", may("read:audit"), () => get("/audit", own)],
    ["cluster", runtime, () => get("/cluster")],
    ["scheduler", runtime, () => get("/scheduler")],
    ["version", true, () => get("/package/version")],
  ];
  const bundle: Record<string, unknown> = { madeAt: new Date().toISOString(), withData };
  for (const [name, wanted, read] of parts) {
    if (wanted) {
      bundle[name] = await attempt(read);
    }
  }
  return bundle;
}

/** Saves one file for support: what an instance did, and the state of its cluster. */
export function BundleButton({ instance }: { instance: Instance }) {
  const [open, setOpen] = useState(false);
  const [withData, setWithData] = useState(false);
  const action = useAction();
  const save = async () => {
    const bundle = await collect(instance, withData);
    saveAs(`skein-support-${instance.id}.json`, new Blob([json(bundle)], { type: "application/json" }));
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t.bundle.button}
      </button>
      {open && (
        <Dialog title={t.bundle.title} close={() => setOpen(false)}>
          <p>{t.bundle.how}</p>
          <label class="check">
            <input type="checkbox" checked={withData} onChange={(event) => setWithData(event.currentTarget.checked)} />
            {t.bundle.withData}
          </label>
          <ProblemBox problem={action.problem} />
          <footer>
            <button
              type="button"
              class="strong"
              disabled={action.busy}
              onClick={async () => {
                if (await action.run(save)) {
                  setOpen(false);
                }
              }}
            >
              {t.bundle.save}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
