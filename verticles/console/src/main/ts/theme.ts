const KEY = "skein.theme";

type Theme = "light" | "dark";

function shown(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark"
    ? kept
    : window.matchMedia("(prefers-color-scheme: dark)").matches
      ? "dark"
      : "light";
}

/** As it was chosen, else as the system has it. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = shown();
  window.dispatchEvent(new Event("skein-theme"));
}

export function changeTheme(): void {
  localStorage.setItem(KEY, shown() === "dark" ? "light" : "dark");
  applyTheme();
}
