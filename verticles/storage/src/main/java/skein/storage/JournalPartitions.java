package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.LocalDate;
import java.util.HashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the journal's partitions, one a day. Unlike a migration that is never finished: repeat it
 * at least daily.
 */
public final class JournalPartitions {
  private static final Logger log = LoggerFactory.getLogger(JournalPartitions.class);

  private static final String DAYS =
      """
      select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid
       where h.inhparent = 'journal'::regclass
      """;

  private final Database database;

  public JournalPartitions(Database database) {
    this.database = database;
  }

  /**
   * Makes those for today and the days ahead, unless others have made them. A day without a
   * partition of its own falls into {@code journal_rest}, so nothing is ever refused.
   */
  public Future<Void> prepare(LocalDate today, int daysAhead) {
    return database
        .run("read the days of the journal", DAYS, Tuple.tuple())
        .compose(rows -> {
          var there = new HashSet<String>();
          rows.forEach(row -> there.add(row.getString(0)));
          Future<Void> done = Future.succeededFuture();
          for (int i = 0; i <= daysAhead; i++) {
            var day = today.plusDays(i);
            if (!there.contains(name(day))) {
              done = done.compose(_ -> prepare(day));
            }
          }
          return done;
        })
        .recover(e -> {
          // Rows of that day are in journal_rest already, or this role may not make tables: they
          // stay there and are found all the same.
          log.atWarn().addKeyValue("cause", e.getMessage()).log("journal.partition_refused");
          return Future.succeededFuture();
        });
  }

  private static String name(LocalDate day) {
    return "journal_" + day.toString().replace("-", "");
  }

  private Future<Void> prepare(LocalDate day) {
    var sql =
        "create table if not exists %s partition of journal for values from ('%s') to ('%s')"
            .formatted(name(day), day + "Z", day.plusDays(1) + "Z");
    return database.run("prepare the journal of " + day, sql, Tuple.tuple()).mapEmpty();
  }
}
