package skein.http;

import static skein.openapi.Shape.COUNT;
import static skein.openapi.Shape.ID;
import static skein.openapi.Shape.INTEGER;
import static skein.openapi.Shape.TEXT;
import static skein.openapi.Shape.listOf;
import static skein.openapi.Shape.object;

import skein.openapi.Shape;

/** Shapes that many routes share. */
final class ListShapes {
  /** {@code ids} of a body. */
  static final Shape IDS = listOf(ID);

  /** The shape of {@link Uploads}. */
  static final Shape FILES =
      object().open().described(".json files, or .zip archives of them, as parts with file names");

  private ListShapes() {}

  /** As {@link Lists#page}. */
  static Shape page(Shape items) {
    return object().has("items", listOf(items)).has("totalCount", COUNT);
  }

  /** As {@link Lists#of}. */
  static Shape all(Shape items) {
    return page(items).has("count", COUNT);
  }

  /** The window as members of a body. */
  static Shape withWindow(Shape body) {
    return body.may("page", COUNT)
        .may("pageSize", INTEGER.within(1, 1_000))
        .may("skip", COUNT)
        .may("take", INTEGER.within(1, 1_000))
        .may("orderBy", TEXT)
        .may("orderDirection", Shape.oneOf("Ascending", "Descending"));
  }
}
