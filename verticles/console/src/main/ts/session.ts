import { useEffect, useState } from "preact/hooks";
import { heard, isGivenUp } from "./connection";

const KEY = "skein.session";
const LOGIN = "/elsa/api/identity/login";
const REFRESH = "/elsa/api/identity/refresh-token";
const LOGOUT = "/elsa/api/identity/logout";
const OIDC = "/elsa/api/identity/oidc";
const ME = "/elsa/api/identity/me";

/** The node is asked whether it answers at all when something else was not answered: it has less time for it. */
const KNOCK_MAX_MS = 5_000;

/** What the address ends with after a sign-in at a provider. */
const ARRIVED = "#signed-in";

interface Session {
  name: string;
  access: string;
  refresh: string;
}

/** Of this tab alone; null without authentication, or before the sign-in. */
let session: Session | null = stored();
let asked = false;
let refreshing: Promise<boolean> | null = null;

/** The user, as the server knows them. */
interface Self {
  /** null: it does not authenticate callers. */
  name: string | null;
  roles: string[];
  permissions: Set<string>;
}

/** null until it is known. */
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

async function read(response: Response): Promise<Tokens | null> {
  return response.ok ? ((await response.json()) as Tokens) : null;
}

/** Signs in with what a server has answered; false when it has refused. */
function take(name: string, json: Tokens | null): boolean {
  if (!json?.isAuthenticated || !json.accessToken || !json.refreshToken) {
    return false;
  }
  change({ name, access: json.accessToken, refresh: json.refreshToken }, false);
  if (self) {
    void learn(); // else the page asks as soon as a user has signed in
  }
  return true;
}

/** Asks what the user may do. Without an answer the page offers everything, and the server refuses. */
export async function learn(): Promise<void> {
  const name = session?.name;
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
  if (asked || session?.name !== name) {
    return; // of somebody who has signed out meanwhile
  }
  self = { ...known, permissions: new Set(known.permissions) };
  tell();
}

/** The signed-in user; null where the server does not authenticate callers. */
export function whoLooks(): { name: string; roles: string[] } | null {
  return self?.name == null ? null : { name: self.name, roles: self.roles };
}

/** Whether it is known who looks and what they may do. */
export function isSelfKnown(): boolean {
  return self !== null;
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
  return response.ok ? take(name, await read(response)) : response;
}

/** Where users sign in elsewhere. */
export interface Provider {
  name: string;
  issuer: string;
}

export interface Ways {
  passwords: boolean;
  providers: Provider[];
}

/** How people sign in here; by a password where the server does not say. */
export async function waysToSignIn(): Promise<Ways> {
  try {
    const response = await fetch(OIDC + "/providers");
    if (response.ok) {
      return (await response.json()) as Ways;
    }
  } catch {
    // the attempt says that the node does not answer
  }
  return { passwords: true, providers: [] };
}

/** Leaves for the provider, which sends people back to the view that they are at. */
export function signInAt(provider: Provider): void {
  const returnTo = window.location.pathname + window.location.search;
  window.location.assign(OIDC + "/login?" + new URLSearchParams({ issuer: provider.issuer, returnTo }).toString());
}

/** Why a user who came back from a provider is not signed in; given once. */
let refusal: Response | null = null;

export function takeRefusal(): Response | null {
  const taken = refusal;
  refusal = null;
  return taken;
}

/** Fetches the tokens of a user who comes back from a provider: once, and not by an address. */
export async function arrive(): Promise<void> {
  if (window.location.hash !== ARRIVED) {
    return;
  }
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
  try {
    const response = await fetch(OIDC + "/session", { method: "POST" });
    const json = response.ok ? ((await response.clone().json()) as { name: string }) : null;
    if (!json || !take(json.name, await read(response))) {
      refusal = response;
      change(null, true);
    }
  } catch {
    // the view says that the node does not answer
  }
}

/** Where a user who has signed out can sign out of their provider, too. */
let providerUrl: string | null = null;

export function signOutElsewhere(): string | null {
  return providerUrl;
}

/** Here it holds at once; the server ends the session, so that it cannot be prolonged. */
export function signOut(): void {
  const old = session;
  self = null;
  providerUrl = null;
  change(null, true);
  if (old) {
    end(old.refresh);
  }
}

/** Ends a session at the server, and learns where its user can sign out of their provider, too. */
function end(refresh: string): void {
  fetch(LOGOUT, { method: "POST", headers: { Authorization: "Bearer " + refresh } })
    .then(async (response) => {
      const url = response.ok ? ((await response.json()) as { providerUrl: string | null }).providerUrl : null;
      if (url && !session) {
        providerUrl = url;
        tell();
      }
    })
    .catch(() => {
      // the session ends by itself
    });
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
    .then(read)
    .then((json) => {
      if (session === old) {
        return take(old.name, json);
      }
      if (json?.refreshToken) {
        end(json.refreshToken); // it was prolonged while its user signed out
      }
      return false;
    })
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** As `fetch`; a request without an answer is followed by one that shows whether the node answers any. */
async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    heard(true);
    return response;
  } catch (failure) {
    if (!isGivenUp(init.signal)) {
      knock();
    }
    throw failure;
  }
}

function attempt(url: string, init: RequestInit, send: Send): Promise<Response> {
  const headers = new Headers(init.headers);
  if (session) {
    headers.set("Authorization", "Bearer " + session.access);
  }
  return send(url, { ...init, headers });
}

/** As fetch, with the credentials of the signed-in user; asks for a sign-in when the server requires it. */
export async function authorized(url: string, init: RequestInit, send: Send = request): Promise<Response> {
  const before = session;
  const first = await attempt(url, init, send);
  if (first.status !== 401) {
    return first;
  }
  const renewed = session !== before || (await refreshed());
  if (before && session?.name !== before.name) {
    return first; // who asked has signed out: nobody else asks in their place
  }
  const mine = session;
  const second = renewed ? await attempt(url, init, send) : first;
  if (second.status === 401 && session === mine) {
    change(null, true);
  }
  return second;
}

let knocking = false;

/** Asks the node for anything at all, once at a time: what follows the connection learns whether it answers. */
export function knock(): void {
  if (knocking) {
    return;
  }
  knocking = true;
  let answered = false;
  const listen: Send = async (url, init) => {
    const response = await fetch(url, init);
    answered = true;
    return response;
  };
  authorized(ME, { signal: AbortSignal.timeout(KNOCK_MAX_MS) }, listen)
    .catch(() => {
      // it does not, or not to the exchange of the token
    })
    .finally(() => {
      knocking = false;
      heard(answered);
    });
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
