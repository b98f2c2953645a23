package skein.http;

import io.vertx.core.Future;
import skein.ingress.Ingress;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** Postpones what an instance waits for, or brings it forward. */
final class BookmarkRoutes {
  private static final String DUE_AT = "dueAt";

  private final Ingress ingress;

  BookmarkRoutes(Ingress ingress) {
    this.ingress = ingress;
  }

  void addTo(Routes routes) {
    routes.post(
        "/workflow-instances/:id/bookmarks/:bookmarkId/due",
        Operation.of(
                Tag.BOOKMARKS,
                "changeDue",
                "Lets a bookmark that the clock resumes fall due at another instant")
            .needs(
                Shape.object()
                    .has(
                        DUE_AT,
                        Shape.INSTANT.described(
                            "One that has passed lets it fall due at once; the bookmark gets"
                                + " another id")))
            .answers(InstanceShapes.OUTCOME)
            .fails(
                ErrorCode.INSTANCE_NOT_FOUND,
                ErrorCode.BOOKMARK_NOT_FOUND,
                ErrorCode.ALREADY_RESUMED,
                ErrorCode.ALTERATION_REFUSED,
                ErrorCode.STATE_TOO_LARGE),
        this::changeDue);
  }

  private Future<Answer> changeDue(Call call) {
    var bookmark = bookmark(call.instanceId(), call.path("bookmarkId"));
    var dueAt = Fields.instant(DUE_AT, call.fields().required(DUE_AT));
    return call.once(ingress)
        .changeDue(bookmark, dueAt, call.actor())
        .map(done -> Answer.ok(InstanceJson.outcome(done)));
  }

  /** The bookmark's id says whose it is; another instance's is not this one's. */
  static BookmarkId bookmark(InstanceId id, String text) {
    var bookmark = BookmarkId.parse(text);
    if (!bookmark.instanceId().equals(id)) {
      throw new SkeinException(
          ErrorCode.BOOKMARK_NOT_FOUND, "Instance " + id + " has no bookmark " + bookmark);
    }
    return bookmark;
  }
}
