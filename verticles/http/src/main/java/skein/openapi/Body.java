package skein.openapi;

import java.util.Map;
import java.util.TreeMap;

/**
 * The body of a request.
 *
 * @param shapes by media type; a caller sends one of them
 * @param required false: no body is the same as an empty object
 */
public record Body(Map<String, Shape> shapes, boolean required) {
  public Body {
    shapes = Map.copyOf(shapes);
  }

  public Body(String mediaType, Shape shape, boolean required) {
    this(Map.of(mediaType, shape), required);
  }

  /** Or this instead. */
  public Body or(String mediaType, Shape shape) {
    var all = new TreeMap<>(shapes);
    all.put(mediaType, shape);
    return new Body(all, required);
  }
}
