import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { asProblem, part, post, type Problem, useAction } from "../api";
import { json } from "../format";
import type { Activity, CheckedDefinition, Definition, Finding } from "../model";
import { Empty, type Kind, Panel, ProblemBox, Status } from "../parts/basics";
import { parse } from "../parts/dialog";
import { Diagram } from "../parts/diagram";
import { go, to } from "../router";
import { t } from "../text";

const TYPING_MS = 500;

const LEGEND: [Kind, string][] = [
  ["bad", t.edit.error],
  ["warn", t.edit.warning],
];

/** The document that is saved: what the server adds for readers is left out. */
function documentOf(definition: Definition): string {
  const { links: _, ...rest } = definition;
  return json(rest);
}

/** What the server would say of the text; asked when nothing has been typed for a moment. */
function useCheck(text: string): { checked: CheckedDefinition | undefined; problem: Problem | undefined; busy: boolean } {
  const [state, setState] = useState<{ text: string; checked?: CheckedDefinition; problem?: Problem }>({ text: "" });
  useEffect(() => {
    const parsed = parse(text, true);
    if ("wrong" in parsed) {
      return;
    }
    const aborting = new AbortController();
    const timer = window.setTimeout(() => {
      post<CheckedDefinition>("/workflow-definitions/validate", { model: parsed.value }, aborting.signal)
        .then((checked) => setState({ text, checked }))
        .catch((failure: unknown) => aborting.signal.aborted || setState({ text, problem: asProblem(failure) }));
    }, TYPING_MS);
    return () => {
      window.clearTimeout(timer);
      aborting.abort();
    };
  }, [text]);
  return { checked: state.checked, problem: state.text === text ? state.problem : undefined, busy: state.text !== text };
}

/** Puts the cursor where the text names the activity. */
function select(area: HTMLTextAreaElement | null, activityId: string): void {
  const at = area ? new RegExp(`"id"\\s*:\\s*${JSON.stringify(activityId).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`).exec(area.value) : null;
  if (area && at) {
    area.focus();
    area.setSelectionRange(at.index, at.index + at[0].length);
    const lines = area.value.slice(0, at.index).split("\n").length;
    area.scrollTop = (lines - 4) * (area.scrollHeight / area.value.split("\n").length);
  }
}

/** A definition as text, with what publishing it would refuse or warn of while it is typed. */
export function EditTab(props: { definition: Definition; mayEdit: boolean; mayPublish: boolean; saved: () => void }) {
  const { definition, mayEdit, mayPublish, saved } = props;
  const original = useMemo(() => documentOf(definition), [definition]);
  const [text, setText] = useState(original);
  const area = useRef<HTMLTextAreaElement>(null);
  const action = useAction();
  const { checked, problem, busy } = useCheck(text);
  const parsed = parse(text, true);
  const wrong = "wrong" in parsed ? parsed.wrong : "";
  const changed = text !== original;
  useEffect(() => {
    const leaving = (event: BeforeUnloadEvent) => changed && event.preventDefault();
    window.addEventListener("beforeunload", leaving);
    return () => window.removeEventListener("beforeunload", leaving);
  }, [changed]);
  const save = (publish: boolean) =>
    action.run(async () => {
      const model = "value" in parsed ? parsed.value : {};
      await post("/workflow-definitions", { model, publish });
      go(to("definitions/" + part(definition.definitionId), { tab: "edit" }), true);
      saved();
    });
  const root = "value" in parsed ? (parsed.value as { root?: Activity }).root : undefined;
  const marks = new Map<string, Kind>((checked?.findings ?? []).flatMap((one): [string, Kind][] => (one.activityId ? [[one.activityId, one.severity === "error" ? "bad" : "warn"]] : [])));
  return (
    <div class="split even">
      <Panel
        title={t.edit.title}
        aside={
          <>
            <button type="button" disabled={!changed || action.busy} onClick={() => setText(original)}>
              {t.edit.revert}
            </button>
            {mayEdit && (
              <button type="button" disabled={Boolean(wrong) || action.busy || !changed} onClick={() => void save(false)}>
                {t.edit.save}
              </button>
            )}
            {mayEdit && mayPublish && (
              <button type="button" class="strong" disabled={Boolean(wrong) || action.busy} onClick={() => void save(true)}>
                {t.edit.publish}
              </button>
            )}
          </>
        }
      >
        <ProblemBox problem={action.problem} />
        <label class="field">
          <span>{t.edit.document}</span>
          <textarea ref={area} class="code document" rows={30} spellcheck={false} value={text} aria-invalid={wrong ? "true" : undefined} onInput={(event) => setText(event.currentTarget.value)} />
          <small class="wrong" role="status">
            {wrong}
          </small>
        </label>
      </Panel>
      <div>
        <Panel title={t.edit.findings} aside={busy && !wrong ? t.edit.checking : checked && `${checked.errors} ${t.edit.errors}, ${checked.warnings} ${t.edit.warnings}`}>
          <ProblemBox problem={problem} />
          {checked && <Findings findings={checked.findings} show={(id) => select(area.current, id)} />}
        </Panel>
        {root && typeof root.type === "string" && (
          <Panel class="flush">
            <Diagram root={root} marks={marks} legend={LEGEND} select={(activity) => select(area.current, activity.id)} />
          </Panel>
        )}
      </div>
    </div>
  );
}

function Findings({ findings, show }: { findings: Finding[]; show: (activityId: string) => void }) {
  return findings.length === 0 ? (
    <Empty>{t.edit.none}</Empty>
  ) : (
    <ul class="findings">
      {findings.map((one) => (
        <li>
          <Status status={one.severity === "error" ? t.edit.error : t.edit.warning} kind={one.severity === "error" ? "bad" : "warn"} /> {one.message}
          <div class="faint">
            {one.activityId && (
              <button type="button" class="quiet" onClick={() => show(one.activityId ?? "")}>
                {one.activityId}
              </button>
            )}
            <code>{one.path}</code> <code>{one.code}</code>
          </div>
        </li>
      ))}
    </ul>
  );
}
