package skein.execution;

import java.security.SecureRandom;
import java.time.InstantSource;
import skein.burst.Burst;
import skein.cluster.AgreedFormat;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.cluster.Router;
import skein.codecs.Answers;
import skein.definitions.DefinitionCache;
import skein.firing.ScheduleDesk;
import skein.storage.AlterationStore;
import skein.storage.Database;
import skein.storage.InstanceStore;
import skein.storage.StimulusStore;
import skein.storage.TimerStore;
import skein.work.Workers;

/** What every lane of a node works with; all of it is thread-safe. */
public record ExecutionParts(
    ExecutionOptions options,
    Cluster cluster,
    Locks locks,
    Router router,
    Database database,
    InstanceStore instances,
    TimerStore timers,
    StimulusStore stimuli,
    AlterationStore alterations,
    DefinitionCache definitions,
    Burst burst,
    Workers workers,
    InstantSource clock,
    SecureRandom random,
    Answers answers,
    ScheduleDesk schedules,
    AgreedFormat format) {}
