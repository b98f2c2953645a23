package skein.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import skein.identity.Requirement;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Takes the files of a {@code multipart/form-data} request into memory, within limits. Belongs to
 * one event loop.
 */
final class Uploads implements Handler<RoutingContext> {
  private static final String KEY = Uploads.class.getName();
  private static final String LEASE = UploadBudget.class.getName();

  private static final Set<String> PATHS =
      Set.of(
          Routes.API + "/workflow-definitions/import-files",
          Routes.API + "/bulk-actions/import/workflow-instances");

  private final UploadLimits limits;
  private final UploadBudget budget;
  private final Multipart.Limits form;

  /** Requests that have files in memory. */
  private int open;

  Uploads(UploadLimits limits, UploadBudget budget, Multipart.Limits form) {
    this.limits = limits;
    this.budget = budget;
    this.form = form;
  }

  /** Whether a request brings files to where files are taken. */
  static boolean areIn(RoutingContext context) {
    return Multipart.isIn(context) && PATHS.contains(context.normalizedPath());
  }

  /** The permission that such a request needs. */
  static Requirement needed(RoutingContext context) {
    return RouteTable.of(HttpMethod.POST.name(), context.normalizedPath()).permission();
  }

  /** Those of this request; empty when it had none. */
  static List<Upload> of(RoutingContext context) {
    List<Upload> files = context.get(KEY);
    return files == null ? List.of() : List.copyOf(files);
  }

  /** The size of the files of this request, unpacked ones included. */
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
    Multipart.read(context, form, (field, name, type) -> begin(context, files, taken, name, type));
    context.put(KEY, files);
  }

  /** A connection that breaks after the answer ends a request once more. */
  private void leave(Taken taken) {
    if (!taken.left) {
      taken.left = true;
      taken.lease.close();
      open--;
    }
  }

  /** The input of one request so far. */
  private static final class Taken {
    private long bytes;
    private int files;
    private boolean left;
    private final UploadBudget.Lease lease;

    private Taken(UploadBudget.Lease lease) {
      this.lease = lease;
    }
  }

  private Consumer<Buffer> begin(
      RoutingContext context, List<Upload> files, Taken taken, String name, String type) {
    if (++taken.files > limits.entriesMax()) {
      refuse(context, "More than " + limits.entriesMax() + " files");
      return _ -> {};
    }
    var content = Buffer.buffer();
    files.add(new Upload(name, type, content));
    return part -> {
      taken.bytes += part.length();
      if (taken.bytes > limits.bytesMax()) {
        refuse(context, "The files have more than " + limits.bytesMax() + " bytes");
      } else if (!context.failed() && isTaken(context, taken, part.length())) {
        content.appendBuffer(part);
      }
    };
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
