package skein.node.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Lets a thread of its own write the lines. It collects for a moment and writes all of them at
 * once, so that neither a line costs a system call nor a caller has to wake anybody up. Drops
 * nothing: when the queue is full, callers wait. Thread-safe.
 */
final class QueuedAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final Encoder<ILoggingEvent> encoder;
  private final OutputStream out;
  private final Duration delay;
  private final BlockingQueue<ILoggingEvent> queue;
  private final Thread writer = new Thread(this::write, "log");

  /**
   * @param max lines that wait before callers do
   * @param delay from the first line until it is written with those that have come meanwhile
   */
  QueuedAppender(Encoder<ILoggingEvent> encoder, OutputStream out, int max, Duration delay) {
    this.encoder = encoder;
    this.out = out;
    this.delay = delay;
    this.queue = new ArrayBlockingQueue<>(max);
    writer.setDaemon(true);
  }

  @Override
  public void start() {
    super.start();
    writer.start();
  }

  @Override
  protected void append(ILoggingEvent event) {
    event.prepareForDeferredProcessing();
    if (!queue.offer(event)) {
      waitForRoom(event);
    }
  }

  private void waitForRoom(ILoggingEvent event) {
    try {
      queue.put(event);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    var events = new ArrayList<ILoggingEvent>();
    try {
      while (isStarted()) {
        events.add(queue.take());
        Thread.sleep(delay);
        queue.drainTo(events);
        write(events);
      }
    } catch (InterruptedException e) {
      // stopping: what is left is written below
    }
    queue.drainTo(events);
    write(events);
  }

  private void write(List<ILoggingEvent> events) {
    var lines = new byte[events.size()][];
    int length = 0;
    for (int i = 0; i < lines.length; i++) {
      lines[i] = encoded(events.get(i));
      length += lines[i].length;
    }
    events.clear();
    var all = new byte[length];
    int end = 0;
    for (var line : lines) {
      System.arraycopy(line, 0, all, end, line.length);
      end += line.length;
    }
    try {
      out.write(all);
      out.flush();
    } catch (IOException e) {
      addError("The log cannot be written", e);
    }
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
    writer.interrupt();
    try {
      writer.join(STOP_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
