import { useState } from "preact/hooks";
import { part, post, useAction } from "../api";
import { json } from "../format";
import type { Instance, JournalEntry } from "../model";
import { ProblemBox } from "../parts/basics";
import { Dialog, JsonField, parse } from "../parts/dialog";
import { go, to } from "../router";
import { may } from "../session";
import { t } from "../text";
import type { Value } from "./history";

/** The values that differ from those of the journal, since only they are to be replaced. */
function changed(values: Value[], given: Record<string, unknown>): Record<string, unknown> {
  const before = new Map(values.map((one) => [one.name, JSON.stringify(one.value)]));
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => before.get(name) !== JSON.stringify(value)));
}

/** Starts another instance with the state that this one had after the burst with this last entry. */
export function ForkButton({ instance, last, values }: { instance: Instance; last: JournalEntry; values: Value[] }) {
  const [open, setOpen] = useState(false);
  if (!may("exec:workflow-definitions") || !may("read:workflow-instances")) {
    return null;
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t.fork.button}
      </button>
      {open && <ForkDialog instance={instance} last={last} values={values} close={() => setOpen(false)} />}
    </>
  );
}

function ForkDialog(props: { instance: Instance; last: JournalEntry; values: Value[]; close: () => void }) {
  const { instance, last, values, close } = props;
  const [variables, setVariables] = useState(() => json(Object.fromEntries(values.map((one) => [one.name, one.value]))));
  const [correlationId, setCorrelationId] = useState("");
  const action = useAction();
  const given = parse(variables, true);
  const start = async () => {
    const replaced = "value" in given ? changed(values, given.value as Record<string, unknown>) : {};
    const { id } = await post<{ id: string }>(`/workflow-instances/${part(instance.id)}/fork`, {
      sequence: last.sequence,
      variables: replaced,
      ...(correlationId ? { correlationId } : {}),
    });
    go(to("instances/" + part(id)));
  };
  return (
    <Dialog title={t.fork.title} close={close}>
      <p>{t.fork.how}</p>
      <JsonField label={t.copy.variables} text={variables} objectOnly onText={setVariables} />
      <label class="field">
        <span>{t.definitions.correlation}</span>
        <input value={correlationId} onInput={(event) => setCorrelationId(event.currentTarget.value)} />
      </label>
      <ProblemBox problem={action.problem} />
      <footer>
        <button type="button" class="strong" disabled={action.busy || "wrong" in given} onClick={() => void action.run(start)}>
          {t.fork.go}
        </button>
      </footer>
    </Dialog>
  );
}
