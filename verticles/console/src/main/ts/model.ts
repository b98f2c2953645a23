/** What the API answers, as far as the console shows it. */

export interface Page<T> {
  items: T[];
  totalCount: number;
}

export interface InstanceSummary {
  id: string;
  definitionId: string;
  definitionVersionId: string;
  version: number;
  parentWorkflowInstanceId: string | null;
  status: string;
  subStatus: string;
  correlationId: string | null;
  name: string | null;
  incidentCount: number;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
}

export interface Bookmark {
  id: string;
  name: string;
  payload: unknown;
  activityId: string;
  activityNodeId: string;
  createdAt: string;
  dueAt: string | null;
  hasToken: boolean;
}

export interface Incident {
  activityId: string;
  activityInstanceId: string;
  activityNodeId: string;
  activityType: string;
  message: string;
  exception: { type: string | null; code: string | null; message: string } | null;
  timestamp: string;
}

/** An execution of an activity that is not over, or the one of the whole workflow. */
export interface ExecutionContext {
  id: string;
  parentContextId: string | null;
  startedAt: string;
}

export interface Instance extends InstanceSummary {
  revision: number;
  workflowState: {
    activityExecutionContexts: ExecutionContext[];
    bookmarks: Bookmark[];
    incidents: Incident[];
    input: Record<string, unknown>;
    output: Record<string, unknown>;
  };
}

export interface JournalEntry {
  id: string;
  activityInstanceId: string | null;
  activityId: string;
  activityType: string;
  activityName: string | null;
  activityNodeId: string;
  timestamp: string;
  sequence: number;
  eventName: string;
  message: string | null;
  activityState: unknown;
  payload: unknown;
}

export interface ActivityStats {
  activityId: string;
  activityNodeId: string;
  startedCount: number;
  completedCount: number;
  uncompletedCount: number;
  isBlocked: boolean;
  isFaulted: boolean;
}

export interface Quantiles {
  p50Ms: number;
  p95Ms: number;
}

export interface ActivityUsage {
  activityId: string;
  activityNodeId: string;
  startedCount: number;
  completedCount: number;
  faultedCount: number;
  cancelledCount: number;
  waitingCount: number;
  outcomes: Record<string, number>;
  duration: Quantiles | null;
  wait: Quantiles | null;
}

export interface Usage {
  instances: number;
  complete: boolean;
  activities: ActivityUsage[];
}

export interface Activity {
  id: string;
  type: string;
  name?: string | null;
  nodeId?: string;
  metadata?: { designer?: { position?: { x?: number; y?: number } } } | null;
  activities?: Activity[];
  connections?: Connection[];
  [member: string]: unknown;
}

export interface Connection {
  source: { activity: string; port?: string | null };
  target: { activity: string; port?: string | null };
}

export interface Declaration {
  name: string;
  type?: string;
  typeName?: string;
  displayName?: string | null;
  description?: string | null;
  defaultValue?: unknown;
}

export interface Definition {
  id: string;
  definitionId: string;
  name: string | null;
  description: string | null;
  version: number;
  isLatest: boolean;
  isPublished: boolean;
  createdAt: string;
  root?: Activity;
  inputs?: Declaration[];
  outputs?: Declaration[];
  variables?: Declaration[];
  links?: { rel: string }[];
}

export interface Finding {
  message: string;
  severity: "error" | "warning";
  code: string;
  activityId: string | null;
  nodeId: string | null;
  path: string | null;
}

/** What publishing a definition would refuse or warn of. */
export interface CheckedDefinition {
  valid: boolean;
  errors: number;
  warnings: number;
  findings: Finding[];
}

export interface Variable {
  id: string;
  name: string;
  value: unknown;
}

export interface Timer {
  id: string;
  dueAt: string;
  kind: string;
  workflowInstanceId: string;
  definitionId: string | null;
  attempts: number;
}

export interface Note {
  id: number;
  at: string;
  author: string | null;
  text: string;
}

export interface Overview {
  statuses: Record<string, number>;
  timers: Record<string, number>;
  countedAt: string | null;
  recent: {
    instances: number;
    complete: boolean;
    since: string | null;
    bucketSeconds: number;
    definitions: {
      definitionId: string;
      started: number;
      running: number;
      waiting: number;
      faulted: number;
      completed: number;
      incidents: number;
      lastStartedAt: string;
    }[];
    series: { at: string; started: number; finished: number; faulted: number }[];
  };
  incidents: InstanceSummary[];
  lateTimers: Timer[];
  violations: { invariant: string; subjectId: string; detail: string; foundAt: string }[];
  nodes: { id: string; name: string; phase: string; ready: boolean; detail?: string }[];
}

/** `cpu`: the part of all processors, 0 to 1; null where the machine does not say. */
export interface NodeLoad {
  cpu: number | null;
  processors: number;
  heapUsedBytes: number;
  heapMaxBytes: number;
  eventLoopLagMs: number;
}

/** Of what is in flight, how much of each kind. */
export interface InFlight {
  requests: number;
  commands: number;
  work: number;
}

export interface ClusterNode {
  id: string;
  name: string;
  phase: string;
  ready: boolean;
  detail?: string;
  load?: NodeLoad;
  inFlight?: InFlight;
  [member: string]: unknown;
}

export interface Scheduler {
  mode: string;
  shards: number;
  lagMs: number;
  leaders: {
    shard: number;
    holder: string | null;
    node: string | null;
    epoch: number | null;
    heartbeatAgeMs: number | null;
    expiresInMs: number | null;
    lagMs: number;
  }[];
}

export interface Partitions {
  count: number;
  owners: (string | null)[];
}

export interface Task {
  taskId: string;
  title: string | null;
  description: string | null;
  form: Schema | null;
  data: unknown;
  assignees: string[] | null;
  groups: string[] | null;
  priority: unknown;
  dueAt: string | null;
  claimedBy: string | null;
  createdAt: string | null;
  outcomes: string[] | null;
  workflowInstanceId: string;
  workflowInstanceName: string | null;
  definitionId: string;
  correlationId: string | null;
}

export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Schedule {
  id: string;
  name?: string | null;
  definitionId: string;
  status: string;
  nextAt?: string | null;
  lastAt?: string | null;
  timeZone?: string;
  note?: string | null;
  [member: string]: unknown;
}

export interface AuditLine {
  at: string;
  action: string;
  outcome: string;
  subject: string | null;
  workflowInstanceId: string | null;
  bookmarkId: string | null;
  actor: string | null;
  node: string;
}

/** Whether the cluster begins anything new. */
export interface RuntimeStatus {
  state: {
    reason: string;
    isAcceptingNewWork: boolean;
    pausedAt: string | null;
    drainStartedAt: string | null;
    pauseReasonText: string | null;
    pauseRequestedBy: string | null;
  };
  sources: { name: string; state: string; lastError: string | null }[];
  activeExecutionCycleCount: number;
}
