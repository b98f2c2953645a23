import { useState } from "preact/hooks";
import { useAction } from "../api";
import { local } from "../format";
import type { Activity, Instance, JournalEntry } from "../model";
import { ProblemBox } from "../parts/basics";
import { Allowed, Dialog, JsonField, parse } from "../parts/dialog";
import { partsOf } from "../parts/layout";
import { t } from "../text";
import { alterOne, type Skip } from "./alter";

/** What is known without asking of an activity that may be skipped. */
interface Given {
  reason: string;
  outcome: string;
  output: string;
}

const OUTCOMES = "outcomes-of-activity";

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

/** The reason, the outcome and the output of a skip. `outcomes`: those that are offered. */
export function SkipFields({ given, change, outcomes = [] }: { given: Given; change: (given: Given) => void; outcomes?: string[] }) {
  return (
    <>
      <label class="field">
        <span>{t.skipping.reason}</span>
        <input value={given.reason} onInput={(event) => change({ ...given, reason: event.currentTarget.value })} />
      </label>
      <label class="field">
        <span>{t.skipping.outcome}</span>
        <input
          value={given.outcome}
          placeholder={outcomes.length === 0 || outcomes.includes("Done") ? "Done" : outcomes.join(", ")}
          list={OUTCOMES}
          onInput={(event) => change({ ...given, outcome: event.currentTarget.value })}
        />
        <datalist id={OUTCOMES}>
          {outcomes.map((outcome) => (
            <option value={outcome} />
          ))}
        </datalist>
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

/**
 * Of an activity, by the entries of the journal about it. The journal alone does not tell what is over: a fault that the
 * workflow has handled has no further entry.
 */
export function openExecutions(instance: Instance, entries: JournalEntry[]): OpenExecution[] {
  const ids = new Set(entries.map((entry) => entry.activityInstanceId));
  return instance.workflowState.activityExecutionContexts
    .filter((one) => one.parentContextId !== null && ids.has(one.id))
    .map(({ id, startedAt }) => ({ id, since: startedAt }));
}

/** The outcomes of an activity that connections follow, wherever below the root it is. */
export function outcomesOf(root: Activity, activityId: string): string[] {
  const parts = partsOf(root);
  const own = parts.flatMap((one) => one.links).filter((link) => link.from === activityId && link.port);
  const below = parts.flatMap((one) => one.activities).flatMap((activity) => outcomesOf(activity, activityId));
  return [...new Set([...own.map((link) => link.port), ...below])];
}

/**
 * Ends one execution of an activity that waits or is faulted as if it had completed; refused once it is over.
 * `outcomes`: of the activity, as far as they are known.
 */
export function SkipButton(props: { instance: Instance; executions: OpenExecution[]; outcomes: string[]; done: () => void }) {
  const { instance, executions, outcomes, done } = props;
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
          <SkipFields given={given} change={setGiven} outcomes={outcomes} />
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
