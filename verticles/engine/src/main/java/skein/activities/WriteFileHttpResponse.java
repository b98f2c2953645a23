package skein.activities;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import skein.expressions.Expressions;
import skein.model.Effect;

/**
 * Answers the HTTP request with a file. The content is a file object, as {@code DownloadHttpFile}
 * and {@code HttpEndpoint} give it; bytes, where its declared type is one of bytes; or text.
 * Several are packed into one ZIP archive.
 */
final class WriteFileHttpResponse implements Activity {
  private static final Input CONTENT =
      Input.of("Content", "Object")
          .described("The file, or a list of files, which become an archive.");
  private static final Input CONTENT_TYPE =
      Input.of("ContentType", "String").described("The media type of the file.");
  private static final Input FILENAME =
      Input.of("Filename", "String").described("The name that the file is saved under.");
  private static final Input ENTITY_TAG =
      Input.of("EntityTag", "String").described("The ETag of the answer.");
  private static final Input RESUMABLE =
      Input.of("EnableResumableDownloads", "Boolean", false)
          .described("Whether parts of it may be asked for.");
  private static final Input CORRELATION =
      Input.of("DownloadCorrelationId", "String").described("Ignored by Skein; kept for Elsa.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.WriteFileHttpResponse", "HTTP", "Answers with a file.")
          .with(CONTENT_TYPE, FILENAME, ENTITY_TAG, CONTENT, RESUMABLE, CORRELATION)
          .titled("HTTP File Response");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    WriteHttpResponse.requireRequest(context);
    var content = context.get(CONTENT);
    var files = content == null ? List.<FileContent>of() : files(context, content);
    if (files.isEmpty()) {
      context.effect(new Effect.HttpAnswer(204, Map.of(), null, null));
      context.complete();
      return;
    }
    var filename = context.text(FILENAME);
    var file =
        files.size() == 1
            ? files.getFirst().named(filename)
            : FileContent.zip(files).named(filename);
    var type = context.text(CONTENT_TYPE);
    context.effect(
        new Effect.HttpAnswer(
            200,
            headers(context, file),
            type == null || type.isBlank() ? file.contentType() : type,
            file.base64(),
            true));
    context.complete();
  }

  /** Announces ranges to clients that support them; the server cuts them out of the answer. */
  private static Map<String, String> headers(ActivityContext context, FileContent file) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Disposition", disposition(file.filename()));
    if (context.flag(RESUMABLE)) {
      headers.put("Accept-Ranges", "bytes");
      var tag = context.text(ENTITY_TAG);
      if (tag != null && !tag.isBlank()) {
        headers.put("ETag", tag.endsWith("\"") ? tag : "\"" + tag + "\"");
      }
    }
    return Map.copyOf(headers);
  }

  /** A list is one of files, unless it has the numbers of bytes. */
  private static List<FileContent> files(ActivityContext context, Object content) {
    if (!(content instanceof List<?> list)) {
      return List.of(file(context, content));
    }
    if (!list.isEmpty() && list.stream().allMatch(Number.class::isInstance)) {
      return List.of(
          FileContent.ofBytes(String.valueOf(Expressions.convert(content, "ByteArray"))));
    }
    var files = new ArrayList<FileContent>();
    for (var item : list) {
      if (item != null) {
        files.addAll(item instanceof List<?> ? files(context, item) : List.of(file(context, item)));
      }
    }
    return files;
  }

  private static FileContent file(ActivityContext context, Object content) {
    var object = Json.object(content);
    if (object != null && object.get("content") instanceof String base64) {
      return new FileContent(
          checked(base64), Json.text(object, "filename"), Json.text(object, "contentType"), "bin");
    }
    if (content instanceof String text) {
      return isBytes(context)
          ? FileContent.ofBytes(checked(text))
          : FileContent.ofText(encoded(text));
    }
    throw new FaultException(
        "InvalidContent", "Content must be a file, bytes or text, or a list of them");
  }

  private static boolean isBytes(ActivityContext context) {
    var binding = context.node().input(CONTENT);
    if (binding == null) {
      return false;
    }
    var type = binding.typeName();
    if (binding.expression().type().equalsIgnoreCase("Variable")) {
      var reference = Json.object(binding.expression().value());
      for (var variable : context.scope().variables()) {
        if (reference != null && variable.id().equals(Json.text(reference, "id"))) {
          type = variable.typeName();
          break;
        }
      }
    }
    var lower = type.toLowerCase(Locale.ROOT);
    return lower.contains("byte") || lower.contains("stream");
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String checked(String base64) {
    try {
      Base64.getDecoder().decode(base64);
      return base64;
    } catch (IllegalArgumentException e) {
      throw new FaultException("InvalidContent", "The content of the file is not Base64");
    }
  }

  /** RFC 6266: a name in ASCII for all, and the true one for those who can read it. */
  private static String disposition(String filename) {
    var ascii = filename.replaceAll("[^ -~]|[\"\\\\]", "_");
    var plain = "attachment; filename=\"" + ascii + "\"";
    return ascii.equals(filename) ? plain : plain + "; filename*=UTF-8''" + percent(filename);
  }

  private static String percent(String filename) {
    var encoded = new StringBuilder();
    for (var b : filename.getBytes(StandardCharsets.UTF_8)) {
      var c = (char) (b & 0xff);
      if (c < 128 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0)) {
        encoded.append(c);
      } else {
        encoded.append('%').append(String.format(Locale.ROOT, "%02X", (int) c));
      }
    }
    return encoded.toString();
  }
}
