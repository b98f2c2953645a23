import { useState } from "preact/hooks";
import { part, post, useAction } from "../api";
import { instant, localInput } from "../format";
import type { Bookmark } from "../model";
import { ProblemBox } from "../parts/basics";
import { Acting, Allowed, Dialog } from "../parts/dialog";
import { t } from "../text";

const NEEDS = "run:alterations";

/** Which the engine alone resumes; it is told that they are due. */
const OF_ENGINE = ["Skein.Retry", "Skein.Timeout", "Skein.Expiry"];

/** Kinds whose instant is the end of a wait for other work. */
const AT_WORK = ["Skein.Work", "Skein.Job"];

/** Whether the clock resumes it. */
export function isTimed(bookmark: Bookmark): boolean {
  return bookmark.dueAt !== null && !AT_WORK.includes(bookmark.name);
}

/** Fires what waits for an instant now, or at another one. */
export function DueButtons({ instanceId, bookmark, done }: { instanceId: string; bookmark: Bookmark; done: () => void }) {
  const [open, setOpen] = useState(false);
  const path = "/workflow-instances/" + part(instanceId);
  const due = `${path}/bookmarks/${part(bookmark.id)}/due`;
  const ofEngine = OF_ENGINE.includes(bookmark.name);
  return (
    <>
      <Allowed needs={NEEDS}>
        <button type="button" onClick={() => setOpen(true)}>
          {t.due.change}
        </button>
      </Allowed>
      <Acting
        label={t.due.fire}
        needs={ofEngine ? NEEDS : "resume:workflow-instances"}
        class="strong"
        work={() => (ofEngine ? post(due, { dueAt: new Date().toISOString() }) : post(path + "/resume", { bookmarkId: bookmark.id, input: {} }))}
        done={done}
      />
      {open && <ChangeDue path={due} dueAt={bookmark.dueAt} close={() => setOpen(false)} done={done} />}
    </>
  );
}

function ChangeDue(props: { path: string; dueAt: string | null; close: () => void; done: () => void }) {
  const [at, setAt] = useState(props.dueAt ? localInput(new Date(props.dueAt)) : "");
  const action = useAction();
  const dueAt = instant(at);
  return (
    <Dialog title={t.due.title} close={props.close}>
      <p>{t.due.how}</p>
      <label class="field">
        <span>{t.due.at}</span>
        <input type="datetime-local" value={at} onInput={(event) => setAt(event.currentTarget.value)} />
      </label>
      <ProblemBox problem={action.problem} />
      <footer>
        <button
          type="button"
          class="strong"
          disabled={action.busy || !dueAt}
          onClick={async () => {
            if (await action.run(() => post(props.path, { dueAt }))) {
              props.close();
              props.done();
            }
          }}
        >
          {t.due.go}
        </button>
      </footer>
    </Dialog>
  );
}
