package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;

/**
 * The notes of people about instances: added, never changed, and deleted with the instance.
 * Thread-safe.
 */
public final class NoteStore {
  /** The notes of one instance; a few more where several people add the last ones at once. */
  public static final int NOTES_MAX = 500;

  private final Database database;

  public NoteStore(Database database) {
    this.database = database;
  }

  /** {@code author}: by name, or from where; null: unknown. */
  public record Note(long id, Instant at, @Nullable String author, String text) {}

  /** The outcome of adding a note. */
  public sealed interface Added {
    record Done(Note note) implements Added {}

    /** There is no such instance. */
    record NoInstance() implements Added {}

    /** The instance has {@link #NOTES_MAX} already. */
    record TooMany() implements Added {}
  }

  /** A deletion of the instance waits for the note, and deletes it too. */
  static final String ADD =
      """
      with instance as materialized (
        select id from workflow_instances where id = $1 for key share
      ), made as (
        insert into instance_notes (workflow_instance_id, author, text)
        select id, $2, $3 from instance
         where (select count(*) from instance_notes where workflow_instance_id = $1) < $4
        returning id, at
      )
      select instance.id as instance, made.id, made.at from instance left join made on true
      """;

  public Future<Added> add(InstanceId instance, @Nullable String author, String text) {
    return database
        .run("add a note", ADD, Tuple.of(instance.value(), author, text, (long) NOTES_MAX))
        .map(rows -> {
          for (var row : rows) {
            return row.getLong("id") == null
                ? new Added.TooMany()
                : new Added.Done(note(row, author, text));
          }
          return new Added.NoInstance();
        });
  }

  private static Note note(Row row, @Nullable String author, String text) {
    return new Note(row.getLong("id"), row.getOffsetDateTime("at").toInstant(), author, text);
  }

  static final String LIST =
      """
      select n.id, n.at, n.author, n.text
        from workflow_instances i left join instance_notes n on n.workflow_instance_id = i.id
       where i.id = $1
       order by n.id
      """;

  /** Notes in the order in which they were added; null: there is no such instance. */
  public Future<@Nullable List<Note>> list(InstanceId instance) {
    return database
        .run("list notes", LIST, Tuple.of(instance.value()))
        .map(rows -> {
          if (rows.size() == 0) {
            return null;
          }
          var notes = new ArrayList<Note>();
          for (var row : rows) {
            if (row.getLong("id") != null) {
              notes.add(note(row, row.getString("author"), row.getString("text")));
            }
          }
          return notes;
        });
  }
}
