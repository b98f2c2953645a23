package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/**
 * A JSON list that is made while it is sent: one item is read, printed on a worker and written
 * before the next is looked at, so that no more than one is in memory.
 */
final class ListFlow<T> implements Answer.Flow {
  private final Call call;
  private final Iterator<T> items;
  private final Function<T, Future<? extends @Nullable Object>> read;
  private final String end;
  private String before;

  /**
   * @param begin what comes before the items, with the bracket; {@code end}: what comes after
   * @param read gives null for an item that no longer exists
   */
  ListFlow(
      Call call,
      List<T> items,
      Function<T, Future<? extends @Nullable Object>> read,
      String begin,
      String end) {
    this.call = call;
    this.items = List.copyOf(items).iterator();
    this.read = read;
    this.before = begin;
    this.end = end;
  }

  @Override
  public Future<Void> writeTo(HttpServerResponse response) {
    Promise<Void> written = Promise.promise();
    writeNext(response, written);
    return written.future();
  }

  /** One promise for all: each that waits for the next would be a stack as high as the list. */
  private void writeNext(HttpServerResponse response, Promise<Void> written) {
    if (!items.hasNext()) {
      // Of none, the beginning is still to be written.
      response.write(before.equals(",") ? end : before + end).onComplete(written);
      return;
    }
    read.apply(items.next())
        .compose(item ->
            item == null
                ? Future.succeededFuture()
                : call.onWorker(() -> JsonText.printBytes(item))
                    .compose(printed -> response.write(next(printed))))
        .onSuccess(_ -> writeNext(response, written))
        .onFailure(written::tryFail);
  }

  private Buffer next(byte[] item) {
    var part = Buffer.buffer(before).appendBytes(item);
    before = ",";
    return part;
  }
}
