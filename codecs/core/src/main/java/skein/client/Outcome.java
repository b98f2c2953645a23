package skein.client;

import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/**
 * The state of an instance after a request that is committed.
 *
 * @param version of the definition; 1 or more
 * @param revision how many times the instance was committed; 1 or more
 */
public record Outcome(
    InstanceId instanceId,
    String definitionId,
    int version,
    WorkflowStatus status,
    long revision) {}
