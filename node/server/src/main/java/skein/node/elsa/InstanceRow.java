package skein.node.elsa;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;

/** Reads rows of Elsa's tables about an instance as the file that its API would export. */
final class InstanceRow {
  /** Of a state or a value without its compression, in bytes: 64 MiB. */
  static final int BYTES_MAX = 1 << 26;

  private static final String SERIALIZED = "Serialized";

  private InstanceRow() {}

  /** The rows of an instance, with the columns as members, in Elsa's case. */
  record Rows(
      Map<?, ?> instance,
      List<? extends Map<?, ?>> bookmarks,
      List<? extends Map<?, ?>> records,
      List<? extends Map<?, ?>> log) {}

  /** Throws {@link RefusedException} when something in them cannot be read. */
  static Map<String, @Nullable Object> file(Rows rows) {
    var file = new LinkedHashMap<String, @Nullable Object>();
    var state = rows.instance();
    file.put(
        "WorkflowState",
        parsed(plain(Json.text(state, "data"), Json.text(state, "dataCompressionAlgorithm"))));
    file.put("Bookmarks", rows.bookmarks().stream().map(InstanceRow::bookmark).toList());
    file.put(
        "ActivityExecutionRecords", rows.records().stream().map(InstanceRow::members).toList());
    file.put("WorkflowExecutionLogRecords", rows.log().stream().map(InstanceRow::members).toList());
    return file;
  }

  /** Before 3.3 the column of the id has another name. */
  private static Map<String, @Nullable Object> bookmark(Map<?, ?> row) {
    var members = members(row);
    members.putIfAbsent("id", members.get("bookmarkId"));
    return members;
  }

  /** The members of a row in the case of the API, those that are serialized as JSON values. */
  static Map<String, @Nullable Object> members(Map<?, ?> row) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    row.forEach((column, value) -> {
      var name = String.valueOf(column);
      if (!name.startsWith(SERIALIZED)) {
        members.put(camel(name), value);
      } else if (value instanceof String text && !text.isBlank() && !name.endsWith("Algorithm")) {
        var compression = Json.text(row, name + "CompressionAlgorithm");
        members.put(camel(name.substring(SERIALIZED.length())), parsed(plain(text, compression)));
      }
    });
    return members;
  }

  /** {@code DefinitionId} is definitionId. */
  static String camel(String column) {
    return Character.toLowerCase(column.charAt(0)) + column.substring(1);
  }

  private static @Nullable Object parsed(String text) {
    try {
      return JsonText.parse(text, JsonLimits.STORED);
    } catch (SkeinException e) {
      throw new RefusedException(Reason.UNREADABLE, e.detail());
    }
  }

  /** {@code compression}: null is none. */
  static String plain(@Nullable String text, @Nullable String compression) {
    if (text == null || text.isBlank()) {
      throw new RefusedException(Reason.UNREADABLE, "its state is empty");
    }
    return switch (compression) {
      case null -> text;
      case "", "None" -> text;
      case "GZip" -> unzipped(text);
      default ->
          throw new RefusedException(
              Reason.STATE_COMPRESSED,
              "it is compressed with " + compression + ": read it from Elsa's API, by --url");
    };
  }

  private static String unzipped(String text) {
    try (var stream =
        new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
      var bytes = stream.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new RefusedException(Reason.UNREADABLE, "it is larger than " + BYTES_MAX + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException | IllegalArgumentException e) {
      throw new RefusedException(Reason.UNREADABLE, "it cannot be unpacked: " + e.getMessage());
    }
  }
}
