import { useEffect, useRef, useState } from "preact/hooks";
import { address, asProblem, Problem, problemFrom, problemOf } from "./api";
import { authorized } from "./session";

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 15_000;

export type LiveState = "connecting" | "live" | "broken";

interface Message {
  id: string;
  event: string;
  data: string;
}

/** Reads the messages of an event stream, as the HTML standard defines them. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  let message: Message = { id: "", event: "", data: "" };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
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
 * last state seen, so that an unchanged state is not sent twice.
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
      aborting = new AbortController();
      try {
        const response = await authorized(url, {
          headers: lastId ? { "Last-Event-ID": lastId } : {},
          signal: aborting.signal,
        });
        if (!response.ok || !response.body) {
          throw await problemOf(response);
        }
        setState("live");
        for await (const message of messages(response.body)) {
          failures = 0;
          lastId = message.id;
          if (message.event === "state") {
            setState("live");
            refused.current?.(undefined);
            latest.current(JSON.parse(message.data) as T);
          } else {
            setState("broken");
            refused.current?.(problemFrom(0, JSON.parse(message.data)));
          }
        }
      } catch (failure) {
        if (!aborting.signal.aborted) {
          failures++;
          setState("broken");
          refused.current?.(asProblem(failure));
        }
      }
      if (!stopped && !document.hidden && !aborting.signal.aborted) {
        timer = window.setTimeout(follow, Math.min(RETRY_MS * 2 ** Math.min(failures, 6), RETRY_MAX_MS));
      }
    };
    const visible = () => {
      window.clearTimeout(timer);
      aborting.abort();
      if (!document.hidden) {
        void follow();
      }
    };
    document.addEventListener("visibilitychange", visible);
    void follow();
    return () => {
      stopped = true;
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", visible);
      aborting.abort();
    };
  }, [url]);
  return state;
}
