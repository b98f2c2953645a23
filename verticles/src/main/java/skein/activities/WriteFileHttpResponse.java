package skein.activities;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expressions;
import skein.model.Effect;

/**
 * Answers the HTTP request with a file. The content is a file object, as {@code DownloadHttpFile}
 * and {@code HttpEndpoint} give it; bytes, where its declared type is one of bytes; or text.
 */
final class WriteFileHttpResponse implements Activity {
  private static final Input CONTENT = Input.of("Content", "Object");
  private static final Input CONTENT_TYPE = Input.of("ContentType", "String");
  private static final Input FILENAME = Input.of("Filename", "String");
  private static final Input ENTITY_TAG = Input.of("EntityTag", "String");
  private static final Input RESUMABLE = Input.of("EnableResumableDownloads", "Boolean", false);
  private static final Input CORRELATION = Input.of("DownloadCorrelationId", "String");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.WriteFileHttpResponse", "HTTP", "Answers with a file.")
          .with(CONTENT_TYPE, FILENAME, CONTENT, ENTITY_TAG, RESUMABLE, CORRELATION);

  private record File(String base64, @Nullable String filename, @Nullable String contentType) {}

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    WriteHttpResponse.requireRequest(context);
    var content = context.get(CONTENT);
    if (content == null) {
      context.effect(new Effect.HttpAnswer(204, Map.of(), null, null));
      context.complete();
      return;
    }
    var file = file(context, content);
    var type = given(context.text(CONTENT_TYPE), file.contentType());
    context.effect(
        new Effect.HttpAnswer(
            200,
            headers(context, given(context.text(FILENAME), file.filename())),
            type == null ? "application/octet-stream" : type,
            file.base64(),
            true));
    context.complete();
  }

  /** Who understands ranges is told so; the server cuts them out of the answer. */
  private static Map<String, String> headers(ActivityContext context, @Nullable String filename) {
    var headers = new LinkedHashMap<String, String>();
    if (filename != null) {
      headers.put("Content-Disposition", disposition(filename));
    }
    var tag = context.text(ENTITY_TAG);
    if (tag != null && !tag.isBlank()) {
      headers.put("ETag", tag.endsWith("\"") ? tag : "\"" + tag + "\"");
    }
    if (context.flag(RESUMABLE)) {
      headers.put("Accept-Ranges", "bytes");
    }
    return Map.copyOf(headers);
  }

  private static @Nullable String given(@Nullable String first, @Nullable String second) {
    return first == null || first.isBlank() ? second : first;
  }

  private static File file(ActivityContext context, Object content) {
    var one = content instanceof List<?> list && list.size() == 1 ? list.getFirst() : content;
    var object = Json.object(one);
    if (object != null && object.get("content") instanceof String base64) {
      return new File(
          checked(base64), Json.text(object, "filename"), Json.text(object, "contentType"));
    }
    if (content instanceof String text) {
      return new File(isBytes(context) ? checked(text) : encoded(text), null, null);
    }
    if (content instanceof List<?>) { // The numbers of bytes.
      return new File(String.valueOf(Expressions.convert(content, "ByteArray")), null, null);
    }
    throw new FaultException(
        "InvalidContent", "Content must be a file, bytes or text; several files are not packed");
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
