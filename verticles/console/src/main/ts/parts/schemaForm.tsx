import { instant, localInput } from "../format";
import type { Schema } from "../model";
import { t } from "../text";

type Data = Record<string, unknown>;

function typeOf(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  return type ?? "string";
}

/** Fields within fields, at most. */
const DEPTH_MAX = 4;

/** Texts that may be longer than this are written in several lines. */
const LINE_CHARS_MAX = 200;

/** Choices of which several may be taken. */
function choicesOf(schema: Schema): unknown[] | undefined {
  return typeOf(schema) === "array" ? schema.items?.enum : undefined;
}

function hasField(schema: Schema, depth: number): boolean {
  return Boolean(schema.enum ?? choicesOf(schema)) || ["string", "number", "integer", "boolean"].includes(typeOf(schema)) || (typeOf(schema) === "object" && depth > 0 && hasFields(schema, depth - 1));
}

function hasFields(schema: Schema, depth: number): boolean {
  const properties = Object.values(schema.properties ?? {});
  return properties.length > 0 && properties.every((one) => one && hasField(one, depth));
}

/** Whether each property has a field of its own; other forms are filled in as JSON. */
export function isSimple(schema: Schema | null): schema is Schema {
  return schema !== null && hasFields(schema, DEPTH_MAX);
}

/** What fields show before anything is typed. */
export function initial(schema: Schema): Data {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
      const within = typeOf(one) === "object" && one.default === undefined ? initial(one) : {};
      const first = one.default ?? (typeOf(one) === "boolean" ? false : Object.keys(within).length > 0 ? within : undefined);
      return first === undefined ? [] : [[name, first]];
    }),
  );
}

/** Fields for the properties of a JSON Schema; the server checks what is sent. */
export function SchemaForm(props: { schema: Schema; data: Data; onData: (data: Data) => void }) {
  const set = (name: string, value: unknown) => {
    const next = { ...props.data };
    if (value === undefined || value === "") {
      delete next[name];
    } else {
      next[name] = value;
    }
    props.onData(next);
  };
  return (
    <div class="form">
      {Object.entries(props.schema.properties ?? {}).map(([name, schema]) => (
        <Field
          name={name}
          schema={schema}
          required={props.schema.required?.includes(name) ?? false}
          value={props.data[name]}
          set={(value) => set(name, value)}
        />
      ))}
    </div>
  );
}

function Field(props: { name: string; schema: Schema; required: boolean; value: unknown; set: (value: unknown) => void }) {
  const { schema, required } = props;
  const type = typeOf(schema);
  const label = schema.title ?? props.name;
  const shown = props.value === undefined || props.value === null ? "" : String(props.value);
  if (type === "object" && !schema.enum) {
    return (
      <fieldset class="within">
        <legend>{label}</legend>
        <SchemaForm schema={schema} data={(props.value ?? {}) as Data} onData={props.set} />
      </fieldset>
    );
  }
  const choices = choicesOf(schema);
  if (choices) {
    const taken = Array.isArray(props.value) ? (props.value as unknown[]) : [];
    return (
      <fieldset>
        <legend>{label}</legend>
        {choices.map((one) => (
          <label class="check">
            <input
              type="checkbox"
              checked={taken.includes(one)}
              onChange={(event) => props.set(event.currentTarget.checked ? choices.filter((other) => other === one || taken.includes(other)) : taken.filter((other) => other !== one))}
            />
            {String(one)}
          </label>
        ))}
      </fieldset>
    );
  }
  if (type === "boolean") {
    return (
      <label class="check">
        <input type="checkbox" checked={props.value === true} onChange={(event) => props.set(event.currentTarget.checked)} />
        {label}
      </label>
    );
  }
  return (
    <label class="field">
      <span>
        {label} {required && <small class="faint">{t.tasks.required}</small>}
      </span>
      {schema.enum ? (
        <select
          value={String(schema.enum.findIndex((one) => one === props.value))}
          required={required}
          onChange={(event) => props.set(schema.enum?.[Number(event.currentTarget.value)])}
        >
          <option value="-1" />
          {schema.enum.map((one, index) => (
            <option value={String(index)}>{String(one)}</option>
          ))}
        </select>
      ) : type === "number" || type === "integer" ? (
        <input
          type="number"
          step={type === "integer" ? 1 : "any"}
          min={schema.minimum}
          max={schema.maximum}
          required={required}
          value={shown}
          onInput={(event) => props.set(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}
        />
      ) : type === "string" && (schema.maxLength ?? 0) > LINE_CHARS_MAX ? (
        <textarea rows={4} minLength={schema.minLength} maxLength={schema.maxLength} required={required} value={shown} onInput={(event) => props.set(event.currentTarget.value)} />
      ) : schema.format === "date-time" ? (
        <input
          type="datetime-local"
          required={required}
          value={shown && localInput(new Date(shown))}
          onInput={(event) => props.set(instant(event.currentTarget.value))}
        />
      ) : (
        <input
          type={(schema.format === "date" ? "date" : schema.format === "email" ? "email" : "text") as "text"}
          minLength={schema.minLength}
          maxLength={schema.maxLength}
          required={required}
          value={shown}
          onInput={(event) => props.set(event.currentTarget.value)}
        />
      )}
      {schema.description && <small class="faint">{schema.description}</small>}
    </label>
  );
}
