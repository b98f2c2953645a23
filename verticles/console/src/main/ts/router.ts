import { useLayoutEffect, useState } from "preact/hooks";

/** Where the console is served. */
export const BASE = "/console";

export interface Location {
  /** Below BASE, without a slash at either end. */
  path: string;
  query: URLSearchParams;
}

const listeners = new Set<() => void>();

function current(): Location {
  const path = window.location.pathname.slice(BASE.length).replace(/^\/+|\/+$/g, "");
  return { path, query: new URLSearchParams(window.location.search) };
}

/** The address of a view; values that are empty are left out. */
export function to(path: string, query: Record<string, string | undefined> = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value) {
      given.set(name, value);
    }
  }
  const text = given.toString();
  return BASE + (path ? "/" + path : "") + (text ? "?" + text : "");
}

/** `replace` keeps filters that are typed from filling the history. */
export function go(address: string, replace = false): void {
  if (replace) {
    window.history.replaceState(null, "", address);
  } else {
    window.history.pushState(null, "", address);
    window.scrollTo(0, 0);
  }
  listeners.forEach((listener) => listener());
}

export function useLocation(): Location {
  const [location, setLocation] = useState(current);
  useLayoutEffect(() => {
    const changed = () => setLocation(current());
    listeners.add(changed);
    window.addEventListener("popstate", changed);
    return () => {
      listeners.delete(changed);
      window.removeEventListener("popstate", changed);
    };
  }, []);
  return location;
}

/** Lets links within the console change the view instead of loading the page. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("a") : null;
    if (
      !target ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      target.target ||
      target.origin !== window.location.origin ||
      !(target.pathname === BASE || target.pathname.startsWith(BASE + "/"))
    ) {
      return;
    }
    event.preventDefault();
    go(target.pathname + target.search);
  });
}
