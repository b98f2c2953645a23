package skein.storage;

import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.model.Timer;

/** Reads timers with payloads that were left out when they were read at first. */
final class TimerPayloads {
  private TimerPayloads() {}

  /** One row after the other, so that none is decompressed that is not returned. */
  static final String WHOLE =
      """
      with recursive whole
          (n, bytes, id, due_at, workflow_instance_id, kind, has_payload, payload) as (
        select 0, 0::bigint, null::text, null::timestamptz, null::text, null::text, false,
               null::text
         union all
        select n + 1, bytes + coalesce(octet_length(timer.payload), 0), timer.*
          from whole left join lateral (
            select timers.id collate "default", timers.due_at,
                   timers.workflow_instance_id collate "default", timers.kind collate "default",
                   timers.payload is not null, timers.payload::text as payload
              from timers where timers.id = ($1::text[])[n + 1] offset 0) timer on true
         where n < cardinality($1::text[]) and bytes < $2::bigint)
      select id, due_at, workflow_instance_id, kind, has_payload, payload
        from whole where n > 0 order by n
      """;

  /** The first ones, up to a bound: what is short as text may take much memory. */
  static List<@Nullable Timer> whole(
      Iterable<Row> rows, long bytesMax, Function<Row, Timer> readable) {
    var whole = new ArrayList<@Nullable Timer>();
    long bytes = 0;
    for (var row : rows) {
      if (bytes >= bytesMax) {
        break;
      }
      var timer = row.getString("id") == null ? null : readable.apply(row);
      bytes += timer == null ? 0 : DeferredPayload.heapBytes(timer.payload());
      whole.add(timer);
    }
    return whole;
  }
}
