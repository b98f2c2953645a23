package skein.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.multipart.Attribute;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.MemoryFileUpload;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Reads the body of a {@code multipart/form-data} request with Netty's decoder: files go to a
 * receiver while they come, the other fields become attributes of the request at the end. Vert.x
 * would close the connection without an answer when the decoder throws what it does not foresee. Of
 * one request; belongs to its event loop.
 */
final class Multipart {
  private static final String MEDIA_TYPE = "multipart/form-data";

  /** The size of an incomplete boundary, or header of a part. */
  private static final int BUFFERED_BYTES_MAX = 1_024;

  /** The receiver of files; each method may fail the request. */
  interface Files {
    /** Called when a file begins; answers what is given its bytes. */
    Consumer<Buffer> begin(String field, String name, String type);
  }

  /**
   * @param fieldsMax fields, those with files too
   * @param formBytesMax of all that is not the content of a file
   */
  record Limits(int fieldsMax, long formBytesMax) {}

  private final RoutingContext context;
  private final Limits limits;
  private final Files files;
  private final HttpPostMultipartRequestDecoder decoder;

  /** Less is collected before it is given to the decoder, which keeps each piece as an object. */
  private final ChunkBuffer gathered = new ChunkBuffer();

  private long received;
  private long ofFiles;
  private boolean destroyed;

  private Multipart(RoutingContext context, Limits limits, Files files) {
    this.context = context;
    this.limits = limits;
    this.files = files;
    var head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    var type = context.request().getHeader(HttpHeaderNames.CONTENT_TYPE);
    head.headers().set(HttpHeaderNames.CONTENT_TYPE, type == null ? "" : type);
    this.decoder =
        new HttpPostMultipartRequestDecoder(
            new Parts(), head, StandardCharsets.UTF_8, limits.fieldsMax(), BUFFERED_BYTES_MAX);
  }

  static boolean isIn(RoutingContext context) {
    var type = context.request().getHeader(HttpHeaderNames.CONTENT_TYPE);
    return type != null
        && UrlEncodedForm.mayBeForm(context.request())
        && type.stripLeading().toLowerCase(Locale.ROOT).startsWith(MEDIA_TYPE);
  }

  /** Continues with the next handler when the body is complete, unless the request has failed. */
  static void read(RoutingContext context, Limits limits, Files files) {
    Multipart reading;
    try {
      reading = new Multipart(context, limits, files);
    } catch (RuntimeException e) {
      context.fail(unreadable());
      return;
    }
    context.addEndHandler(_ -> reading.destroy());
    context
        .request()
        .exceptionHandler(reading::broken)
        .handler(reading::add)
        .endHandler(_ -> reading.end());
  }

  private void broken(Throwable failure) {
    Bodies.fail(context, failure);
  }

  private void add(Buffer chunk) {
    if (context.failed() || destroyed) {
      return;
    }
    gathered.add(chunk);
    if (gathered.size() >= ChunkBuffer.BYTES_MIN) {
      offerGathered();
    }
  }

  private void offerGathered() {
    received += gathered.size();
    var bytes = gathered.joined();
    gathered.clear();
    offer(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)));
    if (received - ofFiles > limits.formBytesMax() && !context.failed()) {
      context.fail(
          new SkeinException(
              ErrorCode.TOO_LARGE,
              "The form has more than "
                  + limits.formBytesMax()
                  + " bytes beside its files: send less text"));
    }
  }

  /** The decoder's exceptions depend on its input, and not all of them are documented. */
  private void offer(HttpContent content) {
    try {
      decoder.offer(content);
    } catch (RuntimeException e) {
      if (!context.failed()) {
        context.fail(unreadable());
      }
    }
  }

  private void end() {
    if (!context.failed() && !destroyed) {
      offerGathered();
    }
    if (!context.failed() && !destroyed) {
      offer(LastHttpContent.EMPTY_LAST_CONTENT);
    }
    if (!context.failed() && takeFields()) {
      context.next();
    }
  }

  private boolean takeFields() {
    try {
      if (decoder.currentPartialHttpData() != null) {
        context.fail(unreadable());
        return false;
      }
      for (var part : decoder.getBodyHttpDatas()) {
        if (part instanceof Attribute field) {
          context.request().formAttributes().add(field.getName(), field.getValue());
        }
      }
      return true;
    } catch (RuntimeException | IOException e) {
      context.fail(unreadable());
      return false;
    }
  }

  private void destroy() {
    if (!destroyed) {
      destroyed = true;
      decoder.destroy();
    }
  }

  private static SkeinException unreadable() {
    return BadRequest.of(
        "The body cannot be read as multipart/form-data: separate its parts by the boundary that"
            + " Content-Type names");
  }

  private final class Parts extends DefaultHttpDataFactory {
    Parts() {
      super(false);
      setMaxLimit(limits.formBytesMax());
    }

    @Override
    public FileUpload createFileUpload(
        HttpRequest request,
        String name,
        String filename,
        @Nullable String contentType,
        @Nullable String contentTransferEncoding,
        Charset charset,
        long size) {
      var type = contentType == null ? "" : contentType;
      return new Part(name, filename, type, files.begin(name, filename, type));
    }
  }

  /** Keeps nothing itself. */
  @SuppressWarnings("EqualsHashCode")
  private final class Part extends MemoryFileUpload {
    private final Consumer<Buffer> content;

    Part(String name, String filename, String type, Consumer<Buffer> content) {
      super(name, filename, type, null, StandardCharsets.UTF_8, 0);
      this.content = content;
    }

    @Override
    public void addContent(ByteBuf bytes, boolean last) throws IOException {
      try {
        ofFiles += bytes.readableBytes();
        if (bytes.isReadable() && !context.failed()) {
          content.accept(Buffer.buffer(ByteBufUtil.getBytes(bytes)));
        }
      } finally {
        bytes.release();
      }
      super.addContent(Unpooled.EMPTY_BUFFER, last);
    }
  }
}
