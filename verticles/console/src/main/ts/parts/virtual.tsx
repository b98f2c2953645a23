import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Column } from "./basics";

const ROW_PX = 34;
const BEYOND = 12;

/** The row that was chosen, and where it stood; without an id it is not there yet. */
interface Cursor {
  index: number;
  id?: string;
}

/** Where the chosen row stands now, as others may have come before it; -1: nowhere that is known. */
function placeOf<T>(cursor: Cursor, rows: { row: (index: number) => T | undefined; id: (row: T) => string; find: (id: string) => number | undefined }): number {
  if (cursor.id === undefined) {
    return cursor.index;
  }
  const there = rows.row(cursor.index);
  return there && rows.id(there) === cursor.id ? cursor.index : (rows.find(cursor.id) ?? -1);
}

/**
 * A grid of which only the rows in sight are in the document, so that 100,000 of them scroll as few
 * do. A row that is not there yet is asked for by `need`.
 */
export function VirtualGrid<T>(props: {
  label: string;
  columns: Column<T>[];
  total: number;
  row: (index: number) => T | undefined;
  /** Which row it is, wherever it stands. */
  id: (row: T) => string;
  /** Where the row with an id stands, as far as rows are there. */
  find: (id: string) => number | undefined;
  need: (first: number, last: number) => void;
  href: (row: T) => string;
  open: (row: T) => void;
  template: string;
}) {
  const view = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 40 });
  const [cursor, setCursor] = useState<Cursor>({ index: -1 });
  const at = placeOf(cursor, props);
  const under = cursor.id === undefined && at >= 0 ? props.row(at) : undefined;
  useEffect(() => {
    if (under) {
      setCursor({ index: at, id: props.id(under) });
    }
  }, [under]);

  const measure = () => {
    const element = view.current;
    if (element) {
      const first = Math.max(0, Math.floor(element.scrollTop / ROW_PX) - BEYOND);
      const last = Math.min(props.total, Math.ceil((element.scrollTop + element.clientHeight) / ROW_PX) + BEYOND);
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
    }
  };
  useEffect(measure, [props.total]);
  useEffect(() => {
    const resized = new ResizeObserver(measure);
    if (view.current) {
      resized.observe(view.current);
    }
    return () => resized.disconnect();
  }, [props.total]);
  useEffect(() => props.need(range.first, range.last), [range.first, range.last, props.total, props.need]);

  const move = (to: number) => {
    const next = Math.max(0, Math.min(props.total - 1, to));
    const row = props.row(next);
    setCursor(row ? { index: next, id: props.id(row) } : { index: next });
    const element = view.current;
    if (element) {
      const top = next * ROW_PX;
      if (top < element.scrollTop) {
        element.scrollTop = top;
      } else if (top + 2 * ROW_PX > element.scrollTop + element.clientHeight) {
        element.scrollTop = top + 2 * ROW_PX - element.clientHeight;
      }
    }
  };
  const typed = (event: KeyboardEvent) => {
    const row = at >= 0 ? props.row(at) : undefined;
    const from = at >= 0 ? at : cursor.index;
    if (event.key === "j" || event.key === "ArrowDown") {
      move(from + 1);
    } else if (event.key === "k" || event.key === "ArrowUp") {
      move(from - 1);
    } else if (event.key === "Home") {
      move(0);
    } else if (event.key === "End") {
      move(props.total - 1);
    } else if (event.key === "Enter" && row && event.target === view.current) {
      props.open(row);
    } else {
      return;
    }
    event.preventDefault();
  };

  const rows: ComponentChildren[] = [];
  for (let index = range.first; index < Math.min(range.last, props.total); index++) {
    const row = props.row(index);
    rows.push(
      <div
        key={index}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={index === at ? "true" : undefined}
        class={"row" + (index === at ? " cursor" : "")}
        style={{ top: index * ROW_PX + "px", gridTemplateColumns: props.template }}
      >
        {props.columns.map((column, number) => (
          <div role="gridcell" class={column.class}>
            {row ? (
              number === 0 ? (
                <a href={props.href(row)}>{column.cell(row)}</a>
              ) : (
                column.cell(row)
              )
            ) : (
              <span class="bone" aria-hidden="true" />
            )}
          </div>
        ))}
      </div>,
    );
  }
  return (
    <div class="grid" role="grid" aria-label={props.label} aria-rowcount={props.total + 1}>
      <div role="rowgroup">
        <div class="row heading" role="row" style={{ gridTemplateColumns: props.template }}>
          {props.columns.map((column) => (
            <div role="columnheader" class={column.class}>
              {column.title}
            </div>
          ))}
        </div>
      </div>
      <div ref={view} class="view" role="rowgroup" tabIndex={0} aria-label={props.label} onScroll={measure} onKeyDown={typed}>
        <div class="all" role="presentation" style={{ height: props.total * ROW_PX + "px" }}>
          {rows}
        </div>
      </div>
    </div>
  );
}
