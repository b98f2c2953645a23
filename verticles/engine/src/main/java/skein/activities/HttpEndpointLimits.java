package skein.activities;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;

/** The limits of an HTTP endpoint: sizes, and which files. */
final class HttpEndpointLimits {
  static final Input REQUEST_SIZE =
      Input.of("RequestSizeLimit", "Int64")
          .described("Bytes of a request at most.")
          .grouped("Upload");
  static final Input FILE_SIZE =
      Input.of("FileSizeLimit", "Int64").described("Bytes of a file at most.").grouped("Upload");
  static final Input ALLOWED_EXTENSIONS =
      Input.of("AllowedFileExtensions", "String[]")
          .described("Extensions that files may have.")
          .grouped("Upload");
  static final Input BLOCKED_EXTENSIONS =
      Input.of("BlockedFileExtensions", "String[]")
          .described("Extensions that files may not have.")
          .grouped("Upload");
  static final Input MIME_TYPES =
      Input.of("AllowedMimeTypes", "String[]")
          .described("Media types that files may have.")
          .grouped("Upload");
  static final Input EXPOSE_REQUEST =
      Input.of("ExposeRequestTooLargeOutcome", "Boolean", false)
          .described("Whether a request that is too large is an outcome.")
          .grouped("Outcomes");
  static final Input EXPOSE_FILE =
      Input.of("ExposeFileTooLargeOutcome", "Boolean", false)
          .described("Whether a file that is too large is an outcome.")
          .grouped("Outcomes");
  static final Input EXPOSE_EXTENSION =
      Input.of("ExposeInvalidFileExtensionOutcome", "Boolean", false)
          .described("Whether a file with a wrong extension is an outcome.")
          .grouped("Outcomes");
  static final Input EXPOSE_TYPE =
      Input.of("ExposeInvalidFileMimeTypeOutcome", "Boolean", false)
          .described("Whether a file of a wrong media type is an outcome.")
          .grouped("Outcomes");

  private static final String REQUEST_TOO_LARGE = "Request too large";
  private static final String FILE_TOO_LARGE = "File too large";
  private static final String INVALID_EXTENSION = "Invalid file extension";
  private static final String INVALID_TYPE = "Invalid file MIME type";

  /** Outcomes of an endpoint, those for requests that it refuses included. */
  static final List<String> OUTCOMES =
      List.of(
          ActivityDescriptor.DONE,
          REQUEST_TOO_LARGE,
          FILE_TOO_LARGE,
          INVALID_EXTENSION,
          INVALID_TYPE);

  private HttpEndpointLimits() {}

  /**
   * Why a request is not taken.
   *
   * @param exposed the definition continues with the outcome
   */
  record Violation(String outcome, boolean exposed, int status, String message) {
    /** As RFC 9457 and this server's other refusals have it, and Elsa's {@code message}. */
    Map<String, @Nullable Object> toProblem() {
      var code =
          switch (status) {
            case 401 -> ErrorCode.UNAUTHENTICATED;
            case 403 -> ErrorCode.FORBIDDEN;
            case 413 -> ErrorCode.TOO_LARGE;
            default -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
          };
      return Json.members(
          "type",
          "urn:skein:error:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'),
          "title",
          outcome,
          "status",
          (long) status,
          "detail",
          message,
          "code",
          code.name(),
          "message",
          message);
    }
  }

  /** Null when everything is as it should be. */
  static @Nullable Violation of(Inputs inputs, Map<String, @Nullable Object> request) {
    var size = limit(inputs, REQUEST_SIZE);
    if (request.get("size") instanceof Number sent && sent.longValue() > size) {
      return new Violation(
          REQUEST_TOO_LARGE,
          inputs.flag(EXPOSE_REQUEST),
          413,
          "The request has more than " + size + " bytes");
    }
    for (var item : Json.list(request.get("files"))) {
      var file = Json.object(item);
      var violation = file == null ? null : ofFile(inputs, file);
      if (violation != null) {
        return violation;
      }
    }
    return null;
  }

  private static @Nullable Violation ofFile(Inputs inputs, Map<String, @Nullable Object> file) {
    var size = limit(inputs, FILE_SIZE);
    if (file.get("size") instanceof Number sent && sent.longValue() > size) {
      return new Violation(
          FILE_TOO_LARGE, inputs.flag(EXPOSE_FILE), 413, "A file has more than " + size + " bytes");
    }
    var extension = extension(String.valueOf(file.get("filename")));
    var allowed = extensions(inputs, ALLOWED_EXTENSIONS);
    if (extensions(inputs, BLOCKED_EXTENSIONS).contains(extension)
        || !(allowed.isEmpty() || allowed.contains(extension))) {
      return new Violation(
          INVALID_EXTENSION,
          inputs.flag(EXPOSE_EXTENSION),
          415,
          "Files that end in ." + extension + " are not taken");
    }
    var type = String.valueOf(file.get("contentType")).toLowerCase(Locale.ROOT);
    var types = inputs.texts(MIME_TYPES);
    if (!types.isEmpty() && types.stream().noneMatch(taken -> matches(taken, type))) {
      return new Violation(
          INVALID_TYPE,
          inputs.flag(EXPOSE_TYPE),
          415,
          "Files of the type " + type + " are not taken");
    }
    return null;
  }

  private static long limit(Inputs inputs, Input input) {
    return inputs.get(input) instanceof Number limit ? limit.longValue() : Long.MAX_VALUE;
  }

  /** {@code image/*} takes every image. */
  private static boolean matches(String taken, String type) {
    var wanted = taken.strip().toLowerCase(Locale.ROOT);
    return wanted.endsWith("/*")
        ? type.startsWith(wanted.substring(0, wanted.length() - 1))
        : type.equals(wanted);
  }

  private static List<String> extensions(Inputs inputs, Input input) {
    var extensions = new ArrayList<String>();
    for (var text : inputs.texts(input)) {
      var extension = text.strip().toLowerCase(Locale.ROOT);
      extensions.add(extension.startsWith(".") ? extension.substring(1) : extension);
    }
    return extensions;
  }

  private static String extension(String filename) {
    var dot = filename.lastIndexOf('.');
    return dot < 0 ? "" : filename.substring(dot + 1).toLowerCase(Locale.ROOT);
  }
}
