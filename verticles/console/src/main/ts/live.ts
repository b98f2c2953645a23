import { useEffect, useRef, useState } from "preact/hooks";
import { address, asProblem, Problem, problemFrom, problemOf } from "./api";
import { ANSWER_MAX_MS, isGivenUp, onConnection, timeout } from "./connection";
import { authorized, knock } from "./session";

/** Longer than the time between two heartbeats of a node: after it, a stream is opened anew. */
const SILENCE_MAX_MS = 30_000;

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 15_000;

export type LiveState = "connecting" | "live" | "broken";

interface Message {
  id: string;
  event: string;
  data: string;
}

/** The end of a stream in which nothing came for too long: a lost connection may have no other. */
const SILENCE = { done: true, value: undefined } as const;

function next<T>(reader: ReadableStreamDefaultReader<T>): Promise<ReadableStreamReadResult<T>> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(() => resolve(SILENCE), SILENCE_MAX_MS);
    reader
      .read()
      .then(resolve, reject)
      .finally(() => window.clearTimeout(timer));
  });
}

/** Reads the messages of an event stream, as the HTML standard defines them, until it ends or is silent. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  let message: Message = { id: "", event: "", data: "" };
  for (;;) {
    const { done, value } = await next(reader);
    if (done) {
      reader.cancel().catch(() => {
        // it has ended already
      });
      return;
    }
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (line === "") {
        if (message.data) {
          yield message;
        }
        message = { id: message.id, event: "", data: "" };
      } else if (name === "data") {
        message.data += (message.data ? "\n" : "") + text;
      } else if (name === "id") {
        message.id = text;
      } else if (name === "event") {
        message.event = text;
      }
    }
  }
}

/**
 * Follows a topic while the page is visible. A broken stream is opened again, with the id of the
 * last state seen, so that an unchanged state is not sent twice: later and later while the node does
 * not answer, and at once when another request of the page shows that it answers again.
 */
export function useLive<T>(
  query: Record<string, string | string[] | undefined> | null,
  onState: (state: T) => void,
  onProblem?: (problem: Problem | undefined) => void,
): LiveState {
  const url = query === null ? null : address("/live", query);
  const [state, setState] = useState<LiveState>("connecting");
  const latest = useRef(onState);
  latest.current = onState;
  const refused = useRef(onProblem);
  refused.current = onProblem;
  useEffect(() => {
    if (url === null) {
      return;
    }
    let stopped = false;
    let lastId = "";
    let failures = 0;
    let timer = 0;
    let aborting = new AbortController();

    const follow = async () => {
      const mine = new AbortController();
      aborting = mine;
      timer = 0;
      const late = window.setTimeout(() => mine.abort(timeout()), ANSWER_MAX_MS);
      try {
        const headers: HeadersInit = lastId ? { "Last-Event-ID": lastId } : {};
        const response = await authorized(url, { headers, signal: mine.signal }, fetch);
        window.clearTimeout(late);
        if (!response.ok || !response.body) {
          throw await problemOf(response);
        }
        setState("live");
        refused.current?.(undefined);
        for await (const message of messages(response.body)) {
          failures = 0;
          if (message.event === "state") {
            lastId = message.id;
            setState("live");
            refused.current?.(undefined);
            latest.current(JSON.parse(message.data) as T);
          } else {
            lastId = ""; // whatever comes after a problem is wanted
            setState("broken");
            refused.current?.(problemFrom(0, JSON.parse(message.data)));
          }
        }
      } catch (failure) {
        window.clearTimeout(late);
        if (!isGivenUp(mine.signal)) {
          failures++;
          setState("broken");
          refused.current?.(asProblem(failure));
          if (!(failure instanceof Problem)) {
            knock(); // a proxy that ends streams is not a node that does not answer
          }
        }
      }
      if (!stopped && !document.hidden && !isGivenUp(mine.signal)) {
        timer = window.setTimeout(follow, Math.min(RETRY_MS * 2 ** Math.min(failures, 6), RETRY_MAX_MS));
      }
    };
    const unfollow = onConnection((answers) => {
      if (!answers) {
        aborting.abort(timeout());
      } else if (timer !== 0) {
        failures = 0; // one that has just started may refuse for a moment
        window.clearTimeout(timer);
        void follow();
      }
    });
    const visible = () => {
      window.clearTimeout(timer);
      timer = 0;
      aborting.abort();
      if (!document.hidden) {
        void follow();
      }
    };
    document.addEventListener("visibilitychange", visible);
    void follow();
    return () => {
      stopped = true;
      unfollow();
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", visible);
      aborting.abort();
    };
  }, [url]);
  return state;
}
