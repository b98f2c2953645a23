import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAction } from "../api";
import { may } from "../session";
import { t } from "../text";
import { ProblemBox } from "./basics";

/** A modal dialog of the browser's own: it keeps the focus, Escape closes it, and the focus is then where it was. */
export function Dialog(props: {
  title: string;
  close: () => void;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  // before the next key is handled, so that a quick Tab stays inside
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (document.activeElement === document.body) {
        document.getElementById("main")?.focus({ preventScroll: true }); // what had the focus is gone
      }
    };
  }, []);
  // "close" is delivered by a later task. So Escape is taken as the view's own wish to close, and the "close" of a dialog that is
  // gone is ignored: otherwise a quick user's next dialog would not open, or would close by itself.
  const cancel = (event: Event) => {
    if (event.target === element.current) {
      event.preventDefault();
      props.close();
    }
  };
  const closed = (event: Event) => {
    if (event.target === element.current) {
      props.close();
    }
  };
  return (
    <dialog ref={element} class={props.wide ? "wide" : ""} onCancel={cancel} onClose={closed} aria-label={props.title}>
      <header>
        <h2>{props.title}</h2>
        <button type="button" class="quiet" onClick={props.close}>
          {t.common.close}
        </button>
      </header>
      {props.children}
    </dialog>
  );
}

/** What is offered only to those who may do it, as the server would decide. */
export function Allowed(props: { needs: string; children: ComponentChildren }) {
  return may(props.needs) ? <>{props.children}</> : null;
}

/** A button that asks before it does what cannot be undone. */
export function Confirmed(props: {
  label: string;
  /** Of what, where several such buttons are on a page. */
  about?: string;
  question: string;
  /** What the button says that does it; the label where it is left out. */
  go?: string;
  needs: string;
  danger?: boolean;
  disabled?: boolean;
  work: () => Promise<unknown>;
  done?: () => void;
}) {
  const [open, setOpen] = useState(false);
  const action = useAction();
  if (!may(props.needs)) {
    return null;
  }
  return (
    <>
      <button type="button" class={props.danger ? "danger" : ""} disabled={props.disabled} aria-label={props.about && `${props.label} ${props.about}`} onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {open && (
        <Dialog title={props.go ?? props.label} close={() => setOpen(false)}>
          <p>{props.question}</p>
          <ProblemBox problem={action.problem} />
          <footer>
            <button type="button" onClick={() => setOpen(false)}>
              {t.common.close}
            </button>
            <button
              type="button"
              class={props.danger ? "danger strong" : "strong"}
              disabled={action.busy}
              onClick={async () => {
                if (await action.run(props.work)) {
                  setOpen(false);
                  props.done?.();
                }
              }}
            >
              {props.go ?? props.label}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

/** A button that does something at once, and says beside it why it could not. */
export function Acting(props: { label: string; needs: string; class?: string; work: () => Promise<unknown>; done?: () => void }) {
  const action = useAction();
  if (!may(props.needs)) {
    return null;
  }
  return (
    <>
      <button
        type="button"
        class={props.class}
        disabled={action.busy}
        onClick={async () => {
          if (await action.run(props.work)) {
            props.done?.();
          }
        }}
      >
        {props.label}
      </button>
      {action.problem && (
        <Dialog title={props.label} close={action.clear}>
          <ProblemBox problem={action.problem} />
        </Dialog>
      )}
    </>
  );
}

export type Parsed = { value: unknown } | { wrong: string };

export function parse(text: string, objectOnly: boolean): Parsed {
  if (text.trim() === "" && objectOnly) {
    return { value: {} };
  }
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return objectOnly && !isObject ? { wrong: t.common.notAnObject } : { value };
  } catch {
    return { wrong: t.common.invalidJson };
  }
}

/** JSON that is typed; says at once when it is none. */
export function JsonField(props: {
  label: string;
  text: string;
  objectOnly?: boolean;
  onText: (text: string) => void;
}) {
  const parsed = parse(props.text, props.objectOnly ?? false);
  const wrong = "wrong" in parsed ? parsed.wrong : "";
  return (
    <label class="field">
      <span>{props.label}</span>
      <textarea
        class="code"
        rows={6}
        spellcheck={false}
        value={props.text}
        aria-invalid={wrong ? "true" : undefined}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      <small class="wrong" role="status">
        {wrong}
      </small>
    </label>
  );
}
