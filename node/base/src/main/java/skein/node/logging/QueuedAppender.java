package skein.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Lets a thread of its own write the lines. It collects for a moment and writes all of them at
 * once, so that neither a line costs a system call nor a caller has to wake a thread up. When the
 * queue is full, callers wait, but no longer than {@code waitMax}: a log without a reader must not
 * hold up the node. Lines are dropped from then until there is room again, and how many is said
 * then. Thread-safe.
 */
final class QueuedAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final long IDLE = Long.MIN_VALUE;
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  /** The size of one write, unless a line alone is longer. */
  private static final int PIECE_BYTES = 256 * 1024;

  /** Wakes the writer up when it has to stop: an interrupt could break a write in progress. */
  private static final ILoggingEvent STOP = new LoggingEvent();

  private final Encoder<ILoggingEvent> encoder;
  private final OutputStream out;
  private final BoundedLines bounds;
  private final Duration delay;
  private final Duration waitMax;
  private final BlockingQueue<ILoggingEvent> queue;
  private final LongAdder dropped = new LongAdder();
  private final AtomicBoolean dropping = new AtomicBoolean();
  private final Thread writer = new Thread(this::write, "log");

  /** Written at once; the writer's own. It keeps the room that it has once needed. */
  private final ByteArrayOutputStream piece = new ByteArrayOutputStream();

  private volatile long writingSince = IDLE;
  private volatile @Nullable IOException failure;
  private Consumer<IOException> onFailure = _ -> {};
  private @Nullable RecentLines recent;
  private long droppedAndSaid;

  /**
   * @param queueMax lines that wait before callers do
   * @param waitMax how long a caller waits for room
   * @param writeDelay from the first line until it is written with those that have come since
   */
  record Options(int queueMax, Duration waitMax, Duration writeDelay) {}

  /**
   * @param out closed when this has stopped
   * @param bounds applied before a line waits
   */
  QueuedAppender(
      Encoder<ILoggingEvent> encoder, OutputStream out, BoundedLines bounds, Options options) {
    this.encoder = encoder;
    this.out = out;
    this.bounds = bounds;
    this.delay = options.writeDelay;
    this.waitMax = options.waitMax;
    this.queue = new ArrayBlockingQueue<>(options.queueMax);
    writer.setDaemon(true);
  }

  /**
   * To be called before the start.
   *
   * @param listener called by the writer when a write has failed after one that did not
   */
  void onFailure(Consumer<IOException> listener) {
    onFailure = listener;
  }

  /** Has what is written kept there, too; to be called before the start. */
  void keepIn(RecentLines lines) {
    recent = lines;
  }

  @Override
  public void start() {
    if (getName() != null) {
      writer.setName(getName());
    }
    super.start();
    writer.start();
  }

  @Override
  protected void append(ILoggingEvent event) {
    var kept = bounds.of(event);
    kept.prepareForDeferredProcessing();
    if (!queue.offer(kept)) {
      waitForRoom(kept);
    }
  }

  private void waitForRoom(ILoggingEvent event) {
    try {
      if (dropping.get() || !queue.offer(event, waitMax.toNanos(), TimeUnit.NANOSECONDS)) {
        dropping.set(true);
        dropped.increment();
      }
    } catch (InterruptedException e) {
      dropped.increment();
      Thread.currentThread().interrupt();
    }
  }

  /** For how long the lines that are being written have not been taken; zero: none are. */
  Duration stuckFor() {
    long since = writingSince;
    return since == IDLE ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
  }

  /** Why the last write failed; null: it did not. */
  @Nullable IOException failure() {
    return failure;
  }

  /** Since the start. */
  long dropped() {
    return dropped.sum();
  }

  private void write() {
    var events = new ArrayList<ILoggingEvent>();
    try {
      while (isStarted()) {
        events.add(queue.take());
        Thread.sleep(delay);
        queue.drainTo(events);
        dropping.set(false);
        writeAll(events);
      }
    } catch (InterruptedException e) {
      addError("The log's writer was interrupted and stops", e);
    }
    queue.drainTo(events);
    writeAll(events);
    try {
      out.close();
    } catch (IOException e) {
      addError("The log cannot be closed", e);
    }
  }

  /** Whatever happens to some lines, the writer continues: callers would wait for it. */
  private void writeAll(List<ILoggingEvent> events) {
    events.remove(STOP);
    try {
      writeInPieces(events);
    } catch (OutOfMemoryError e) {
      piece.reset();
      dropped.add(events.size());
      addError("Lines of the log did not fit into memory", e);
    }
    events.clear();
    long all = dropped.sum();
    if (all > droppedAndSaid) {
      piece.writeBytes(encoded(droppedLine(all - droppedAndSaid)));
      if (isPieceWritten()) {
        droppedAndSaid = all;
      }
    }
  }

  private void writeInPieces(List<ILoggingEvent> events) {
    int lines = 0;
    for (var event : events) {
      var line = encoded(event);
      if (lines > 0 && piece.size() + line.length > PIECE_BYTES) {
        writePiece(lines);
        lines = 0;
      }
      piece.writeBytes(line);
      lines++;
    }
    if (lines > 0) {
      writePiece(lines);
    }
  }

  private void writePiece(int lines) {
    if (!isPieceWritten()) {
      dropped.add(lines);
    }
  }

  private boolean isPieceWritten() {
    writingSince = System.nanoTime();
    try {
      if (recent != null) {
        piece.writeTo(recent);
      }
      piece.writeTo(out);
      out.flush();
      failure = null;
      return true;
    } catch (IOException e) {
      addError("The log cannot be written", e);
      boolean first = failure == null;
      failure = e;
      if (first) {
        onFailure.accept(e);
      }
      return false;
    } finally {
      writingSince = IDLE;
      piece.reset();
    }
  }

  private ILoggingEvent droppedLine(long lines) {
    var logger = ((LoggerContext) getContext()).getLogger("skein.node.Log");
    var event = new LoggingEvent("", logger, Level.WARN, "log.dropped", null, null);
    event.setInstant(Instant.now());
    event.addKeyValuePair(new KeyValuePair("lines", lines));
    return event;
  }

  /** An event that cannot be written must not end the writer: callers would wait for it. */
  private byte[] encoded(ILoggingEvent event) {
    try {
      return encoder.encode(event);
    } catch (RuntimeException e) {
      addError("An event cannot be written", e);
      return new byte[0];
    }
  }

  /** Writes what is queued; later events are lost. */
  @Override
  public void stop() {
    super.stop();
    // a queue that is full wakes the writer up anyway
    queue.offer(STOP);
    try {
      writer.join(STOP_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
