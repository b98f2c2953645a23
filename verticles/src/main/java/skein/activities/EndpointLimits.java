package skein.activities;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an HTTP endpoint accepts: how large a request, and which files. */
final class EndpointLimits {
  private static final String GROUP = "Upload";
  private static final Input REQUEST_SIZE =
      Input.of("RequestSizeLimit", "Int64").grouped(GROUP).described("In bytes; empty: no limit.");
  private static final Input FILE_SIZE =
      Input.of("FileSizeLimit", "Int64").grouped(GROUP).described("In bytes; empty: no limit.");
  private static final Input ALLOWED_EXTENSIONS =
      Input.of("AllowedFileExtensions", "String[]").grouped(GROUP).described("Such as .pdf.");
  private static final Input BLOCKED_EXTENSIONS =
      Input.of("BlockedFileExtensions", "String[]").grouped(GROUP).described("Such as .exe.");
  private static final Input ALLOWED_TYPES =
      Input.of("AllowedMimeTypes", "String[]").grouped(GROUP).described("Such as image/png.");
  private static final Input EXPOSE_REQUEST_SIZE = exposing("ExposeRequestTooLargeOutcome");
  private static final Input EXPOSE_FILE_SIZE = exposing("ExposeFileTooLargeOutcome");
  private static final Input EXPOSE_EXTENSION = exposing("ExposeInvalidFileExtensionOutcome");
  private static final Input EXPOSE_TYPE = exposing("ExposeInvalidFileMimeTypeOutcome");

  private static final Input[] OWN = {
    REQUEST_SIZE,
    FILE_SIZE,
    ALLOWED_EXTENSIONS,
    BLOCKED_EXTENSIONS,
    ALLOWED_TYPES,
    EXPOSE_REQUEST_SIZE,
    EXPOSE_FILE_SIZE,
    EXPOSE_EXTENSION,
    EXPOSE_TYPE
  };

  private EndpointLimits() {}

  /** The inputs of an endpoint: {@code others}, then those that say what is accepted. */
  static Input[] after(Input... others) {
    return Stream.concat(Stream.of(others), Stream.of(OWN)).toArray(Input[]::new);
  }

  private static Input exposing(String name) {
    return Input.raw(name, "Boolean").grouped(GROUP);
  }

  /**
   * A request that is not accepted.
   *
   * @param outcome that the activity has then, where the definition asks for it
   * @param status the answer where it does not
   */
  record Breach(Input exposed, String outcome, int status, String message) {
    boolean isOutcome(Inputs inputs) {
      return inputs.flag(exposed);
    }
  }

  /** The first rule that the request breaks; null when it is accepted. */
  static @Nullable Breach breach(Inputs inputs, Map<String, @Nullable Object> request) {
    var size = inputs.get(REQUEST_SIZE);
    if (size instanceof Number max && number(request.get("size")) > max.longValue()) {
      return new Breach(
          EXPOSE_REQUEST_SIZE,
          "Request too large",
          413,
          "The maximum request size allowed is " + max + " bytes.");
    }
    var files = Json.list(request.get("files"));
    return files.isEmpty() ? null : breach(inputs, files);
  }

  private static @Nullable Breach breach(Inputs inputs, List<?> files) {
    if (inputs.get(FILE_SIZE) instanceof Number max
        && files.stream().anyMatch(file -> number(member(file, "Length")) > max.longValue())) {
      return new Breach(
          EXPOSE_FILE_SIZE,
          "File too large",
          413,
          "The maximum file size allowed is " + max + " bytes.");
    }
    var allowed = inputs.texts(ALLOWED_EXTENSIONS);
    if (!allowed.isEmpty() && !files.stream().allMatch(file -> isIn(allowed, extension(file)))) {
      return new Breach(
          EXPOSE_EXTENSION,
          "Invalid file extension",
          415,
          "Only the following file extensions are allowed: " + String.join(", ", allowed));
    }
    var blocked = inputs.texts(BLOCKED_EXTENSIONS);
    if (files.stream().anyMatch(file -> isIn(blocked, extension(file)))) {
      return new Breach(
          EXPOSE_EXTENSION,
          "Invalid file extension",
          415,
          "The following file extensions are not allowed: " + String.join(", ", blocked));
    }
    var types = inputs.texts(ALLOWED_TYPES);
    if (!types.isEmpty()
        && !files.stream().allMatch(file -> isIn(types, text(member(file, "ContentType"))))) {
      return new Breach(
          EXPOSE_TYPE,
          "Invalid file MIME type",
          415,
          "Only the following MIME types are allowed: " + String.join(", ", types));
    }
    return null;
  }

  private static boolean isIn(List<String> all, String one) {
    return all.stream().anyMatch(one::equalsIgnoreCase);
  }

  /** With its dot; empty when the name has none. */
  private static String extension(@Nullable Object file) {
    var name = text(member(file, "FileName"));
    var dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(dot).toLowerCase(Locale.ROOT);
  }

  private static @Nullable Object member(@Nullable Object file, String name) {
    return file instanceof Map<?, ?> object ? object.get(name) : null;
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
