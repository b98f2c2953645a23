import { useState } from "preact/hooks";
import { useAction } from "../api";
import { local } from "../format";
import type { Instance, JournalEntry } from "../model";
import { ProblemBox } from "../parts/basics";
import { Allowed, Dialog, JsonField, parse } from "../parts/dialog";
import { t } from "../text";
import { alterOne, type Skip } from "./alter";

/** What is known without asking of an activity that may be skipped. */
interface Given {
  reason: string;
  outcome: string;
  output: string;
}

const NOTHING: Given = { reason: "", outcome: "", output: "{}" };

/** Null while the output is no JSON object. */
function skipOf(target: { activityId: string } | { activityInstanceId: string }, given: Given): Skip | null {
  const output = parse(given.output, true);
  return "wrong" in output
    ? null
    : {
        type: "Skip",
        ...target,
        output: output.value as Record<string, unknown>,
        outcomes: given.outcome.trim() ? [given.outcome.trim()] : [],
        ...(given.reason.trim() ? { reason: given.reason.trim() } : {}),
      };
}

/** The reason, the outcome and the output of a skip. */
export function SkipFields({ given, change }: { given: Given; change: (given: Given) => void }) {
  return (
    <>
      <label class="field">
        <span>{t.skipping.reason}</span>
        <input value={given.reason} onInput={(event) => change({ ...given, reason: event.currentTarget.value })} />
      </label>
      <label class="field">
        <span>{t.skipping.outcome}</span>
        <input value={given.outcome} placeholder="Done" onInput={(event) => change({ ...given, outcome: event.currentTarget.value })} />
      </label>
      <JsonField label={t.skipping.output} text={given.output} objectOnly onText={(output) => change({ ...given, output })} />
    </>
  );
}

/** An execution of an activity that is not over, and since when. */
export interface OpenExecution {
  id: string;
  since: string;
}

const OVER = ["Completed", "Canceled"];

/** Of an activity, by the entries of the journal about it. */
export function openExecutions(entries: JournalEntry[]): OpenExecution[] {
  const open = new Map<string, OpenExecution>();
  for (const entry of entries) {
    const id = entry.activityInstanceId;
    if (id === null) {
      continue;
    }
    if (OVER.includes(entry.eventName)) {
      open.delete(id);
    } else if (!open.has(id)) {
      open.set(id, { id, since: entry.timestamp });
    }
  }
  return [...open.values()];
}

/** Ends one execution of an activity that waits or is faulted as if it had completed; refused once it is over. */
export function SkipButton({ instance, executions, done }: { instance: Instance; executions: OpenExecution[]; done: () => void }) {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const [given, setGiven] = useState(NOTHING);
  const action = useAction();
  const execution = executions.find((one) => one.id === chosen) ?? executions[0];
  const skip = execution ? skipOf({ activityInstanceId: execution.id }, given) : null;
  return (
    <Allowed needs="run:alterations">
      <button type="button" onClick={() => setOpen(true)}>
        {t.skipping.button}
      </button>
      {open && (
        <Dialog title={t.skipping.title} close={() => setOpen(false)}>
          <p>{t.skipping.how}</p>
          {executions.length > 1 && (
            <label class="field">
              <span>{t.skipping.execution}</span>
              <select value={execution?.id} onChange={(event) => setChosen(event.currentTarget.value)}>
                {executions.map((one) => (
                  <option value={one.id}>
                    {one.id}, {t.skipping.since} {local(new Date(one.since))}
                  </option>
                ))}
              </select>
            </label>
          )}
          <SkipFields given={given} change={setGiven} />
          <ProblemBox problem={action.problem} />
          <footer>
            <button
              type="button"
              class="strong"
              disabled={action.busy || skip === null}
              onClick={async () => {
                if (skip && (await action.run(() => alterOne(instance.id, skip)))) {
                  setOpen(false);
                  done();
                }
              }}
            >
              {t.skipping.go}
            </button>
          </footer>
        </Dialog>
      )}
    </Allowed>
  );
}

/** For several instances: the activity, too, is asked for. Calls `choose` with what can be done. */
export function BulkSkipFields({ choose }: { choose: (skip: Skip | null) => void }) {
  const [activityId, setActivityId] = useState("");
  const [given, setGiven] = useState(NOTHING);
  const tell = (id: string, next: Given) => {
    setActivityId(id);
    setGiven(next);
    choose(id.trim() ? skipOf({ activityId: id.trim() }, next) : null);
  };
  return (
    <>
      <label class="field">
        <span>{t.skipping.activity}</span>
        <input value={activityId} onInput={(event) => tell(event.currentTarget.value, given)} />
      </label>
      <SkipFields given={given} change={(next) => tell(activityId, next)} />
    </>
  );
}
