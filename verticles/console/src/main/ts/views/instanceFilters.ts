import { get, post } from "../api";
import type { InstanceSummary, Page } from "../model";

/** Instances that are read at a time. */
export const PAGE = 100;

export interface Filters {
  q?: string;
  status?: string;
  definition?: string;
  version?: string;
  correlation?: string;
  /** The instance that has started them. */
  parent?: string;
  incidents?: string;
  from?: string;
  until?: string;
  /** The value of a variable or an input, such as `orderId=4711`; with a definition. */
  data?: string;
  /** Whether a search by value looks at instances that have ended, too. */
  ended?: string;
}

const NAMES = ["q", "status", "definition", "version", "correlation", "parent", "incidents", "from", "until", "data", "ended"] as const;

/** As an address has them. */
export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []))) as Filters;
}

/** The filters as the API has them. */
export function queryOf(filters: Filters): Record<string, string | undefined> {
  return {
    searchTerm: filters.q,
    subStatus: filters.status,
    definitionId: filters.definition,
    version: filters.version,
    correlationId: filters.correlation,
    parentWorkflowInstanceId: filters.parent,
    hasIncidents: filters.incidents,
  };
}

function timesOf(filters: Filters): object[] {
  const time = (text: string | undefined, operator: string) => {
    const at = text ? new Date(text) : null;
    return at && !Number.isNaN(at.getTime()) ? [{ column: "CreatedAt", operator, timestamp: at.toISOString() }] : [];
  };
  return [...time(filters.from, "GreaterThanOrEqual"), ...time(filters.until, "LessThan")];
}

/** The instances that match, the newest first. */
export function pageOf(filters: Filters, skip: number, signal: AbortSignal): Promise<Page<InstanceSummary>> {
  const times = timesOf(filters);
  return times.length === 0
    ? get("/workflow-instances", { ...queryOf(filters), skip, take: PAGE }, signal)
    : post("/workflow-instances", { ...queryOf(filters), timestampFilters: times, skip, take: PAGE }, signal);
}
