package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import skein.cluster.Readiness;
import skein.model.SkeinException;

/**
 * The states that clients of this node follow. Each is read once in an interval for all its
 * readers, from the database or by asking the nodes, and only while it has readers: what executes
 * instances does not know of it. Thread-safe.
 */
final class LiveFeed {
  private static final Map<Vertx, LiveFeed> FEEDS =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Reads a state, as JSON. */
  @FunctionalInterface
  interface Source {
    Future<?> read();
  }

  private final Vertx vertx;
  private final Readiness readiness;
  private final LiveOptions options;
  private final Map<String, Topic> topics = new HashMap<>();
  private int readers;

  LiveFeed(Vertx vertx, Readiness readiness, LiveOptions options) {
    this.vertx = vertx;
    this.readiness = readiness;
    this.options = options;
  }

  /** That of the node; its first event loop makes it. */
  static LiveFeed of(Vertx vertx, Readiness readiness, LiveOptions options) {
    return FEEDS.computeIfAbsent(vertx, _ -> new LiveFeed(vertx, readiness, options));
  }

  /**
   * Lets a reader follow until it ends.
   *
   * @param name what is followed; readers of one name share what {@code source} reads
   * @throws SkeinException {@code OVERLOADED} when there are too many
   */
  void follow(String name, Source source, LiveReader reader, Future<Void> ended) {
    var topic = join(name, source, reader);
    ended.onComplete(_ -> leave(topic, reader));
    var known = topic.state;
    if (known != null) {
      reader.offer(known);
    }
  }

  /** Fails when a stream could not be opened now. */
  synchronized void requireRoom(String name) {
    if (readers >= options.readersMax()) {
      throw SkeinException.overloaded("live.readers-max", options.readersMax());
    }
    if (!topics.containsKey(name) && topics.size() >= options.topicsMax()) {
      throw SkeinException.overloaded("live.topics-max", options.topicsMax());
    }
  }

  private synchronized Topic join(String name, Source source, LiveReader reader) {
    requireRoom(name);
    readers++;
    var topic = topics.computeIfAbsent(name, _ -> new Topic(name, source));
    topic.readers.add(reader);
    return topic;
  }

  private synchronized void leave(Topic topic, LiveReader reader) {
    if (topic.readers.remove(reader)) {
      readers--;
    }
    if (topic.readers.isEmpty() && topics.remove(topic.name, topic)) {
      topic.stop();
    }
  }

  synchronized int readers() {
    return readers;
  }

  /** One state, with those who follow it. */
  private final class Topic {
    private final String name;
    private final Source source;
    private final List<LiveReader> readers = new CopyOnWriteArrayList<>();
    private final AtomicBoolean reading = new AtomicBoolean();
    private final long timer;
    private volatile @Nullable LiveState state;

    Topic(String name, Source source) {
      this.name = name;
      this.source = source;
      this.timer = vertx.setPeriodic(1, options.interval().toMillis(), _ -> look());
    }

    void stop() {
      vertx.cancelTimer(timer);
    }

    /** Does nothing while the last look has not ended: a slow database is not asked more often. */
    private void look() {
      if (reading.compareAndSet(false, true)) {
        read()
            .onComplete(found -> {
              reading.set(false);
              var next = found.succeeded() ? found.result() : LiveState.failed(found.cause());
              state = next;
              boolean leaving = readiness.isLeaving();
              for (var reader : readers) {
                reader.offer(next);
                if (leaving) {
                  reader.end();
                }
              }
            });
      }
    }

    private Future<LiveState> read() {
      try {
        return source.read().map(LiveState::of);
      } catch (RuntimeException e) {
        return Future.failedFuture(e);
      }
    }
  }
}
