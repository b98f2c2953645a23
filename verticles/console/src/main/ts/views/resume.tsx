import { useState } from "preact/hooks";
import { part, post, useAction } from "../api";
import { ProblemBox } from "../parts/basics";
import { Allowed, Dialog, JsonField, parse } from "../parts/dialog";
import { t } from "../text";

/** Resumes an instance with an input, at one bookmark where it has several. */
export function ResumeButton(props: { id: string; bookmarkId?: string; done: () => void }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("{}");
  const action = useAction();
  const parsed = parse(text, true);
  return (
    <>
      <Allowed needs="resume:workflow-instances">
        <button type="button" class="strong" onClick={() => setOpen(true)}>
          {t.instance.resume}
        </button>
      </Allowed>
      {open && (
        <Dialog title={t.instance.resumeTitle} close={() => setOpen(false)}>
          <JsonField label={t.instance.resumeInput} text={text} objectOnly onText={setText} />
          <ProblemBox problem={action.problem} />
          <footer>
            <button
              type="button"
              class="strong"
              disabled={action.busy || "wrong" in parsed}
              onClick={async () => {
                const body = { input: "value" in parsed ? parsed.value : {}, ...(props.bookmarkId ? { bookmarkId: props.bookmarkId } : {}) };
                if (await action.run(() => post(`/workflow-instances/${part(props.id)}/resume`, body))) {
                  setOpen(false);
                  props.done();
                }
              }}
            >
              {t.instance.resume}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
