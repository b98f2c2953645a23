import type { Activity, ActivityStats } from "../model";
import { partsOf } from "../parts/layout";

/** One performance of an activity, as `GET /activity-execution-summaries/list` answers it. */
export interface Execution {
  id: string;
  activityId: string;
  activityNodeId: string;
  status: string;
  hasBookmarks: boolean;
  /** The execution that scheduled it; null for the root. */
  schedulingActivityExecutionId: string | null;
}

/** A container on the way from the workflow to the one that is open. */
export interface Step {
  activity: Activity;
  nodeId: string;
}

const LOOP = /\.(For|ForEach|ParallelForEach|While)$/;

export function isLoop(activity: Activity): boolean {
  return LOOP.test(activity.type);
}

/** The definition that an activity is a use of. */
export function usedDefinition(activity: Activity): string | undefined {
  return typeof activity.workflowDefinitionId === "string" ? activity.workflowDefinitionId : undefined;
}

/** Whether there is something in it to look at. */
export function canOpen(activity: Activity): boolean {
  return partsOf(activity).length > 0 || usedDefinition(activity) !== undefined;
}

/**
 * The containers that lie one in the other until the one of this path, the workflow first. `insides` has the roots of
 * used definitions by the path of their use; where one is missing the way ends there.
 */
export function stepsTo(root: Activity, rootId: string, nodeId: string, insides: Map<string, Activity>): Step[] {
  const steps: Step[] = [{ activity: root, nodeId: rootId }];
  for (let at: Step | undefined = steps[0]; at && at.nodeId !== nodeId; ) {
    const step: Step = at;
    at = childrenOf(step, insides).find((child) => nodeId === child.nodeId || nodeId.startsWith(child.nodeId + ":"));
    if (at) {
      steps.push(at);
    }
  }
  return steps;
}

function childrenOf({ activity, nodeId }: Step, insides: Map<string, Activity>): Step[] {
  const inside = insides.get(nodeId);
  const children = inside ? [inside] : partsOf(activity).flatMap((part) => part.activities);
  return children.map((child) => ({ activity: child, nodeId: `${nodeId}:${child.id}` }));
}

/** The path of an activity below another one; undefined where it is not there. */
export function nodeIdOf(below: Step, id: string): string | undefined {
  for (const child of childrenOf(below, new Map())) {
    const found = child.activity.id === id ? child.nodeId : nodeIdOf(child, id);
    if (found) {
      return found;
    }
  }
  return undefined;
}

/** What can be chosen in a container: the iterations of a loop, or how often another one ran. */
export function runsOf({ activity, nodeId }: Step, executions: Execution[]): Execution[] {
  const own = executions.filter((one) => one.activityNodeId === nodeId);
  if (!isLoop(activity)) {
    return own;
  }
  const loops = new Set(own.map((one) => one.id));
  return executions.filter((one) => one.schedulingActivityExecutionId !== null && loops.has(one.schedulingActivityExecutionId));
}

/** An execution and all that it led to; executions come in the order in which they began. */
export function scopeOf(executions: Execution[], id: string): Set<string> {
  const scope = new Set([id]);
  executions.forEach((one) => {
    if (one.schedulingActivityExecutionId !== null && scope.has(one.schedulingActivityExecutionId)) {
      scope.add(one.id);
    }
  });
  return scope;
}

/** An execution and those around it, the innermost first. */
export function around(executions: Execution[], id: string): string[] {
  const parents = new Map(executions.map((one) => [one.id, one.schedulingActivityExecutionId]));
  const found: string[] = [];
  for (let at: string | null | undefined = id; at && parents.has(at) && !found.includes(at); at = parents.get(at)) {
    found.push(at);
  }
  return found;
}

/** How often each activity began and ended in these executions. */
export function statsOf(executions: Execution[]): ActivityStats[] {
  const stats = new Map<string, ActivityStats>();
  for (const one of executions) {
    const sum = stats.get(one.activityNodeId) ?? {
      activityId: one.activityId,
      activityNodeId: one.activityNodeId,
      startedCount: 0,
      completedCount: 0,
      uncompletedCount: 0,
      isBlocked: false,
      isFaulted: false,
    };
    const runs = one.status === "Running";
    sum.startedCount++;
    sum.completedCount += runs ? 0 : 1;
    sum.uncompletedCount += runs ? 1 : 0;
    sum.isBlocked ||= one.hasBookmarks;
    sum.isFaulted ||= one.status === "Faulted";
    stats.set(one.activityNodeId, sum);
  }
  return [...stats.values()];
}

/** Those of the activities that lie in a container, itself included. */
export function below<T extends { activityNodeId: string }>(nodeId: string, all: T[]): T[] {
  return all.filter((one) => one.activityNodeId === nodeId || one.activityNodeId.startsWith(nodeId + ":"));
}
