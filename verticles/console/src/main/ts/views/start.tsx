import { useState } from "preact/hooks";
import { part, post, useAction } from "../api";
import { json } from "../format";
import type { Declaration, Definition, Schema } from "../model";
import { ProblemBox } from "../parts/basics";
import { Allowed, Dialog, JsonField, parse } from "../parts/dialog";
import { SchemaForm } from "../parts/schemaForm";
import { go, to } from "../router";
import { t } from "../text";

const TYPES: Record<string, Schema> = {
  String: { type: "string" },
  Int32: { type: "integer" },
  Int64: { type: "integer" },
  Single: { type: "number" },
  Double: { type: "number" },
  Decimal: { type: "number" },
  Boolean: { type: "boolean" },
  DateTime: { type: "string", format: "date-time" },
  DateTimeOffset: { type: "string", format: "date-time" },
};

/** Fields for the inputs whose types have one; the others are written as JSON. */
function schemaOf(inputs: Declaration[]): Schema | undefined {
  const fields = inputs.flatMap((one): [string, Schema][] => {
    const type = TYPES[one.type ?? one.typeName ?? ""];
    return type ? [[one.name, { ...type, title: one.displayName || one.name, ...(one.description ? { description: one.description } : {}) }]] : [];
  });
  return fields.length > 0 ? { type: "object", properties: Object.fromEntries(fields) } : undefined;
}

/** An empty value for each declared input, to be filled in. */
function sample(inputs: Declaration[]): Record<string, unknown> {
  const empty: Record<string, unknown> = { String: "", Int32: 0, Int64: 0, Double: 0, Decimal: 0, Boolean: false };
  return Object.fromEntries(inputs.map((one) => [one.name, one.defaultValue ?? empty[one.type ?? ""] ?? null]));
}

/** Starts an instance; what is typed into a field is seen in the JSON that is sent, and the other way round. */
export function StartButton({ definition }: { definition: Definition }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState(() => json(sample(definition.inputs ?? [])));
  const [correlation, setCorrelation] = useState("");
  const action = useAction();
  const parsed = parse(text, true);
  const schema = schemaOf(definition.inputs ?? []);
  return (
    <>
      <Allowed needs="exec:workflow-definitions">
        <button type="button" class="strong" onClick={() => setOpen(true)}>
          {t.definitions.start}
        </button>
      </Allowed>
      {open && (
        <Dialog title={`${t.definitions.startTitle} ${definition.name || definition.definitionId}`} close={() => setOpen(false)}>
          {schema && (
            <fieldset class="within" disabled={"wrong" in parsed}>
              <legend>{t.definitions.fields}</legend>
              <SchemaForm schema={schema} data={"value" in parsed ? (parsed.value as Record<string, unknown>) : {}} onData={(data) => setText(json(data))} />
            </fieldset>
          )}
          <JsonField label={t.definitions.input} text={text} objectOnly onText={setText} />
          <label class="field">
            <span>{t.definitions.correlation}</span>
            <input value={correlation} onInput={(event) => setCorrelation(event.currentTarget.value)} />
          </label>
          <ProblemBox problem={action.problem} />
          <footer>
            <button
              type="button"
              class="strong"
              disabled={action.busy || "wrong" in parsed}
              onClick={() =>
                void action.run(async () => {
                  const started = await post<{ id: string }>("/workflow-instances", {
                    definitionId: definition.definitionId,
                    input: "value" in parsed ? parsed.value : {},
                    ...(correlation ? { correlationId: correlation } : {}),
                  });
                  go(to("instances/" + part(started.id)));
                })
              }
            >
              {t.definitions.startNow}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
