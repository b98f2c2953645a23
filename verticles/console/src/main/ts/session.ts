import { useEffect, useState } from "preact/hooks";

const KEY = "skein.session";
const LOGIN = "/elsa/api/identity/login";
const REFRESH = "/elsa/api/identity/refresh-token";

interface Session {
  name: string;
  access: string;
  refresh: string;
}

/** Of this tab alone; null where nobody is asked, or nobody has signed in. */
let session: Session | null = stored();
let asked = false;
let refreshing: Promise<boolean> | null = null;
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
  return true;
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

/** `asked`: the server wants to know who it is. `name`: who has signed in. */
export function useSession(): { asked: boolean; name: string | undefined } {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const listener = () => setTurn((before) => before + 1);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return { asked, name: session?.name };
}
