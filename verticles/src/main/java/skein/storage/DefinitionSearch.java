package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** Finds definitions by what is in them. Thread-safe. */
public final class DefinitionSearch {
  private final Database database;

  public DefinitionSearch(Database database) {
    this.database = database;
  }

  private static final String NAME_TAKEN =
      """
      select 1 from workflow_definitions
       where is_latest and name = $1 and ($2::text is null or definition_id <> $2) limit 1
      """;

  /** Whether the latest version of a definition has this name; {@code except} is not asked. */
  public Future<Boolean> nameTaken(String name, @Nullable String except) {
    return database
        .run("look for the name of a definition", NAME_TAKEN, Tuple.of(name, except))
        .map(rows -> rows.size() > 0);
  }

  private static final String MENTIONING =
      """
      select definition_id, content from workflow_definitions
       where (is_latest or is_published)
         and exists (select from unnest($1::text[]) word where strpos(content, word) > 0)
       order by definition_id
      """;

  /**
   * The latest and the published versions whose text has one of these words, by definition id. That
   * a word is there says nothing yet about what it means there.
   */
  public Future<Map<String, List<Map<?, ?>>>> mentioning(List<String> words) {
    var parameters = Tuple.tuple().addValue(words.toArray(String[]::new));
    return database
        .run("look into definitions", MENTIONING, parameters)
        .map(rows -> {
          var found = new LinkedHashMap<String, List<Map<?, ?>>>();
          for (var row : rows) {
            if (JsonText.parse(row.getString(1), JsonLimits.STORED) instanceof Map<?, ?> json) {
              found.computeIfAbsent(row.getString(0), _ -> new ArrayList<>()).add(json);
            }
          }
          return found;
        });
  }
}
