package skein.forms;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A form, or a schema in it that has an id of its own: what pointers and anchors are looked up in.
 */
final class Resource {
  private final String uri;
  private final String place;
  private final Map<String, @Nullable Object> root;
  private final Map<String, Found> anchors = new HashMap<>();
  private final Map<String, Found> dynamicAnchors = new HashMap<>();
  private final boolean recursive;

  /** A schema as it is written, and its place in the form. */
  record Found(Object json, String place, Resource resource) {}

  Resource(String uri, String place, Map<String, @Nullable Object> root) {
    this.uri = uri;
    this.place = place;
    this.root = root;
    this.recursive = Boolean.TRUE.equals(root.get("$recursiveAnchor"));
  }

  String uri() {
    return uri;
  }

  Found whole() {
    return new Found(root, place, this);
  }

  /** Whether references that lead here may lead to an outer schema instead. */
  boolean recursive() {
    return recursive;
  }

  Map<String, Found> anchors() {
    return anchors;
  }

  Map<String, Found> dynamicAnchors() {
    return dynamicAnchors;
  }
}
