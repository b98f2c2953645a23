package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import org.jspecify.annotations.Nullable;

/** Finds definitions by their content. Thread-safe. */
public final class DefinitionSearch {
  private final Database database;

  public DefinitionSearch(Database database) {
    this.database = database;
  }

  private static final String NAME_TAKEN =
      """
      select 1 from workflow_definitions
       where is_latest and name = $1 and ($2::text is null or definition_id <> $2) and \
      """
          + TenantScope.condition(3)
          + " limit 1";

  /** Whether the latest version of a definition has this name; {@code except} is not asked. */
  public Future<Boolean> nameTaken(String name, @Nullable String except, TenantScope scope) {
    return database
        .run(
            "look for the name of a definition",
            NAME_TAKEN,
            Tuple.of(name, except).addString(scope.tenant()))
        .map(rows -> rows.size() > 0);
  }
}
