package skein.forms;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import skein.forms.Resource.Found;

/** Finds what the references of a form mean. Nothing outside the form is ever meant. */
final class References {
  private static final String BASE = "urn:skein:form";

  /** Hold a schema each, or a list of schemas. */
  private static final Set<String> HOLDERS =
      Set.of(
          "not",
          "if",
          "then",
          "else",
          "contains",
          "propertyNames",
          "additionalProperties",
          "additionalItems",
          "items",
          "unevaluatedItems",
          "unevaluatedProperties",
          "contentSchema",
          "allOf",
          "anyOf",
          "oneOf",
          "prefixItems");

  /** Hold schemas by name. */
  private static final Set<String> NAMED =
      Set.of(
          "properties",
          "patternProperties",
          "$defs",
          "definitions",
          "dependentSchemas",
          "dependencies");

  private final String idKeyword;
  private final boolean refAlone;
  private final BiConsumer<String, String> problem;
  private final Map<String, Resource> resources = new HashMap<>();
  private final IdentityHashMap<Object, Resource> owners = new IdentityHashMap<>();
  private final Resource root;

  References(Map<String, @Nullable Object> form, int draft, BiConsumer<String, String> problem) {
    this.idKeyword = draft == 4 ? "id" : "$id";
    this.refAlone = draft < 2019;
    this.problem = problem;
    this.root = resource(form, "", BASE);
    resources.put(BASE, root);
    scan(form, "", root);
  }

  Resource root() {
    return root;
  }

  Map<String, Resource> resources() {
    return resources;
  }

  /** The resource that a schema belongs to. */
  Resource owner(Object json, Resource otherwise) {
    return owners.getOrDefault(json, otherwise);
  }

  private Resource resource(Map<String, @Nullable Object> json, String place, String base) {
    var id = json.get(idKeyword) instanceof String text && !text.startsWith("#") ? text : null;
    var uri = id == null ? base : resolve(base, withoutFragment(id), place);
    var resource = new Resource(uri, place, json);
    resources.put(uri, resource);
    return resource;
  }

  private static String withoutFragment(String uri) {
    var mark = uri.indexOf('#');
    return mark < 0 ? uri : uri.substring(0, mark);
  }

  private String resolve(String base, String reference, String place) {
    try {
      return URI.create(base).resolve(reference).toString();
    } catch (IllegalArgumentException _) {
      problem.accept(place, "\"" + FormLocation.cut(reference) + "\" is not a valid URI");
      return reference;
    }
  }

  private void scan(Object schema, String place, Resource outer) {
    if (!(schema instanceof Map<?, ?> json)) {
      return;
    }
    var resource = outer;
    var id = refAlone && json.containsKey("$ref") ? null : json.get(idKeyword);
    if (id instanceof String text && !place.isEmpty() && !text.startsWith("#")) {
      resource = resource(object(json), place, outer.uri());
    }
    owners.put(json, resource);
    addAnchors(json, place, resource, id);
    for (var entry : json.entrySet()) {
      var keyword = String.valueOf(entry.getKey());
      var below = place + "/" + FormLocation.escaped(keyword);
      if (HOLDERS.contains(keyword)) {
        if (entry.getValue() instanceof List<?> list) {
          for (var i = 0; i < list.size(); i++) {
            scan(list.get(i), below + "/" + i, resource);
          }
        } else {
          scan(entry.getValue(), below, resource);
        }
      } else if (NAMED.contains(keyword) && entry.getValue() instanceof Map<?, ?> named) {
        for (var one : named.entrySet()) {
          scan(one.getValue(), below + "/" + FormLocation.escaped((String) one.getKey()), resource);
        }
      }
    }
  }

  private static void addAnchors(
      Map<?, ?> json, String place, Resource resource, @Nullable Object id) {
    var found = new Found(json, place, resource);
    if (json.get("$anchor") instanceof String anchor) {
      resource.anchors().putIfAbsent(anchor, found);
    }
    if (json.get("$dynamicAnchor") instanceof String anchor) {
      resource.anchors().putIfAbsent(anchor, found);
      resource.dynamicAnchors().putIfAbsent(anchor, found);
    }
    if (id instanceof String text && text.startsWith("#")) {
      resource.anchors().putIfAbsent(text.substring(1), found);
    }
  }

  /** Null when there is no such schema in the form. */
  @Nullable Found find(String reference, Resource from, String place) {
    var mark = reference.indexOf('#');
    var uri = mark < 0 ? reference : reference.substring(0, mark);
    var resource = from;
    if (!uri.isEmpty()) {
      resource = resources.get(resolve(from.uri(), uri, place));
    }
    if (resource == null) {
      return null;
    }
    var fragment = mark < 0 ? "" : decoded(reference.substring(mark + 1));
    if (fragment.isEmpty()) {
      return resource.whole();
    }
    return fragment.startsWith("/") ? follow(fragment, resource) : resource.anchors().get(fragment);
  }

  private static String decoded(String fragment) {
    try {
      return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return fragment;
    }
  }

  private @Nullable Found follow(String pointer, Resource from) {
    Object at = from.whole().json();
    var resource = from;
    for (var step : pointer.substring(1).split("/", -1)) {
      var name = step.replace("~1", "/").replace("~0", "~");
      at =
          switch (at) {
            case Map<?, ?> map -> map.get(name);
            case List<?> list
                when name.matches("[0-9]{1,6}") && Integer.parseInt(name) < list.size() ->
                list.get(Integer.parseInt(name));
            case null, default -> null;
          };
      if (at == null) {
        return null;
      }
      resource = owner(at, resource);
    }
    return at instanceof Map<?, ?> || at instanceof Boolean
        ? new Found(at, from.whole().place() + pointer, resource)
        : null;
  }

  @SuppressWarnings("unchecked") // JSON objects have string keys
  static Map<String, @Nullable Object> object(Map<?, ?> json) {
    return (Map<String, @Nullable Object>) json;
  }
}
