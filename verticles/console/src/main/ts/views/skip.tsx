import { useState } from "preact/hooks";
import { useAction } from "../api";
import type { Instance } from "../model";
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
function skipOf(activityId: string, given: Given): Skip | null {
  const output = parse(given.output, true);
  return "wrong" in output
    ? null
    : {
        type: "Skip",
        activityId,
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

/** Ends an activity that waits or is faulted as if it had completed. */
export function SkipButton({ instance, activityId, done }: { instance: Instance; activityId: string; done: () => void }) {
  const [open, setOpen] = useState(false);
  const [given, setGiven] = useState(NOTHING);
  const action = useAction();
  const skip = skipOf(activityId, given);
  return (
    <Allowed needs="run:alterations">
      <button type="button" onClick={() => setOpen(true)}>
        {t.skipping.button}
      </button>
      {open && (
        <Dialog title={t.skipping.title} close={() => setOpen(false)}>
          <p>{t.skipping.how}</p>
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
    choose(id.trim() ? skipOf(id.trim(), next) : null);
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
