import { useState } from "preact/hooks";
import { asProblem, get, part, post, useAction } from "../api";
import { json } from "../format";
import type { Instance, Variable } from "../model";
import { ProblemBox } from "../parts/basics";
import { Acting, Dialog, JsonField, parse } from "../parts/dialog";
import { go, to } from "../router";
import { t } from "../text";

/** What is answered, without a code of its own, when it has started and faulted. */
const FAULTED = "HTTP_500";

/** A unique id; `crypto.randomUUID` is not available by plain HTTP. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Starts another instance of the same version, with the input and the variables of this one. */
export function CopyButton({ instance }: { instance: Instance }) {
  const [variables, setVariables] = useState<string>();
  const look = async () => {
    const { items } = await get<{ items: Variable[] }>(`/workflow-instances/${part(instance.id)}/variables`);
    setVariables(json(Object.fromEntries(items.map((one) => [one.name, one.value]))));
  };
  return (
    <>
      <Acting label={t.copy.button} needs="exec:workflow-definitions" work={look} />
      {variables !== undefined && <CopyDialog instance={instance} given={variables} close={() => setVariables(undefined)} />}
    </>
  );
}

function CopyDialog({ instance, given, close }: { instance: Instance; given: string; close: () => void }) {
  const [input, setInput] = useState(() => json(instance.workflowState.input));
  const [variables, setVariables] = useState(given);
  const [correlationId, setCorrelationId] = useState("");
  const action = useAction();
  const inputs = parse(input, true);
  const values = parse(variables, true);
  const start = async () => {
    const instanceId = newId();
    const body = {
      instanceId,
      versionOptions: String(instance.version),
      input: "value" in inputs ? inputs.value : {},
      variables: "value" in values ? values.value : {},
      ...(correlationId ? { correlationId } : {}),
    };
    try {
      await post(`/workflow-definitions/${part(instance.definitionId)}/execute`, body);
    } catch (failure) {
      if (asProblem(failure).code !== FAULTED) {
        throw failure;
      }
    }
    go(to("instances/" + instanceId));
  };
  return (
    <Dialog title={t.copy.title} close={close}>
      <p>{t.copy.how}</p>
      <JsonField label={t.definitions.input} text={input} objectOnly onText={setInput} />
      <JsonField label={t.copy.variables} text={variables} objectOnly onText={setVariables} />
      <label class="field">
        <span>{t.definitions.correlation}</span>
        <input value={correlationId} onInput={(event) => setCorrelationId(event.currentTarget.value)} />
      </label>
      <ProblemBox problem={action.problem} />
      <footer>
        <button type="button" class="strong" disabled={action.busy || "wrong" in inputs || "wrong" in values} onClick={() => void action.run(start)}>
          {t.definitions.startNow}
        </button>
      </footer>
    </Dialog>
  );
}
