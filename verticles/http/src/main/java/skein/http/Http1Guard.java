package skein.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;

/**
 * Passes on only such requests of HTTP/1 whose end every reader finds at the same byte; what comes
 * after another one is dropped. Heads, sizes of chunks and trailers are held until they are whole,
 * so that no parser behind this sees a part of one that is refused. HTTP/2 passes as it comes, and
 * so does a WebSocket once the server has agreed to it ({@link #upgrade}). What comes after a
 * request for a WebSocket is dropped otherwise: a proxy in front may take it for one. Of one
 * connection; called on its event loop alone, by its Netty handler.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-6.3">RFC 9112, 6.3, 7.1 and 11.2</a>
 */
final class Http1Guard {
  /** The target of the request that stands for one that is refused: no other has it. */
  static final String REFUSED_TARGET = "//";

  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final String REFUSED = " " + REFUSED_TARGET + " HTTP/1.1\r\nHost: refused\r\n\r\n";

  private static final byte[] HEAD = "HEAD ".getBytes(US_ASCII);

  /** A size of eight digits, and room for an extension, which is ignored. */
  private static final int SIZE_LINE_MAX = 256;

  private static final byte LINE_FEED = '\n';
  private static final byte[] NOTHING = new byte[0];
  private static final int HELD_MIN = 256;
  private static final int KEPT_MAX = 2_048;

  private enum State {
    /** It may be HTTP/2. */
    START,
    HEAD,
    BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILERS,
    HTTP2,
    /** A WebSocket is asked for. */
    UPGRADING,
    /** It is one. */
    UPGRADED,
    REFUSED
  }

  /** Why, and what is answered. */
  record Refusal(ErrorCode code, int status, String why) {}

  private final int lineBytesMax;
  private final int headerBytesMax;
  private final RequestHead head;
  private State state = State.START;
  private byte[] held = NOTHING;
  private int length;

  /** Bytes of the head that are not passed on. */
  private int dropped;

  /** Where the line begins that has not ended. */
  private int line;

  /** Where the headers begin; 0 in the first line. */
  private int headers;

  /** The missing bytes of the body or the chunk. */
  private long rest;

  private @Nullable Refusal refusal;
  private boolean bodyRefused;

  /** {@code upgrades}: whether a request may ask for HTTP/2; else that wish is taken out of it. */
  Http1Guard(int lineBytesMax, int headerBytesMax, boolean upgrades) {
    this.lineBytesMax = lineBytesMax;
    this.headerBytesMax = headerBytesMax;
    this.head = new RequestHead(upgrades);
  }

  /** Null while the input is unambiguous. */
  @Nullable Refusal refusal() {
    return refusal;
  }

  /** Whether it was the body of a request that was refused, and not its head. */
  boolean isBodyRefused() {
    return bodyRefused;
  }

  /** The server agrees to the WebSocket that the last request has asked for; else no effect. */
  void upgrade() {
    if (state == State.UPGRADING) {
      state = State.UPGRADED;
    }
  }

  /** Takes the bytes over; what may be read is passed to the next. */
  void take(ByteBuf bytes, Consumer<ByteBuf> next) {
    try {
      while (bytes.isReadable()) {
        switch (state) {
          case BODY, CHUNK -> pass(bytes, next);
          case HTTP2, UPGRADED -> next.accept(bytes.readRetainedSlice(bytes.readableBytes()));
          case REFUSED -> bytes.skipBytes(bytes.readableBytes());
          case UPGRADING -> state = State.REFUSED; // its client has not awaited the answer
          case HEAD -> holdHead(bytes, next);
          case START, CHUNK_SIZE, CHUNK_END, TRAILERS -> hold(bytes.readByte(), next);
        }
      }
    } finally {
      bytes.release();
    }
  }

  private void pass(ByteBuf bytes, Consumer<ByteBuf> next) {
    int count = (int) Math.min(rest, bytes.readableBytes());
    rest -= count;
    if (rest == 0) {
      state = state == State.BODY ? begin() : State.CHUNK_END;
    }
    next.accept(bytes.readRetainedSlice(count));
  }

  /** Where the next request begins. */
  private State begin() {
    boolean upgrading = head.asksForUpgrade();
    head.clear();
    return upgrading ? State.START : State.HEAD;
  }

  private void hold(byte one, Consumer<ByteBuf> next) {
    if (state == State.START) {
      start(one, next);
      return;
    }
    if (state == State.HEAD && length == 0 && (one == '\r' || one == '\n')) {
      skip(next);
      return;
    }
    append(one);
    switch (state) {
      case HEAD -> head(one, next);
      case CHUNK_SIZE -> size(one, next);
      case CHUNK_END -> end(next);
      default -> trailer(one, next);
    }
  }

  /** As {@link #hold}, of all bytes at once up to the last of a line or one too many. */
  private void holdHead(ByteBuf bytes, Consumer<ByteBuf> next) {
    int run = length == 0 ? 0 : Math.min(bytes.bytesBefore(LINE_FEED), headRoom());
    if (run < 0) {
      run = Math.min(bytes.readableBytes(), headRoom());
    }
    if (run <= 1) {
      hold(bytes.readByte(), next);
      return;
    }
    reserve(run);
    bytes.readBytes(held, length, run);
    length += run;
    head(held[length - 1], next);
  }

  /** Bytes until the head is refused for its length. */
  private int headRoom() {
    return headers == 0
        ? lineBytesMax + 3 - length
        : headerBytesMax + 1 - (length - headers + dropped);
  }

  /** Empty lines before a request. */
  private void skip(Consumer<ByteBuf> next) {
    dropped++;
    if (dropped > lineBytesMax) {
      refuse(new Refusal(ErrorCode.TOO_LARGE, 414, lineTooLong()), next);
    }
  }

  private void start(byte one, Consumer<ByteBuf> next) {
    boolean preface = one == PREFACE[length];
    append(one);
    if (!preface) {
      var begun = Arrays.copyOf(held, length);
      length = 0;
      state = State.HEAD;
      take(Unpooled.wrappedBuffer(begun), next);
    } else if (length == PREFACE.length) {
      state = State.HTTP2;
      release(next);
    }
  }

  private void append(byte one) {
    reserve(1);
    held[length++] = one;
  }

  private void reserve(int more) {
    if (length + more > held.length) {
      held = Arrays.copyOf(held, Math.max(HELD_MIN, Math.max(length + more, 2 * length)));
    }
  }

  private void release(Consumer<ByteBuf> next) {
    var whole = Unpooled.wrappedBuffer(Arrays.copyOf(held, length));
    clear();
    next.accept(whole);
  }

  private void clear() {
    length = 0;
    line = 0;
    headers = 0;
    dropped = 0;
    if (held.length > KEPT_MAX) {
      held = NOTHING;
    }
  }

  private void head(byte one, Consumer<ByteBuf> next) {
    if (headers == 0 && length > lineBytesMax + 2) {
      refuse(new Refusal(ErrorCode.TOO_LARGE, 414, lineTooLong()), next);
    } else if (headers > 0 && length - headers + dropped > headerBytesMax) {
      refuse(new Refusal(ErrorCode.TOO_LARGE, 431, tooManyBytes()), next);
    } else if (one == '\n') {
      headLine(next);
    }
  }

  private String lineTooLong() {
    return "The first line has more than http.line-bytes-max (" + lineBytesMax + ") bytes";
  }

  private String tooManyBytes() {
    return "The headers have more than http.header-bytes-max (" + headerBytesMax + ") bytes";
  }

  private void headLine(Consumer<ByteBuf> next) {
    if (!endsWithCr()) {
      doubt("A line of the request's head does not end with CR LF", next);
      return;
    }
    int end = length - 2;
    if (end == line) {
      headEnd(next);
      return;
    }
    var why = headers == 0 ? head.first(held, line, end) : head.header(held, line, end);
    if (why != null) {
      doubt(why, next);
      return;
    }
    if (headers == 0 && isTargetRefused(next)) {
      return;
    }
    if (headers == 0) {
      headers = length;
      dropped = 0;
    } else if (head.isToDrop(held, line, end)) {
      dropped += length - line;
      length = line;
    }
    line = length;
  }

  private boolean isTargetRefused(Consumer<ByteBuf> next) {
    var why = RequestTarget.refusal(head.target());
    if (why != null) {
      refuse(new Refusal(ErrorCode.PATH_AMBIGUOUS, 400, why), next);
    }
    return why != null;
  }

  private boolean endsWithCr() {
    return length - line >= 2 && held[length - 2] == '\r';
  }

  private void headEnd(Consumer<ByteBuf> next) {
    var why = head.doubt();
    if (why != null) {
      doubt(why, next);
      return;
    }
    if (head.isChunked()) {
      state = State.CHUNK_SIZE;
    } else if (head.contentLength() > 0) {
      rest = head.contentLength();
      state = State.BODY;
    } else {
      state = head.asksForWebSocket() ? State.UPGRADING : begin();
    }
    release(next);
  }

  private void size(byte one, Consumer<ByteBuf> next) {
    if (length > SIZE_LINE_MAX) {
      doubt("The size of a chunk has too many characters", next);
      return;
    }
    if (one != '\n') {
      return;
    }
    long size = endsWithCr() ? ChunkSize.of(held, length - 2) : -1;
    if (size < 0) {
      doubt("The size of a chunk is not a hexadecimal number below 80000000", next);
    } else if (size == 0) {
      state = State.TRAILERS;
      line = length;
    } else {
      rest = size;
      state = State.CHUNK;
      release(next);
    }
  }

  private void end(Consumer<ByteBuf> next) {
    if (length < 2) {
      return;
    }
    if (held[0] == '\r' && held[1] == '\n') {
      state = State.CHUNK_SIZE;
      release(next);
    } else {
      doubt("A chunk is longer than its size", next);
    }
  }

  private void trailer(byte one, Consumer<ByteBuf> next) {
    if (length > headerBytesMax) {
      doubt(tooManyBytes(), next);
    } else if (one == '\n' && !endsWithCr()) {
      doubt("A trailer does not end with CR LF", next);
    } else if (one == '\n' && length - 2 == line) {
      state = begin();
      release(next);
    } else if (one == '\n') {
      var why = head.trailer(held, line, length - 2);
      line = length;
      if (why != null) {
        doubt(why, next);
      }
    }
  }

  private void doubt(String why, Consumer<ByteBuf> next) {
    refuse(new Refusal(ErrorCode.REQUEST_AMBIGUOUS, 400, why), next);
  }

  /** Another head takes the place of a refused one, so that it is answered in its turn. */
  private void refuse(Refusal why, Consumer<ByteBuf> next) {
    refusal = why;
    bodyRefused = state != State.HEAD;
    state = State.REFUSED;
    var standIn = (isHead() ? "HEAD" : "GET") + REFUSED;
    clear();
    next.accept(
        bodyRefused ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(standIn.getBytes(US_ASCII)));
  }

  /** Whether the answer has no body: data after it would be taken for the next answer. */
  private boolean isHead() {
    return length >= HEAD.length && Arrays.equals(held, 0, HEAD.length, HEAD, 0, HEAD.length);
  }
}
