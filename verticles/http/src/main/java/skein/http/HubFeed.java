package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.storage.ExecutionStore.Stats;

/**
 * Notifies the observers of a node of changes of instances, wherever those are executed: the
 * revisions of all that are observed are read by one statement in each interval, and only while
 * there are some. What executes instances does not know of it. Thread-safe.
 */
final class HubFeed implements HubSession.Observing {
  /** The revision of an instance that no longer exists. */
  private static final long GONE = -1;

  /** Counts of activities that are read at one time. */
  private static final int COUNTS_MAX = 4;

  /** The stores that it reads. */
  interface Reads {
    /** The revisions of existing instances. */
    Future<Map<InstanceId, Long>> revisions(Collection<InstanceId> ids);

    Future<List<Stats>> statistics(InstanceId id);
  }

  private static final class Topic {
    private final Set<HubSession> sessions = new HashSet<>();
    private long revision;

    /** The revision whose activities were counted last. */
    private long counted = Long.MIN_VALUE;

    private long countedNanos;

    /** From {@link #countedNanos} until it is counted again. */
    private long waitNanos;

    private boolean counting;

    /** Counts in a row that failed. */
    private int failures;

    Topic(long revision, long countedNanos, long waitNanos) {
      this.revision = revision;
      this.countedNanos = countedNanos;
      this.waitNanos = waitNanos;
    }
  }

  private final Reads reads;
  private final RetryDelay lookDelay;
  private final RetryDelay countDelay;
  private final LongSupplier nanos;
  private final Map<InstanceId, Topic> topics = new HashMap<>();
  private boolean reading;

  /** Looks in a row that failed. */
  private int failures;

  /** After a failure there is no look before. */
  private long notBeforeNanos;

  private int counting;

  /** {@code random}: from 0 to 1, without 1. */
  HubFeed(Reads reads, HubOptions options, LongSupplier nanos, DoubleSupplier random) {
    var retries = options.retries();
    this.reads = reads;
    this.lookDelay = new RetryDelay(options.interval(), retries.lookMax(), random);
    this.countDelay = new RetryDelay(options.statisticsInterval(), retries.statisticsMax(), random);
    this.nanos = nanos;
  }

  /**
   * From now on the session is offered what is new, and once at first: it may have read the
   * instance before.
   */
  @Override
  public Future<?> begin(HubSession session, InstanceId id) {
    return reads
        .revisions(List.of(id))
        .map(found -> {
          var revision = found.get(id);
          if (revision == null) {
            throw InstanceRefusals.instanceNotFound(id);
          }
          join(session, id, revision);
          session.offer(HubUpdate.changed(id));
          return null;
        });
  }

  private synchronized void join(HubSession session, InstanceId id, long revision) {
    long wait = countDelay.nanos(0);
    long due = nanos.getAsLong() - wait;
    var topic = topics.computeIfAbsent(id, _ -> new Topic(revision, due, wait));
    topic.sessions.add(session);
    topic.counted = Long.MIN_VALUE; // the new one has no counts so far
  }

  @Override
  public synchronized void end(HubSession session, Set<InstanceId> ids) {
    for (var id : ids) {
      var topic = topics.get(id);
      if (topic != null && topic.sessions.remove(session) && topic.sessions.isEmpty()) {
        topics.remove(id);
      }
    }
  }

  synchronized int observed() {
    return topics.size();
  }

  /**
   * Once in an interval; does nothing while the last look has not ended. After looks that failed,
   * which is when the database is unavailable, it does nothing for longer and longer.
   */
  void look() {
    var ids = idsToRead();
    if (ids.isEmpty()) {
      return;
    }
    read(ids)
        .onComplete(found -> {
          if (found.succeeded()) {
            succeeded();
            compare(ids, found.result());
            countDue();
          } else {
            failed();
          }
        });
  }

  private Future<Map<InstanceId, Long>> read(List<InstanceId> ids) {
    try {
      return reads.revisions(ids);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private synchronized List<InstanceId> idsToRead() {
    boolean early = failures > 0 && nanos.getAsLong() - notBeforeNanos < 0;
    if (reading || early || topics.isEmpty()) {
      return List.of();
    }
    reading = true;
    return List.copyOf(topics.keySet());
  }

  /** Counts that failed when the database was away need not wait any longer when it is back. */
  private synchronized void succeeded() {
    reading = false;
    if (failures > 0) {
      failures = 0;
      for (var topic : topics.values()) {
        topic.failures = 0;
        topic.waitNanos = countDelay.nanos(0);
      }
    }
  }

  private synchronized void failed() {
    reading = false;
    failures++;
    notBeforeNanos = nanos.getAsLong() + lookDelay.nanos(failures);
  }

  private synchronized void compare(List<InstanceId> ids, Map<InstanceId, Long> revisions) {
    for (var id : ids) {
      var topic = topics.get(id);
      long revision = revisions.getOrDefault(id, GONE);
      if (topic != null && topic.revision != revision) {
        topic.revision = revision;
        offer(topic, HubUpdate.changed(id));
      }
    }
  }

  private static void offer(Topic topic, HubUpdate update) {
    topic.sessions.forEach(session -> session.offer(update));
  }

  /** Those that have waited longest come first. */
  private void countDue() {
    for (var id : due()) {
      statistics(id)
          .onComplete(found -> {
            if (found.succeeded()) {
              counted(id, HubUpdate.statistics(id, found.result()));
              countDue();
            } else {
              notCounted(id);
            }
          });
    }
  }

  private Future<List<Stats>> statistics(InstanceId id) {
    try {
      return reads.statistics(id);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private synchronized List<InstanceId> due() {
    long now = nanos.getAsLong();
    var due = new ArrayList<Map.Entry<InstanceId, Topic>>();
    for (var entry : topics.entrySet()) {
      var topic = entry.getValue();
      if (!topic.counting
          && topic.counted != topic.revision
          && topic.revision != GONE
          && now - topic.countedNanos >= topic.waitNanos) {
        due.add(entry);
      }
    }
    due.sort((a, b) -> Long.compare(a.getValue().countedNanos, b.getValue().countedNanos));
    var taken = due.subList(0, Math.max(0, Math.min(due.size(), COUNTS_MAX - counting)));
    taken.forEach(entry -> begin(entry.getValue(), now));
    counting += taken.size();
    return taken.stream().map(Map.Entry::getKey).toList();
  }

  /** A commit during the read may be counted or not: it is counted again. */
  private static void begin(Topic topic, long now) {
    topic.counting = true;
    topic.countedNanos = now;
    topic.counted = topic.revision;
  }

  private synchronized void counted(InstanceId id, HubUpdate update) {
    counting--;
    var topic = topics.get(id);
    if (topic != null) {
      topic.counting = false;
      topic.failures = 0;
      topic.waitNanos = countDelay.nanos(0);
      offer(topic, update);
    }
  }

  /** A count may have taken all the time of a statement: the next one waits from its end on. */
  private synchronized void notCounted(InstanceId id) {
    counting--;
    var topic = topics.get(id);
    if (topic != null) {
      topic.counting = false;
      topic.counted = Long.MIN_VALUE;
      topic.countedNanos = nanos.getAsLong();
      topic.failures++;
      topic.waitNanos = countDelay.nanos(topic.failures);
    }
  }
}
