import { useEffect, useState } from "preact/hooks";
import { get, post, useAction } from "../api";
import { ANSWER_MAX_MS } from "../connection";
import { number } from "../format";
import type { RuntimeStatus } from "../model";
import { Mark, ProblemBox, Time } from "../parts/basics";
import { Confirmed, Dialog } from "../parts/dialog";
import { may } from "../session";
import { t } from "../text";

const PATH = "/admin/workflow-runtime";
const MANAGE = "ManageWorkflowRuntime";

/** How often a page that is seen asks whether the cluster is paused. */
const LOOK_MS = 10_000;

const REASON_CHARS_MAX = 500;

/** Tells the banner of this page that the answer may have changed. */
const CHANGED = "skein-runtime";

function changed(): void {
  window.dispatchEvent(new Event(CHANGED));
}

/** Undefined until it is known, and for those who may not know it. */
function useRuntime(path: string): RuntimeStatus | undefined {
  const [status, setStatus] = useState<RuntimeStatus>();
  const mayRead = may("read:workflow-runtime") || may(MANAGE);
  useEffect(() => {
    if (!mayRead) {
      return;
    }
    let gone = false;
    const look = () => {
      if (!document.hidden) {
        get<RuntimeStatus>(PATH + "/status", {}, AbortSignal.timeout(ANSWER_MAX_MS))
          .then((found) => gone || setStatus(found))
          .catch(() => {
            // What was known stays; another banner says that the node does not answer.
          });
      }
    };
    look();
    const timer = window.setInterval(look, LOOK_MS);
    window.addEventListener(CHANGED, look);
    document.addEventListener("visibilitychange", look);
    return () => {
      gone = true;
      window.clearInterval(timer);
      window.removeEventListener(CHANGED, look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [mayRead, path]);
  return status;
}

/** On every page while the cluster begins nothing new: since when, by whom and why, and how to resume it. */
export function PausedBanner({ path }: { path: string }) {
  const status = useRuntime(path);
  if (!status || status.state.isAcceptingNewWork) {
    return null;
  }
  const { state } = status;
  const drained = state.drainStartedAt !== null;
  return (
    <section class="banner" aria-label={t.runtime.label} role="status">
      <Mark kind="warn" />
      <div>
        <strong>{drained ? t.runtime.drained : t.runtime.paused}</strong>
        <p>
          {t.runtime.since} <Time at={state.pausedAt ?? state.drainStartedAt} exact />
          {state.pauseRequestedBy && (
            <>
              {" "}
              {t.runtime.by} <strong>{state.pauseRequestedBy}</strong>
            </>
          )}
          {state.pauseReasonText && `: ${state.pauseReasonText}`}
        </p>
        {status.activeExecutionCycleCount > 0 && <p>{t.runtime.stillRunning(number(status.activeExecutionCycleCount))}</p>}
      </div>
      {!drained && <Confirmed label={t.runtime.resume} question={t.runtime.confirmResume} needs={MANAGE} work={() => post(PATH + "/resume")} done={changed} />}
    </section>
  );
}

/** Pauses all nodes, after a reason was asked for; while they are paused, the banner resumes them. */
export function PauseClusterButton() {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const action = useAction();
  if (!may(MANAGE)) {
    return null;
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {t.runtime.pause}…
      </button>
      {open && (
        <Dialog title={t.runtime.pause} close={() => setOpen(false)}>
          <p>{t.runtime.pauseHow}</p>
          <label class="field">
            <span>{t.runtime.reason}</span>
            <input value={reason} maxLength={REASON_CHARS_MAX} onInput={(event) => setReason(event.currentTarget.value)} />
          </label>
          <ProblemBox problem={action.problem} />
          <footer>
            <button
              type="button"
              class="danger strong"
              disabled={action.busy}
              onClick={async () => {
                if (await action.run(() => post(PATH + "/pause", reason.trim() ? { reason: reason.trim() } : {}))) {
                  setOpen(false);
                  setReason("");
                  changed();
                }
              }}
            >
              {t.runtime.pause}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
