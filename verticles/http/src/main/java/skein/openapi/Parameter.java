package skein.openapi;

/**
 * A parameter besides those in the path.
 *
 * @param name in the query in any case
 */
public record Parameter(
    Place place, String name, Shape shape, String description, boolean required) {
  /** Where a request has it. */
  public enum Place {
    query,
    header
  }

  public static Parameter query(String name, Shape shape, String description) {
    return new Parameter(Place.query, name, shape, description, false);
  }

  /** One of the query without which a request is refused. */
  public static Parameter needed(String name, Shape shape, String description) {
    return new Parameter(Place.query, name, shape, description, true);
  }

  public static Parameter header(String name, String description) {
    return new Parameter(Place.header, name, Shape.TEXT, description, false);
  }

  /** One or several, each as a parameter of its own. */
  public static Parameter several(String name, String description) {
    return query(name, Shape.listOf(Shape.ID), description);
  }

  static final Parameter[] PAGE = {
    query("page", Shape.COUNT.byDefault(0L), "The page, from 0; or say skip"),
    query("pageSize", Shape.INTEGER.within(1, 1_000), "Items of a page; or say take"),
    query("skip", Shape.COUNT, "Items to leave out, in place of page"),
    query("take", Shape.INTEGER.within(1, 1_000), "Items at most, in place of pageSize")
  };
}
