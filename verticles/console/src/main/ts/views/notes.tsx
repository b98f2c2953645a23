import { useState } from "preact/hooks";
import { part, post, useAction, type Resource } from "../api";
import type { Note, Page } from "../model";
import { Empty, Loading, Panel, ProblemBox, Time } from "../parts/basics";
import { Allowed } from "../parts/dialog";
import { t } from "../text";

const CHARS_MAX = 2_000;

/** What people have noted about an instance, and a field for another note. */
export function Notes({ instanceId, notes }: { instanceId: string; notes: Resource<Page<Note>> }) {
  if (!notes.data) {
    return notes.problem ? <ProblemBox problem={notes.problem} retry={notes.reload} /> : <Loading />;
  }
  const { items } = notes.data;
  return (
    <Panel title={t.notes.title}>
      <ProblemBox problem={notes.problem} retry={notes.reload} />
      {items.length === 0 && <Empty>{t.notes.none}</Empty>}
      {items.map((note) => (
        <article key={note.id} class="noted">
          <p class="faint">
            <strong>{note.author ?? t.notes.nobody}</strong> <Time at={note.at} />
          </p>
          <p class="message">{note.text}</p>
        </article>
      ))}
      <Allowed needs="run:alterations">
        <NewNote instanceId={instanceId} done={notes.reload} />
      </Allowed>
    </Panel>
  );
}

function NewNote({ instanceId, done }: { instanceId: string; done: () => void }) {
  const [text, setText] = useState("");
  const action = useAction();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action
          .run(() => post(`/workflow-instances/${part(instanceId)}/notes`, { text }))
          .then((added) => {
            if (added) {
              setText("");
              done();
            }
          });
      }}
    >
      <label class="field wide">
        <span>{t.notes.text}</span>
        <textarea rows={3} maxLength={CHARS_MAX} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <ProblemBox problem={action.problem} />
      <div class="row-of">
        <button type="submit" class="strong" disabled={action.busy || text.trim() === ""}>
          {t.notes.add}
        </button>
      </div>
    </form>
  );
}
