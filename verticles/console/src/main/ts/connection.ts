import { useEffect, useState } from "preact/hooks";

/** A request of which there is no answer for so long has failed. */
export const ANSWER_MAX_MS = 10_000;

const TIMEOUT = "TimeoutError";

/** Whether the node answers this page, with whatever status. */
let answers = true;
const listeners = new Set<(answers: boolean) => void>();

/**
 * Says whether the node answers. Any answer shows that it does. That it does not is shown by a request that is made to see just
 * that; another that fails may have been stopped by the browser or by a proxy.
 */
export function heard(next: boolean): void {
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

/** Calls `listener` whenever the node answers again, or no longer, until the function that it gives is called. */
export function onConnection(listener: (answers: boolean) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whether the node answers, as the requests of this page have shown. */
export function isConnected(): boolean {
  return answers;
}

/** As `isConnected`, for what is shown. */
export function useConnection(): boolean {
  const [state, setState] = useState(answers);
  useEffect(() => {
    setState(answers);
    return onConnection(setState);
  }, []);
  return state;
}
