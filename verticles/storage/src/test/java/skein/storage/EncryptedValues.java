package skein.storage;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import skein.encryption.MasterKey;

/** Gives databases of tests keys, and looks for words in all that a schema holds. */
public final class EncryptedValues {
  public static final List<MasterKey> MASTER = MasterKey.parse(line('a'));

  private EncryptedValues() {}

  /** A master key, the same for the same letter. */
  public static String line(char letter) {
    var bytes = String.valueOf(letter).repeat(32).getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The database encrypts from now on, with the newest key. */
  public static Database in(Database database) {
    dataKeys(database, true).refresh("test", MASTER).await();
    return database;
  }

  static DataKeys dataKeys(Database database, boolean enabled) {
    return new DataKeys(
        database, new DataKeys.Options(enabled, Duration.ofDays(90), Duration.ofMinutes(1)));
  }

  /** In how many rows of which tables the word is, in texts and in bytes. */
  public static Map<String, Long> rowsWith(Database database, String word) {
    var hex = HexFormat.of().formatHex(word.getBytes(StandardCharsets.UTF_8));
    var found = new TreeMap<String, Long>();
    var tables =
        TestSql.texts(
            database, "select tablename::text from pg_tables where schemaname = current_schema()");
    for (var table : tables) {
      var sql =
          "select count(*)::text from \"%s\" t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0"
              .formatted(table);
      long rows = Long.parseLong(TestSql.texts(database, sql, word, hex).getFirst());
      if (rows > 0) {
        found.put(table, rows);
      }
    }
    return found;
  }
}
