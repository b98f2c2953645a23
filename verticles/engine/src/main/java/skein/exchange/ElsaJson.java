package skein.exchange;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Values as Elsa's serializers write them: objects that others refer to have an {@code $id}, lists
 * may be wrapped as {@code $values} or {@code _items}, types are named as {@code _type}, documents
 * of other libraries are texts in {@code _island}, and a dollar in the name of a member is escaped.
 *
 * <p>Decodes one file; not thread-safe.
 */
final class ElsaJson {
  static final String TYPE = "_type";
  private static final String ID = "$id";
  private static final String REF = "$ref";
  private static final String ISLAND = "_island";
  private static final String VALUES = "$values";
  private static final String ITEMS = "_items";
  private static final List<String> LISTS = List.of(VALUES, ITEMS);

  /** Names that mean something to the reader of an object, also to Elsa's. */
  private static final Set<String> MEANT = Set.of(ID, REF, VALUES, ITEMS, TYPE, ISLAND);

  private static final String JSON_OBJECT = "System.Text.Json.Nodes.JsonObject, System.Text.Json";
  private static final String DOCUMENTS = "VariablesDictionary";
  private static final String DOLLAR = "\\\\$";

  /** In characters, about: the size of a container and of any value other than text. */
  private static final int CONTAINER_SIZE = 8;

  private static final int VALUE_SIZE = 2;

  private record Shared(@Nullable Object value, long size) {}

  private final Map<String, Shared> byId = new HashMap<>();
  private final int addedMax;

  /** The size of all that was decoded so far. */
  private long size;

  /** The part of it from references and islands, which the file's own size does not bound. */
  private long added;

  /** {@code addedMax}: characters that references and islands may stand for. */
  ElsaJson(int addedMax) {
    this.addedMax = addedMax;
  }

  /**
   * A plain JSON value; throws {@code INVALID_REQUEST} for a reference to nothing, {@code
   * TOO_LARGE} when references and islands stand for too much.
   */
  @Nullable Object decode(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> decode(map);
      case List<?> list -> decode(list);
      case null, default -> {
        size += scalar(value);
        yield value;
      }
    };
  }

  /** The members of an object; none where the value is not an object. */
  Map<String, @Nullable Object> members(@Nullable Object value) {
    return decode(value) instanceof Map<?, ?> map ? Members.of(map) : Map.of();
  }

  private List<@Nullable Object> decode(List<?> list) {
    size += CONTAINER_SIZE;
    var decoded = new ArrayList<@Nullable Object>();
    list.forEach(item -> decoded.add(decode(item)));
    return decoded;
  }

  private @Nullable Object decode(Map<?, ?> map) {
    if (map.get(REF) instanceof String ref && map.size() == 1) {
      var shared = byId.get(ref);
      if (shared == null) {
        throw ImportRefusals.at(
            "$ref", "it refers to \"" + ref + "\", which is not in the file before it");
      }
      add(REF, shared.size);
      return shared.value;
    }
    var before = size;
    var decoded = content(map);
    if (map.get(ID) instanceof String id) {
      byId.put(id, new Shared(decoded, size - before));
    }
    return decoded;
  }

  private @Nullable Object content(Map<?, ?> map) {
    if (map.get(ISLAND) instanceof String text) {
      return island(text);
    }
    for (var name : LISTS) {
      if (map.get(name) instanceof List<?> list) {
        return decode(list);
      }
    }
    if (map.get(TYPE) instanceof String type && type.contains(DOCUMENTS)) {
      return documents(map);
    }
    size += CONTAINER_SIZE;
    var decoded = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((name, value) -> {
      size += scalar(name);
      if (!ID.equals(name) && !TYPE.equals(name)) {
        decoded.put(String.valueOf(name).replace(DOLLAR, "$"), decode(value));
      }
    });
    return decoded;
  }

  /**
   * The values are documents already, in which nothing is escaped and nothing is meant by names.
   */
  private Map<String, @Nullable Object> documents(Map<?, ?> map) {
    size += sizeOf(map);
    var documents = Members.of(map);
    documents.remove(ID);
    documents.remove(TYPE);
    return documents;
  }

  private @Nullable Object island(String text) {
    var limits =
        new JsonLimits(
            addedMax,
            JsonLimits.STORED.depthMax(),
            addedMax,
            JsonLimits.STORED.numberDigitsMax(),
            Math.max(1, addedMax / VALUE_SIZE));
    try {
      var decoded = JsonText.parse(text, limits);
      add(ISLAND, sizeOf(decoded));
      return decoded;
    } catch (SkeinException e) {
      throw e.code() == ErrorCode.TOO_LARGE
          ? tooLarge(ISLAND)
          : ImportRefusals.at(ISLAND, "it is not a document: " + e.detail());
    }
  }

  private void add(String member, long more) {
    size += more;
    added += more;
    if (added > addedMax) {
      throw tooLarge(member);
    }
  }

  private SkeinException tooLarge(String member) {
    return ImportRefusals.tooLarge(
        member,
        "the file stands for more than "
            + addedMax
            + " characters beside its own (execution.state-bytes-max)");
  }

  private static long scalar(@Nullable Object value) {
    return value instanceof String text ? text.length() + (long) VALUE_SIZE : VALUE_SIZE;
  }

  private static long sizeOf(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        long sum = CONTAINER_SIZE;
        for (var entry : map.entrySet()) {
          sum += scalar(entry.getKey()) + sizeOf(entry.getValue());
        }
        yield sum;
      }
      case List<?> list -> {
        long sum = CONTAINER_SIZE;
        for (var item : list) {
          sum += sizeOf(item);
        }
        yield sum;
      }
      case null, default -> scalar(value);
    };
  }

  /** The form that Elsa reads back as this value: a document where names would be ambiguous. */
  static @Nullable Object encode(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map when map.keySet().stream().anyMatch(ElsaJson::isLost) -> island(map);
      case Map<?, ?> map -> {
        var encoded = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, member) ->
            encoded.put(String.valueOf(name).replace("$", DOLLAR), encode(member)));
        yield encoded;
      }
      case List<?> list -> {
        var encoded = new ArrayList<@Nullable Object>();
        list.forEach(item -> encoded.add(encode(item)));
        yield encoded;
      }
      case null, default -> value;
    };
  }

  private static Map<String, @Nullable Object> island(Map<?, ?> map) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put(ISLAND, JsonText.print(map));
    json.put(TYPE, JSON_OBJECT);
    return json;
  }

  /** Whether a member of that name would not come back; a dollar does, because it is escaped. */
  private static boolean isLost(Object name) {
    var text = String.valueOf(name);
    return (MEANT.contains(text) && text.charAt(0) != '$') || text.contains(DOLLAR);
  }

  /**
   * Those of a dictionary whose keys, which are not escaped, would not come back; as a document.
   */
  static @Nullable Object lost(Map<String, @Nullable Object> dictionary) {
    var lost = new LinkedHashMap<String, @Nullable Object>(dictionary);
    lost.keySet().removeIf(name -> !MEANT.contains(name) && !name.contains(DOLLAR));
    return lost.isEmpty() ? null : island(lost);
  }

  /** A dictionary, whose own keys Elsa takes as they are. */
  static Map<String, @Nullable Object> encodeValues(Map<String, @Nullable Object> map) {
    var encoded = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((name, value) -> {
      if (!MEANT.contains(name) && !name.contains(DOLLAR)) {
        encoded.put(name, encode(value));
      }
    });
    return encoded;
  }
}
