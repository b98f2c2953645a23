import type { Schema } from "../model";
import { t } from "../text";

type Data = Record<string, unknown>;

function typeOf(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  return type ?? "string";
}

/** Whether each property has a field of its own; other forms are filled in as JSON. */
export function isSimple(schema: Schema | null): schema is Schema {
  const properties = Object.values(schema?.properties ?? {});
  return properties.length > 0 && properties.every((one) => one && (one.enum || ["string", "number", "integer", "boolean"].includes(typeOf(one))));
}

/** What fields show before anything is typed. */
export function initial(schema: Schema): Data {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      one.default !== undefined ? [[name, one.default]] : typeOf(one) === "boolean" ? [[name, false]] : [],
    ),
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
