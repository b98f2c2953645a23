import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { isConnected, isGivenUp, onConnection } from "./connection";
import { authorized } from "./session";
import { t } from "./text";

const API = "/elsa/api";

/** The code of what was not answered at all. */
const UNREACHABLE = "UNREACHABLE";

/** After what time a reading without an answer is tried again, at first and at most. */
const AGAIN_MS = 2_000;
const AGAIN_MAX_MS = 60_000;

/** Why a request was refused, as in RFC 9457. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly code: string,
    readonly errors: string[] = [],
  ) {
    super(detail || title);
  }
}

function texts(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(texts);
  }
  if (value && typeof value === "object") {
    return Object.values(value).flatMap(texts);
  }
  return value === null || value === undefined ? [] : [String(value)];
}

export async function problemOf(response: Response): Promise<Problem> {
  return problemFrom(response.status, await response.json().catch(() => ({})), response.statusText);
}

export function problemFrom(status: number, body: unknown, title = ""): Problem {
  const json = (body && typeof body === "object" ? body : {}) as Record<string, unknown>;
  const detail = String(json.detail ?? json.message ?? "");
  return new Problem(
    status,
    String(json.title ?? title),
    detail,
    String(json.code ?? "HTTP_" + status),
    texts(json.errors).filter((text) => text !== detail),
  );
}

export function asProblem(failure: unknown): Problem {
  return failure instanceof Problem
    ? failure
    : new Problem(0, t.common.unanswered, t.common.unansweredDetail, UNREACHABLE);
}

export function isUnanswered(problem: Problem): boolean {
  return problem.code === UNREACHABLE;
}

type Query = Record<string, string | number | boolean | string[] | undefined>;

export function address(path: string, query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) {
      value.forEach((one) => given.append(name, one));
    } else if (value !== undefined && value !== "") {
      given.set(name, String(value));
    }
  }
  const text = given.toString();
  return API + path + (text ? "?" + text : "");
}

async function send<T>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await authorized(url, {
      method,
      signal: signal ?? null,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch (failure) {
    if (isGivenUp(signal)) {
      throw failure;
    }
    throw asProblem(failure);
  }
  if (!response.ok) {
    throw await problemOf(response);
  }
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as T;
}

export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return send<T>("GET", address(path, query), undefined, signal);
}

export function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return send<T>("POST", address(path), body, signal);
}

export function put<T>(path: string, body: unknown): Promise<T> {
  return send<T>("PUT", address(path), body);
}

export function remove<T>(path: string): Promise<T> {
  return send<T>("DELETE", address(path));
}

/** One part of a path. */
export function part(text: string): string {
  return encodeURIComponent(text);
}

export interface Resource<T> {
  data: T | undefined;
  problem: Problem | undefined;
  loading: boolean;
  reload: () => void;
}

/** What a GET answers, as `useReading` has it. */
export function useResource<T>(path: string | null, query: Query = {}, version = ""): Resource<T> {
  const url = path === null ? null : address(path, query);
  return useReading<T>(url, (signal) => send<T>("GET", url ?? "", undefined, signal), version);
}

/**
 * What `read` gives for a URL, or nothing without one; what was there stays visible while it is read again, as it is when
 * `version` changes. Without an answer it is read again later and later, and when a node that did not answer does so again.
 */
export function useReading<T>(url: string | null, read: (signal: AbortSignal) => Promise<T>, version = ""): Resource<T> {
  const [state, setState] = useState<{ url: string | null; data?: T; problem?: Problem; unanswered: number }>({ url, unanswered: 0 });
  const [turn, setTurn] = useState(0);
  const [loading, setLoading] = useState(true);
  useEffect(() => {
    if (url === null) {
      setLoading(false);
      return;
    }
    const aborting = new AbortController();
    setLoading(true);
    read(aborting.signal)
      .then((data) => setState({ url, data, unanswered: 0 }))
      .catch((failure: unknown) => {
        if (!aborting.signal.aborted) {
          const problem = asProblem(failure);
          setState((before) => ({
            url,
            problem,
            unanswered: isUnanswered(problem) ? (before.url === url ? before.unanswered : 0) + 1 : 0,
            ...(before.url === url && before.data !== undefined ? { data: before.data } : {}),
          }));
        }
      })
      .finally(() => {
        if (!aborting.signal.aborted) {
          setLoading(false);
        }
      });
    return () => aborting.abort();
  }, [url, turn, version]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const known = state.url === url;
  useAgain(known ? state.unanswered : 0, loading, reload);
  return {
    data: known ? state.data : undefined,
    problem: known ? state.problem : undefined,
    loading,
    reload,
  };
}

/**
 * Calls `again` after a request was not answered `failures` times in succession: later and later while the node answers others,
 * else when it answers again.
 */
export function useAgain(failures: number, busy: boolean, again: () => void): void {
  const failed = failures > 0;
  useEffect(() => (failed ? onConnection((answers) => answers && again()) : undefined), [failed, again]);
  useEffect(() => {
    if (!failed || busy) {
      return;
    }
    const wait = Math.min(AGAIN_MS * 2 ** Math.min(failures - 1, 10), AGAIN_MAX_MS);
    const timer = window.setTimeout(() => isConnected() && again(), wait);
    return () => window.clearTimeout(timer);
  }, [failures, busy, again]);
}

export interface Action {
  busy: boolean;
  problem: Problem | undefined;
  clear: () => void;
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Does one thing at a time, and keeps why it was refused. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const running = useRef(false);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (running.current) {
      return false;
    }
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (failure) {
      setProblem(asProblem(failure));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  const clear = useCallback(() => setProblem(undefined), []);
  return { busy, problem, clear, run };
}
