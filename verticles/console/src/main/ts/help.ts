import { useEffect, useState } from "preact/hooks";
import { get } from "./api";
import type { Page } from "./model";
import { isSelfKnown } from "./session";

interface ErrorCode {
  code: string;
  help: string;
}

const CODES_MAX = 1_000;

let asked: Promise<Map<string, string>> | undefined;

/** By code; asked once, and again after it could not be read. */
function helps(): Promise<Map<string, string>> {
  asked ??= get<Page<ErrorCode>>("/errors", { take: CODES_MAX })
    .then((page) => new Map(page.items.map((one) => [one.code, one.help])))
    .catch(() => {
      asked = undefined;
      return new Map<string, string>();
    });
  return asked;
}

/** What to do after a refusal with this code, as the server says it; undefined where it says nothing. */
export function useHelp(code: string | undefined): string | undefined {
  const [help, setHelp] = useState<{ code: string; text: string | undefined }>();
  useEffect(() => {
    let gone = false;
    if (code !== undefined && isSelfKnown()) {
      void helps().then((found) => gone || setHelp({ code, text: found.get(code) }));
    }
    return () => {
      gone = true;
    };
  }, [code]);
  return help?.code === code ? help?.text : undefined;
}
