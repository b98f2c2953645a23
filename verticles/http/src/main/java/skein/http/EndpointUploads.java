package skein.http;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.codecs.StorableText;

/** Reads forms with files into memory, for endpoints; other bodies are left to other handlers. */
final class EndpointUploads implements Handler<RoutingContext> {
  private static final String FILES = "skein.files";
  private static final int FILES_MAX = 100;

  private final Handler<RoutingContext> others;
  private final long bytesMax;
  private final Multipart.Limits form;

  /** {@code bytesMax}: of all files of a request. */
  EndpointUploads(Handler<RoutingContext> others, long bytesMax, Multipart.Limits form) {
    this.others = others;
    this.bytesMax = bytesMax;
    this.form = form;
  }

  private record File(String field, String name, String type, Buffer bytes) {}

  @Override
  public void handle(RoutingContext context) {
    if (!Multipart.isIn(context)) {
      others.handle(context);
      return;
    }
    if (Bodies.announced(context.request()) > bytesMax) {
      context.fail(413);
      return;
    }
    var files = new ArrayList<File>();
    context.put(FILES, files);
    Multipart.read(context, form, (field, name, kind) -> begin(context, files, field, name, kind));
  }

  private Consumer<Buffer> begin(
      RoutingContext context, List<File> files, String field, String name, String type) {
    if (files.size() >= FILES_MAX) {
      fail(context, 413);
      return _ -> {};
    }
    var bytes = Buffer.buffer();
    files.add(new File(field, name, type, bytes));
    return chunk -> {
      long size = files.stream().mapToLong(file -> file.bytes().length()).sum();
      if (size + chunk.length() > bytesMax) {
        fail(context, 413);
      } else {
        bytes.appendBuffer(chunk);
      }
    };
  }

  private static void fail(RoutingContext context, int status) {
    if (!context.failed()) {
      context.fail(status);
    }
  }

  /** {@code {name, filename, contentType, size, content}} of each, the content in Base64. */
  static List<Map<String, @Nullable Object>> files(@Nullable Object collected) {
    var json = new ArrayList<Map<String, @Nullable Object>>();
    if (collected instanceof List<?> files) {
      for (var item : files) {
        if (item instanceof File file) {
          json.add(json(file));
        }
      }
    }
    return json;
  }

  static @Nullable Object collected(RoutingContext context) {
    return context.get(FILES);
  }

  private static Map<String, @Nullable Object> json(File file) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", storable(file.field()));
    var name = storable(file.name());
    json.put(
        "filename", name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1));
    json.put("contentType", storable(file.type()));
    json.put("size", (long) file.bytes().length());
    json.put("content", Base64.getEncoder().encodeToString(file.bytes().getBytes()));
    return json;
  }

  private static String storable(@Nullable String text) {
    return text == null || !StorableText.isStorable(text) ? "" : text;
  }
}
