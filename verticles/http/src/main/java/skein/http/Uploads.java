package skein.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Takes the files of a {@code multipart/form-data} request into memory, within limits. Belongs to
 * one event loop.
 */
final class Uploads implements Handler<RoutingContext> {
  private static final String KEY = Uploads.class.getName();
  private static final String LEASE = UploadBudget.class.getName();
  private static final String MEDIA_TYPE = "multipart/form-data";

  private static final Set<String> PATHS =
      Set.of(
          Routes.API + "/workflow-definitions/import-files",
          Routes.API + "/bulk-actions/import/workflow-instances");

  private final UploadLimits limits;
  private final UploadBudget budget;

  /** Requests that have files in memory. */
  private int open;

  Uploads(UploadLimits limits, UploadBudget budget) {
    this.limits = limits;
    this.budget = budget;
  }

  /** Whether a request brings files to where files are taken. */
  static boolean areIn(RoutingContext context) {
    var type = context.request().getHeader("Content-Type");
    return type != null
        && Bodies.mayBeForm(context.request())
        && type.toLowerCase(Locale.ROOT).startsWith(MEDIA_TYPE)
        && PATHS.contains(context.normalizedPath());
  }

  /** Those of this request; empty when it had none. */
  static List<Upload> of(RoutingContext context) {
    List<Upload> files = context.get(KEY);
    return files == null ? List.of() : List.copyOf(files);
  }

  /** What the files of this request take up, unpacked ones too. */
  static UploadBudget.Lease lease(RoutingContext context) {
    return Objects.requireNonNull(context.<UploadBudget.Lease>get(LEASE), "no files were taken");
  }

  @Override
  public void handle(RoutingContext context) {
    if (open >= limits.concurrentMax()) {
      context.fail(SkeinException.tooMany("uploads", limits.concurrentMax()));
      return;
    }
    var files = new ArrayList<Upload>();
    var taken = new Taken(budget.lease());
    context.put(LEASE, taken.lease);
    open++;
    context.addEndHandler(_ -> leave(taken));
    var request = context.request().setExpectMultipart(true);
    request.exceptionHandler(e -> unreadable(context, e));
    request.uploadHandler(upload -> take(context, upload, files, taken));
    request.endHandler(_ -> {
      if (!context.failed()) {
        context.put(KEY, files);
        context.next();
      }
    });
  }

  /** A connection that breaks after the answer ends a request once more. */
  private void leave(Taken taken) {
    if (!taken.left) {
      taken.left = true;
      taken.lease.close();
      open--;
    }
  }

  private static void unreadable(RoutingContext context, Throwable failure) {
    if (!context.failed()) {
      context.fail(Call.invalid("The files could not be read: " + failure.getMessage()));
    }
  }

  /** What one request has sent so far. */
  private static final class Taken {
    private long bytes;
    private int files;
    private boolean left;
    private final UploadBudget.Lease lease;

    private Taken(UploadBudget.Lease lease) {
      this.lease = lease;
    }
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
      } else if (!context.failed() && isTaken(context, taken, part.length())) {
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

  private static boolean isTaken(RoutingContext context, Taken taken, int bytes) {
    try {
      taken.lease.take(bytes);
      return true;
    } catch (SkeinException e) {
      context.fail(e);
      return false;
    }
  }

  private static void refuse(RoutingContext context, String why) {
    if (!context.failed()) {
      context.fail(new SkeinException(ErrorCode.TOO_LARGE, why + ": send fewer at a time"));
    }
  }
}
