import { useEffect, useState } from "preact/hooks";

/** A request of which there is no answer for so long has failed. */
export const ANSWER_MAX_MS = 10_000;

const TIMEOUT = "TimeoutError";

/** Whether the node answered the last request of this page, with whatever status. */
let answers = true;
const listeners = new Set<(answers: boolean) => void>();

function change(next: boolean): void {
  if (answers !== next) {
    answers = next;
    listeners.forEach((listener) => listener(next));
  }
}

/** What ends a request that was not answered in time, as `AbortSignal.timeout` does. */
export function timeout(): DOMException {
  return new DOMException("No answer in time", TIMEOUT);
}

/** Whether a request was ended by the page itself, as when another view is opened; not for want of an answer. */
export function isGivenUp(signal: AbortSignal | null | undefined): boolean {
  return signal?.aborted === true && (signal.reason as Error | undefined)?.name !== TIMEOUT;
}

/** As `fetch`, and remembers whether the node has answered. */
export async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    change(true);
    return response;
  } catch (failure) {
    if (!isGivenUp(init.signal)) {
      change(false);
    }
    throw failure;
  }
}

/** Calls `listener` whenever the node answers again, or no longer, until the function that it gives is called. */
export function onConnection(listener: (answers: boolean) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whether the node answers, as the requests of this page have shown. */
export function useConnection(): boolean {
  const [state, setState] = useState(answers);
  useEffect(() => {
    setState(answers);
    return onConnection(setState);
  }, []);
  return state;
}
