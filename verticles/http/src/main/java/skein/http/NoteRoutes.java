package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.StorableText;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.NoteStore;
import skein.storage.NoteStore.Added;
import skein.storage.NoteStore.Note;

/** The notes of people about instances. */
final class NoteRoutes {
  private static final int CHARS_MAX = 2_000;
  private static final String PATH = "/workflow-instances/:id/notes";

  private static final Shape NOTE =
      Shape.object()
          .has("id", Shape.INTEGER)
          .has("at", Shape.INSTANT)
          .has("author", Shape.TEXT.orNull())
          .has("text", Shape.TEXT)
          .as("Note");

  private final NoteStore notes;

  NoteRoutes(NoteStore notes) {
    this.notes = notes;
  }

  void addTo(Routes routes) {
    routes
        .get(
            PATH,
            Operation.of(
                    Tag.INSTANCES, "listNotes", "Lists the notes on an instance, the oldest first")
                .answers(ListShapes.page(NOTE))
                .fails(ErrorCode.INSTANCE_NOT_FOUND),
            this::list)
        .post(
            PATH,
            Operation.of(Tag.INSTANCES, "addNote", "Adds a note to an instance")
                .needs(
                    Shape.object()
                        .has(
                            "text",
                            Shape.TEXT.described(
                                "At most "
                                    + CHARS_MAX
                                    + " characters, of control characters only line ends and"
                                    + " tabs")))
                .answers(201, NOTE)
                .fails(
                    ErrorCode.INSTANCE_NOT_FOUND, ErrorCode.TOO_LARGE, ErrorCode.UNSTORABLE_TEXT),
            this::add);
  }

  private Future<Answer> list(Call call) {
    var id = call.instanceId();
    return notes
        .list(id)
        .map(found -> {
          if (found == null) {
            throw InstanceRefusals.instanceNotFound(id);
          }
          return Answer.ok(Lists.page(found.stream().map(NoteRoutes::json).toList(), found.size()));
        });
  }

  private Future<Answer> add(Call call) {
    var id = call.instanceId();
    var text = checked(given(call.fields().value("text")));
    return notes.add(id, call.actor(), text).map(added -> Answer.json(201, json(done(id, added))));
  }

  /** Longer than texts of other requests may be. */
  private static String given(@Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw BadRequest.of("\"text\" is missing, or is not a string");
  }

  /** Invisible characters, and those that change the direction of text, are refused. */
  static String checked(String given) {
    var text = StorableText.check("text", given.strip(), CHARS_MAX);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && c != '\n' && c != '\t') {
        throw BadRequest.of("text has the control character U+%04X at %d".formatted((int) c, i));
      }
    }
    return text;
  }

  private static Note done(InstanceId id, Added added) {
    return switch (added) {
      case Added.Done(var note) -> note;
      case Added.NoInstance() -> throw InstanceRefusals.instanceNotFound(id);
      case Added.TooMany() ->
          throw new SkeinException(
              ErrorCode.TOO_LARGE,
              "Instance " + id + " has " + NoteStore.NOTES_MAX + " notes already");
    };
  }

  private static Map<String, @Nullable Object> json(Note note) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", note.id());
    json.put("at", note.at().toString());
    json.put("author", note.author());
    json.put("text", note.text());
    return json;
  }
}
