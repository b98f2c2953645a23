package skein.peers;

import com.hazelcast.internal.networking.HandlerStatus;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * TLS of one connection whose bytes come and go in buffers. One thread at a time reads and one
 * writes. Until the handshake has ended only the one that reads uses the engine, and while it waits
 * for a piece of work with keys, only the thread that does that.
 */
final class TlsPipe {
  /** The largest size of one record, in cipher text and in plain text. */
  static final int RECORD_BYTES = 17_408;

  private static final byte ALERT = 21;
  private static final byte HANDSHAKE = 22;
  private static final byte MAJOR = 3;
  private static final byte[] NOT_TLS = {ALERT, MAJOR, 3, 0, 2, 2, 10};
  private static final int BINDING_BYTES = 32;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final Executor tasks;
  private final Ends ends;
  private final Queue<ByteBuffer> toSend = new ConcurrentLinkedQueue<>();

  /** Decrypted data for which there was no room; to be read. */
  private final ByteBuffer plain = ByteBuffer.allocate(RECORD_BYTES).flip();

  private boolean begun;
  private boolean ended;
  private volatile boolean busy;
  private volatile boolean open;

  /** The engine has output that is not application data. */
  private volatile boolean due;

  /** Callbacks; called on the thread that reads unless stated otherwise. */
  interface Ends {
    /** Reading can continue; on any thread. */
    void wakeReader();

    /** There is something to write. */
    void wakeWriter();

    /**
     * The other end does not speak TLS; {@code first} is what it began with.
     *
     * @return whether it has to be notified that it should
     */
    boolean spokeNoTls(byte first);

    /** The handshake failed. {@code answered}: the other end learns it when it is written. */
    void failed(SSLException failure, boolean answered);

    /** The other end has closed it in an orderly way. */
    void closed();
  }

  /** {@code tasks}: does the work with keys of handshakes. */
  TlsPipe(SSLEngine engine, Executor tasks, Ends ends) {
    this.engine = engine;
    this.tasks = tasks;
    this.ends = ends;
  }

  /** Whether a connection that begins so is one of TLS, or an answer of TLS. */
  static boolean isTls(byte first) {
    return first == HANDSHAKE || first == ALERT;
  }

  /** Whether these are the first two bytes of TLS; members and messages begin otherwise. */
  static boolean isTls(byte first, byte second) {
    return isTls(first) && second == MAJOR;
  }

  /** Whether {@code end} may get this first. */
  static boolean isTls(byte first, Handshake.End end) {
    return first == HANDSHAKE || (first == ALERT && end == Handshake.End.CONNECTING);
  }

  /** Tells those who do not speak TLS that they should. */
  static byte[] notTls() {
    return NOT_TLS.clone();
  }

  /** The same at both ends of one connection, and at no other. */
  static byte[] binding(SSLEngine engine) {
    try {
      return (byte[])
          exporter().invoke(engine.getSession(), "EXPORTER-skein-peers", null, BINDING_BYTES);
    } catch (Throwable e) {
      throw new IllegalStateException("The handshake has not ended", e);
    }
  }

  /** A method of {@code ExtendedSSLSession} since Java 25; the rest of this jar needs 17. */
  private static MethodHandle exporter() {
    var type = MethodType.methodType(byte[].class, String.class, byte[].class, int.class);
    try {
      return MethodHandles.publicLookup()
          .findVirtual(ExtendedSSLSession.class, "exportKeyingMaterialData", type)
          .asType(type.insertParameterTypes(0, SSLSession.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new UnsupportedOperationException(
          "TLS between nodes binds the secret to the connection, which needs Java 25 or newer", e);
    }
  }

  /** Throws {@link UnsupportedOperationException} where the JDK is older than 25. */
  static void requireBinding() {
    var unused = exporter();
  }

  byte[] binding() {
    return binding(engine);
  }

  boolean isOpen() {
    return open;
  }

  /** Before anything is read or written. */
  void begin() throws SSLException {
    engine.beginHandshake();
    if (engine.getUseClientMode()) {
      shake(NOTHING);
    }
  }

  /**
   * Takes the input so far.
   *
   * @param to what is in it is plain text
   * @return as of an inbound handler: {@code DIRTY} when there is more for {@code to}, {@code
   *     BLOCKED} when nothing can be taken until the reader is woken
   * @throws SSLException an open connection was broken, or the data was changed on its way
   */
  HandlerStatus read(ByteBuffer cipher, ByteBuffer to) throws SSLException {
    int room = to.remaining();
    while (!ended && (begun || isBegun(cipher))) {
      move(plain, to);
      if (plain.hasRemaining()) {
        return to.remaining() < room ? HandlerStatus.DIRTY : HandlerStatus.BLOCKED;
      }
      if (!open && !shake(cipher)) {
        return busy ? HandlerStatus.BLOCKED : HandlerStatus.CLEAN;
      }
      if (!ended && !decrypt(cipher, to)) {
        return HandlerStatus.CLEAN;
      }
    }
    if (ended) {
      cipher.position(cipher.limit());
    }
    return HandlerStatus.CLEAN;
  }

  private boolean isBegun(ByteBuffer cipher) {
    if (!cipher.hasRemaining()) {
      return false;
    }
    begun = true;
    byte first = cipher.get(cipher.position());
    var end = engine.getUseClientMode() ? Handshake.End.CONNECTING : Handshake.End.ACCEPTING;
    if (!isTls(first, end)) {
      ended = true;
      if (ends.spokeNoTls(first)) {
        toSend.add(ByteBuffer.wrap(NOT_TLS));
        ends.wakeWriter();
      }
    }
    return true;
  }

  /** Whether the handshake has ended; else it waits for bytes or for work. */
  private boolean shake(ByteBuffer cipher) {
    try {
      while (!open && !busy && !ended) {
        switch (engine.getHandshakeStatus()) {
          case NEED_TASK -> work();
          case NEED_WRAP -> wrap();
          case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
            if (!unwrap(cipher)) {
              return false;
            }
          }
          case FINISHED, NOT_HANDSHAKING -> {
            open = true;
            ends.wakeWriter();
          }
        }
      }
    } catch (SSLException e) {
      fail(e);
    }
    return open;
  }

  private void work() throws SSLException {
    busy = true;
    try {
      tasks.execute(() -> {
        try {
          for (var task = engine.getDelegatedTask(); task != null; ) {
            task.run();
            task = engine.getDelegatedTask();
          }
        } finally {
          busy = false;
          ends.wakeReader();
        }
      });
    } catch (RejectedExecutionException e) {
      busy = false;
      throw new SSLException("Too many handshakes at once", e);
    }
  }

  private void wrap() throws SSLException {
    var bytes = ByteBuffer.allocate(RECORD_BYTES);
    var result = engine.wrap(NOTHING.duplicate(), bytes);
    if (bytes.flip().hasRemaining()) {
      toSend.add(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
      ends.wakeWriter();
    } else if (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      throw new SSLException("TLS makes no progress: " + result);
    }
  }

  /** False: more has to come. */
  private boolean unwrap(ByteBuffer cipher) throws SSLException {
    var result = engine.unwrap(cipher, plain.clear());
    plain.flip();
    if (result.getStatus() == Status.CLOSED) {
      throw new SSLException("The other end closed the connection in the handshake");
    }
    return result.getStatus() == Status.OK && !isIdle(result);
  }

  private static boolean isIdle(SSLEngineResult result) {
    return result.bytesConsumed() == 0
        && result.bytesProduced() == 0
        && result.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP;
  }

  /** The engine has an alert for the other end, unless that has sent one. */
  private void fail(SSLException failure) {
    ended = true;
    boolean answered = false;
    try {
      while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone()) {
        wrap();
        answered = true;
      }
    } catch (SSLException unused) {
      // then it gets no notice
    }
    ends.failed(failure, answered);
  }

  /** False: more has to come. */
  private boolean decrypt(ByteBuffer cipher, ByteBuffer to) throws SSLException {
    if (!cipher.hasRemaining()) {
      return false;
    }
    SSLEngineResult result;
    if (to.remaining() >= RECORD_BYTES) {
      result = engine.unwrap(cipher, to);
    } else {
      result = engine.unwrap(cipher, plain.clear());
      plain.flip();
    }
    if (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      due = true;
      ends.wakeWriter();
    }
    return switch (result.getStatus()) {
      case OK -> {
        if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
          throw new SSLException("TLS makes no progress: " + result);
        }
        yield true;
      }
      case CLOSED -> {
        ended = true;
        cipher.position(cipher.limit());
        ends.closed();
        yield false;
      }
      case BUFFER_UNDERFLOW -> false;
      case BUFFER_OVERFLOW -> throw new SSLException("A record longer than TLS has");
    };
  }

  /**
   * Encrypts what is to be sent.
   *
   * @param from plain text
   * @return as of an outbound handler: {@code DIRTY} when {@code cipher} has to be written before
   *     there is room for the rest, {@code BLOCKED} when nothing can be sent before the writer is
   *     woken
   */
  HandlerStatus write(ByteBuffer from, ByteBuffer cipher) throws SSLException {
    boolean isOpen = open; // before the last of the handshake is taken
    for (var next = toSend.peek(); next != null; next = toSend.peek()) {
      move(next, cipher);
      if (next.hasRemaining()) {
        return HandlerStatus.DIRTY;
      }
      toSend.remove();
    }
    if (!isOpen) {
      return HandlerStatus.BLOCKED;
    }
    while (from.hasRemaining() || due) {
      if (cipher.remaining() < RECORD_BYTES) {
        return HandlerStatus.DIRTY;
      }
      due = false; // the thread that reads may set it again
      var result = engine.wrap(from, cipher);
      if (result.getStatus() == Status.CLOSED) {
        from.position(from.limit());
        return HandlerStatus.BLOCKED;
      }
      if (result.bytesProduced() == 0) {
        throw new SSLException("TLS makes no progress: " + result);
      }
      due |= result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
    }
    return HandlerStatus.CLEAN;
  }

  private static void move(ByteBuffer from, ByteBuffer to) {
    int count = Math.min(from.remaining(), to.remaining());
    to.put(to.position(), from, from.position(), count);
    to.position(to.position() + count);
    from.position(from.position() + count);
  }
}
