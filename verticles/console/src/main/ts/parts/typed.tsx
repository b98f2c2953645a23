import { useEffect, useRef, useState } from "preact/hooks";

const TYPING_MS = 250;

/** A field whose value is taken when nothing has been typed for a moment. */
export function Typed(props: {
  label: string;
  value: string;
  onValue: (text: string) => void;
  type?: "search";
  wide?: boolean;
  narrow?: boolean;
  hint?: string;
  /** The id of a list of completions. */
  list?: string;
}) {
  const [text, setText] = useState(props.value);
  const timer = useRef(0);
  const taken = useRef(props.value);
  const onValue = useRef(props.onValue);
  onValue.current = props.onValue; // what other fields hold may have changed since a key was pressed
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    if (props.value !== taken.current) {
      taken.current = props.value;
      window.clearTimeout(timer.current);
      setText(props.value); // from elsewhere; what was typed since then would be lost
    }
  }, [props.value]);
  return (
    <label class={"field" + (props.wide ? " wide" : "") + (props.narrow ? " narrow" : "")}>
      <span>{props.label}</span>
      <input
        type={(props.type ?? "text") as "text"}
        value={text}
        placeholder={props.hint}
        list={props.list}
        data-search={props.type === "search" ? "" : undefined}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => {
            taken.current = next.trim();
            onValue.current(taken.current);
          }, TYPING_MS);
        }}
      />
    </label>
  );
}
