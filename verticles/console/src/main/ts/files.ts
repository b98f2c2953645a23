import { address, problemOf } from "./api";
import { authorized } from "./session";

/** How long a browser has to begin to save a file before its bytes are given up. */
const SAVE_MS = 60_000;

/** Lets the browser save bytes under a name. */
export function saveAs(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), SAVE_MS);
}

/** Saves what a GET answers: a plain link would not say who has signed in. */
export async function download(path: string, name: string): Promise<void> {
  const response = await authorized(address(path), {});
  if (!response.ok) {
    throw await problemOf(response);
  }
  saveAs(name, await response.blob());
}
