package skein.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Takes the files of a {@code multipart/form-data} request into memory, within limits. */
final class Uploads implements Handler<RoutingContext> {
  private static final String KEY = Uploads.class.getName();
  private static final String MEDIA_TYPE = "multipart/form-data";

  private final UploadLimits limits;

  Uploads(UploadLimits limits) {
    this.limits = limits;
  }

  static boolean areIn(RoutingContext context) {
    var type = context.request().getHeader("Content-Type");
    return type != null && type.toLowerCase(Locale.ROOT).startsWith(MEDIA_TYPE);
  }

  /** Those of this request; empty when it had none. */
  static List<Upload> of(RoutingContext context) {
    List<Upload> files = context.get(KEY);
    return files == null ? List.of() : List.copyOf(files);
  }

  @Override
  public void handle(RoutingContext context) {
    var files = new ArrayList<Upload>();
    var taken = new Taken();
    var request = context.request().setExpectMultipart(true);
    request.exceptionHandler(context::fail);
    request.uploadHandler(upload -> take(context, upload, files, taken));
    request.endHandler(_ -> {
      if (!context.failed()) {
        context.put(KEY, files);
        context.next();
      }
    });
  }

  /** What one request has sent so far. */
  private static final class Taken {
    private long bytes;
    private int files;
  }

  private void take(
      RoutingContext context, HttpServerFileUpload upload, List<Upload> files, Taken taken) {
    if (++taken.files > limits.entriesMax()) {
      refuse(context, "More than " + limits.entriesMax() + " files");
      return;
    }
    var content = Buffer.buffer();
    upload.handler(part -> {
      taken.bytes += part.length();
      if (taken.bytes > limits.bytesMax()) {
        refuse(context, "The files have more than " + limits.bytesMax() + " bytes");
      } else if (!context.failed()) {
        content.appendBuffer(part);
      }
    });
    upload.endHandler(_ ->
        files.add(
            new Upload(
                upload.filename() == null ? upload.name() : upload.filename(),
                upload.contentType() == null ? "" : upload.contentType(),
                content)));
  }

  private static void refuse(RoutingContext context, String why) {
    if (!context.failed()) {
      context.fail(new SkeinException(ErrorCode.TOO_LARGE, why + ": send fewer at a time"));
    }
  }
}
