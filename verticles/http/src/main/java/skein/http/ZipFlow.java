package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/**
 * A ZIP archive that is made while it is sent: one item is read, packed on a worker and written
 * before the next is looked at, so that no more than one is in memory.
 */
final class ZipFlow<T> implements Answer.Flow {
  static final String CONTENT_TYPE = "application/zip";

  /** A file of the archive, as JSON. */
  record Entry(String name, @Nullable Object json) {}

  private final Call call;
  private final Iterator<T> items;
  private final Function<T, Future<@Nullable Entry>> read;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ZipOutputStream zip = new ZipOutputStream(bytes);

  /** {@code read} gives null for an item that no longer exists. */
  ZipFlow(Call call, List<T> items, Function<T, Future<@Nullable Entry>> read) {
    this.call = call;
    this.items = List.copyOf(items).iterator();
    this.read = read;
  }

  @Override
  public Future<Void> writeTo(HttpServerResponse response) {
    if (!items.hasNext()) {
      return call.onWorker(this::end).compose(response::write);
    }
    return read.apply(items.next())
        .compose(entry ->
            entry == null
                ? Future.succeededFuture(Buffer.buffer())
                : call.onWorker(() -> pack(entry)))
        .compose(part -> part.length() == 0 ? Future.succeededFuture() : response.write(part))
        .compose(_ -> writeTo(response));
  }

  private Buffer pack(Entry entry) {
    try {
      zip.putNextEntry(new ZipEntry(entry.name()));
      zip.write(JsonText.printBytes(entry.json()));
      zip.closeEntry();
      zip.flush();
      return taken();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Buffer end() {
    try {
      zip.finish();
      return taken();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Buffer taken() {
    var part = Buffer.buffer(bytes.toByteArray());
    bytes.reset();
    return part;
  }
}
