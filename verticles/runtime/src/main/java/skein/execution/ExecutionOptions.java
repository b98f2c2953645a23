package skein.execution;

import java.time.Duration;
import skein.forms.FormLimits;
import skein.storage.Committer;

/**
 * Bounds of the execution of instances on one node.
 *
 * @param queueMax commands that wait in one lane before more are refused
 * @param queuePerInstanceMax commands that wait for one instance before more are refused
 * @param followersMax commands of one instance that are decided before the first is committed
 * @param commitWaitMax new commands are refused while a commit has waited longer to be sent
 * @param lockTimeout how long a command waits for a lock that another node holds
 * @param lockRetryDelay between two looks at a held lock
 * @param conflictRetries how often a decision is made again after another commit came first
 * @param cacheInstancesMax committed states kept in memory, per lane
 * @param grace until the leader repeats work whose nudge was lost
 * @param answerTimeout how long a caller waits for work and children before they are answered with
 *     what is known
 * @param workLease how long work outside counts as lost after its node fell silent
 * @param workInFlightMax pieces of work outside at one time, per lane
 * @param nudgeHorizon timers due within it are told to the leader at once
 * @param timerShards how many leaders there are for timers
 * @param logLinesMax lines of activities that one commit brings into the log
 * @param forms bounds of the forms of user tasks
 */
public record ExecutionOptions(
    int queueMax,
    int queuePerInstanceMax,
    int followersMax,
    Duration commitWaitMax,
    Duration lockTimeout,
    Duration lockRetryDelay,
    int conflictRetries,
    int cacheInstancesMax,
    Duration grace,
    Duration nudgeHorizon,
    Duration answerTimeout,
    Duration workLease,
    int workInFlightMax,
    int timerShards,
    int logLinesMax,
    FormLimits forms,
    Committer.Options commits) {}
