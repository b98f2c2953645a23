import { useEffect, useState } from "preact/hooks";

const KEY = "skein.session";
const LOGIN = "/elsa/api/identity/login";
const REFRESH = "/elsa/api/identity/refresh-token";
const ME = "/elsa/api/identity/me";

interface Session {
  name: string;
  access: string;
  refresh: string;
}

/** Of this tab alone; null where nobody is asked, or nobody has signed in. */
let session: Session | null = stored();
let asked = false;
let refreshing: Promise<boolean> | null = null;

/** Whoever looks, as the server knows them. */
interface Self {
  /** null: it asks nobody. */
  name: string | null;
  roles: string[];
  permissions: Set<string>;
}

/** null as long as nobody has said it. */
let self: Self | null = null;
const listeners = new Set<() => void>();

function stored(): Session | null {
  try {
    const text = sessionStorage.getItem(KEY);
    return text ? (JSON.parse(text) as Session) : null;
  } catch {
    return null;
  }
}

function change(next: Session | null, nextAsked: boolean): void {
  session = next;
  asked = nextAsked;
  try {
    if (next) {
      sessionStorage.setItem(KEY, JSON.stringify(next));
    } else {
      sessionStorage.removeItem(KEY);
    }
  } catch {
    // a browser that keeps nothing asks again after a reload
  }
  tell();
}

function tell(): void {
  listeners.forEach((listener) => listener());
}

interface Tokens {
  isAuthenticated: boolean;
  accessToken: string | null;
  refreshToken: string | null;
}

async function tokens(name: string, response: Response): Promise<boolean> {
  const json = response.ok ? ((await response.json()) as Tokens) : null;
  if (!json?.isAuthenticated || !json.accessToken || !json.refreshToken) {
    return false;
  }
  change({ name, access: json.accessToken, refresh: json.refreshToken }, false);
  void learn();
  return true;
}

/** Asks what whoever looks may do. A server that does not say it offers everything, and refuses. */
export async function learn(): Promise<void> {
  let known: { name: string | null; roles: string[]; permissions: string[] } = { name: null, roles: [], permissions: ["*"] };
  try {
    const response = await authorized(ME, {});
    if (response.status === 401) {
      return;
    }
    if (response.ok) {
      known = (await response.json()) as typeof known;
    }
  } catch {
    // the view says that the node does not answer
  }
  self = { ...known, permissions: new Set(known.permissions) };
  tell();
}

/** Whoever has signed in; null where the server asks nobody. */
export function whoLooks(): { name: string; roles: string[] } | null {
  return self?.name == null ? null : { name: self.name, roles: self.roles };
}

/** As the server decides it: `*` is everything, `read:*` all that begins with `read:`. */
export function may(permission: string): boolean {
  const names = self?.permissions;
  const parts = permission.split(":");
  return names !== undefined && (names.has("*") || names.has(permission) || parts.some((_, count) => count > 0 && names.has(parts.slice(0, count).join(":") + ":*")));
}

/** False when the name or the password is wrong. */
export async function signIn(name: string, password: string): Promise<Response | boolean> {
  const response = await fetch(LOGIN, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: name, password }),
  });
  return response.ok ? tokens(name, response) : response;
}

export function signOut(): void {
  self = null;
  change(null, true);
}

/** All that wait for a new token wait for the same one: a refresh token is good once. */
function refreshed(): Promise<boolean> {
  const old = session;
  if (!old) {
    return Promise.resolve(false);
  }
  refreshing ??= fetch(REFRESH, {
    method: "POST",
    headers: { Authorization: "Bearer " + old.refresh },
  })
    .then((response) => tokens(old.name, response))
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

function attempt(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (session) {
    headers.set("Authorization", "Bearer " + session.access);
  }
  return fetch(url, { ...init, headers });
}

/** As fetch, with whoever has signed in; asks people to sign in when the server wants to know. */
export async function authorized(url: string, init: RequestInit): Promise<Response> {
  const used = session?.access;
  const first = await attempt(url, init);
  if (first.status !== 401) {
    return first;
  }
  const renewed = session?.access !== used || (await refreshed());
  const second = renewed ? await attempt(url, init) : first;
  if (second.status === 401) {
    change(null, true);
  }
  return second;
}

/**
 * `asked`: the server wants to know who it is. `known`: it is known what they may do. `name`: who
 * has signed in.
 */
export function useSession(): { asked: boolean; known: boolean; name: string | undefined } {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const listener = () => setTurn((before) => before + 1);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return { asked, known: self !== null, name: session?.name };
}
