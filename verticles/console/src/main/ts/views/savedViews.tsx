import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog";
import { go, to } from "../router";
import { t } from "../text";
import { type Filters, filtersOf } from "./instanceFilters";

const KEY = "skein.instances.views";
const VIEWS_MAX = 50;
const NAME_CHARS_MAX = 60;

/** Filters with a name; kept by this browser. */
interface SavedView {
  name: string;
  query: string;
}

function isView(value: unknown): value is SavedView {
  const view = value as SavedView | null;
  return typeof view?.name === "string" && typeof view.query === "string";
}

function read(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView).slice(0, VIEWS_MAX) : [];
  } catch {
    return []; // Storage is forbidden, or another program has written there.
  }
}

function write(views: SavedView[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(views));
  } catch {
    // They last as long as this page.
  }
}

function queryOf(filters: Filters): string {
  return new URLSearchParams(filters as Record<string, string>).toString();
}

/** Chooses one of the saved filters, saves the present ones under a name, and removes the chosen ones. */
export function SavedViews({ filters }: { filters: Filters }) {
  const [views, setViews] = useState(read);
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState("");
  const query = queryOf(filters);
  const chosen = views.find((one) => one.query === query);
  const keep = (next: SavedView[]) => {
    setViews(next);
    write(next);
  };
  const save = () => {
    keep([...views.filter((one) => one.name !== name.trim()), { name: name.trim(), query }].slice(-VIEWS_MAX));
    setNaming(false);
    setName("");
  };
  return (
    <>
      {views.length > 0 && (
        <label class="field">
          <span>{t.views.label}</span>
          <select
            value={chosen?.name ?? ""}
            onChange={(event) => {
              const view = views.find((one) => one.name === event.currentTarget.value);
              go(to("instances", view ? (filtersOf(new URLSearchParams(view.query)) as Record<string, string>) : {}));
            }}
          >
            <option value="">–</option>
            {views.map((one) => (
              <option value={one.name}>{one.name}</option>
            ))}
          </select>
        </label>
      )}
      {chosen ? (
        <button type="button" class="quiet" onClick={() => keep(views.filter((one) => one !== chosen))}>
          {t.views.remove}
        </button>
      ) : (
        query && (
          <button type="button" class="quiet" onClick={() => setNaming(true)}>
            {t.views.save}
          </button>
        )
      )}
      {naming && (
        <Dialog title={t.views.title} close={() => setNaming(false)}>
          <label class="field">
            <span>{t.views.name}</span>
            <input value={name} maxLength={NAME_CHARS_MAX} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <p class="faint">{t.views.where}</p>
          <footer>
            <button type="button" class="strong" disabled={!name.trim()} onClick={save}>
              {t.views.keep}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
