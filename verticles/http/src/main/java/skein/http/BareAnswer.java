package skein.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;

/** Answers of HTTP/1.1 that are written before anything reads HTTP; the last of a connection. */
final class BareAnswer {
  private BareAnswer() {}

  /** {@code isHead}: whether a body would be taken for the next answer. */
  static ByteBuf of(Answer answer, boolean isHead) {
    var start =
        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(
                HttpResponseStatus.valueOf(answer.status()),
                answer.contentType(),
                answer.body().length());
    var body = isHead ? new byte[0] : answer.body().getBytes();
    return Unpooled.wrappedBuffer(start.getBytes(US_ASCII), body);
  }
}
