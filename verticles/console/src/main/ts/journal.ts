import { get, part, Problem, type Resource, useReading } from "./api";
import type { Instance, JournalEntry, Page } from "./model";

/** Entries of a journal that are shown at most, the first ones. */
const ENTRIES_MAX = 1_000;

/** Pages in which they are read at most: each may be as large as one request may read. */
const PAGES_MAX = 4;

/** The first entries of the journal of an instance, and how many it has. */
export function useJournal(instance: Instance): Resource<Page<JournalEntry>> {
  const path = `/workflow-instances/${part(instance.id)}/journal`;
  return useReading(path, (signal) => firstEntries(path, signal), instance.updatedAt);
}

/** Pages become smaller where a node says that one is more than a request may read; one entry can always be read. */
async function firstEntries(path: string, signal: AbortSignal): Promise<Page<JournalEntry>> {
  let take = ENTRIES_MAX;
  const read = async (after?: number): Promise<Page<JournalEntry>> => {
    for (;;) {
      try {
        return await get<Page<JournalEntry>>(path, { take, after }, signal);
      } catch (failure) {
        if (!(failure instanceof Problem) || failure.code !== "TOO_LARGE" || take === 1) {
          throw failure;
        }
        take = Math.floor(take / 2);
      }
    }
  };
  const { items, totalCount } = await read();
  const wanted = Math.min(totalCount, ENTRIES_MAX);
  for (let pages = 1; pages < PAGES_MAX && items.length < wanted; pages++) {
    take = Math.min(take, wanted - items.length);
    const next = await read(items.at(-1)?.sequence);
    items.push(...next.items);
  }
  return { items, totalCount };
}
