package skein.work;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Cursor;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of one query, and no more of them than are allowed: portions begin with one row
 * and grow only as far as rows like the largest so far would still have room. After a portion of a
 * large result it pauses for as long as {@link ReadRate} says. Used once.
 */
final class SqlRows {
  private static final int PORTION_MAX = 512;
  private static final int GROWTH = 8;

  private final Vertx vertx;
  private final Cursor cursor;
  private final int rowsMax;
  private final int bytesMax;
  private final ReadRate rate;
  private final List<Row> rows = new ArrayList<>();
  private long bytes;
  private long largest = 1;

  /** {@code rowsMax}: 0 where the first row alone is wanted. */
  SqlRows(Vertx vertx, Cursor cursor, int rowsMax, int bytesMax, ReadRate rate) {
    this.vertx = vertx;
    this.cursor = cursor;
    this.rowsMax = rowsMax;
    this.bytesMax = bytesMax;
    this.rate = rate;
  }

  /** Fails with a {@link WorkRefusedException} where there are too many, or too much in them. */
  Future<List<Row>> read() {
    return read(1);
  }

  private Future<List<Row>> read(int portion) {
    return cursor
        .read(portion)
        .compose(found -> {
          long before = bytes;
          var refused = add(found);
          return pause(rate.pauseMillis(before, bytes - before))
              .compose(_ -> {
                if (refused != null) {
                  return Future.failedFuture(refused);
                }
                return rowsMax == 0 || found.size() < portion || !cursor.hasMore()
                    ? Future.succeededFuture(rows)
                    : read(next(portion));
              });
        });
  }

  private Future<?> pause(long millis) {
    return millis == 0 ? Future.succeededFuture() : vertx.timer(millis);
  }

  /** Null when they were not too many, nor too much. */
  private @Nullable WorkRefusedException add(Iterable<Row> found) {
    try {
      for (var row : found) {
        add(row);
      }
      return null;
    } catch (WorkRefusedException e) {
      return e;
    }
  }

  /** One row more than is allowed is requested, to detect that there are too many. */
  private int next(int portion) {
    long fitting = Math.max(1, (bytesMax - bytes) / largest);
    long left = rowsMax + 1L - rows.size();
    return (int) Math.min(Math.min(left, fitting), Math.min(PORTION_MAX, portion * (long) GROWTH));
  }

  static WorkRefusedException tooLarge(int bytesMax) {
    return new WorkRefusedException(
        "ResultTooLarge",
        "The query has more than "
            + bytesMax
            + " bytes: select less, or raise work.sql.rows-bytes-max");
  }

  private void add(Row row) {
    var size = SqlValues.size(row);
    largest = Math.max(largest, size);
    bytes += size;
    if (bytes > bytesMax) {
      throw tooLarge(bytesMax);
    }
    rows.add(row);
    if (rowsMax > 0 && rows.size() > rowsMax) {
      throw new WorkRefusedException(
          "TooManyRows",
          "The query has more than " + rowsMax + " rows: limit it, or raise work.sql.rows-max");
    }
  }
}
