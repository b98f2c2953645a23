package skein.node.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import skein.node.dev.CannotStartException;
import skein.node.logging.Logging;

/**
 * A definition in a file.
 *
 * @param text as it stands there
 */
record DefinitionFile(Path path, String text, JsonObject json) {

  /** Files, and those that end in .json in folders; refuses what does not exist or is not JSON. */
  static List<DefinitionFile> all(List<Path> paths) {
    var all = new ArrayList<DefinitionFile>();
    for (var path : paths) {
      if (!Files.isDirectory(path)) {
        all.add(read(path));
        continue;
      }
      try (var files = Files.walk(path)) {
        files
            .filter(file -> file.toString().endsWith(".json"))
            .sorted()
            .forEach(file -> all.add(read(file)));
      } catch (IOException e) {
        throw new CannotStartException(path + " cannot be read: " + e, e);
      }
    }
    if (all.isEmpty()) {
      throw new RefusedArgumentException(
          "No .json file in " + paths + ": name files of definitions, or folders with them");
    }
    return all;
  }

  static DefinitionFile read(Path path) {
    Logging.silence();
    try {
      var text = Files.readString(path);
      return new DefinitionFile(path, text, new JsonObject(text));
    } catch (IOException e) {
      throw new RefusedArgumentException(path + " cannot be read: " + e);
    } catch (DecodeException e) {
      var why = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      throw new RefusedArgumentException(
          path + " is not JSON: " + String.valueOf(why).lines().findFirst().orElse(""));
    }
  }

  static void write(Path file, String text) {
    try {
      if (file.getParent() != null) {
        Files.createDirectories(file.getParent());
      }
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new CannotStartException(file + " cannot be written: " + e, e);
    }
  }

  /** The findings as compilers print them, with line and column, in the order of the file. */
  List<String> lines(JsonArray findings) {
    var places = places();
    record Line(Place place, String text) {}
    return findings.stream()
        .map(JsonObject.class::cast)
        .map(finding -> {
          var place = nearest(places, finding.getString("path", ""));
          return new Line(
              place,
              "%s:%d:%d: %s".formatted(path, place.line(), place.column(), sentence(finding)));
        })
        .sorted((a, b) ->
            a.place().line() == b.place().line()
                ? a.place().column() - b.place().column()
                : a.place().line() - b.place().line())
        .map(Line::text)
        .toList();
  }

  static String sentence(JsonObject finding) {
    return Terminal.plain(
        "%s %s: %s"
            .formatted(
                finding.getString("severity", "warning"),
                finding.getString("code", ""),
                finding.getString("message")));
  }

  private record Place(int line, int column) {}

  /** The place that a JSON Pointer names, else the nearest around it. */
  private static Place nearest(Map<String, Place> places, String pointer) {
    for (var at = pointer; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
      var found = places.get(at);
      if (found != null) {
        return found;
      }
    }
    return new Place(1, 1);
  }

  /** The places of all members and items by their JSON Pointers. */
  private Map<String, Place> places() {
    var places = new HashMap<String, Place>();
    try (var parser = new JsonFactory().createParser(text)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY) {
          var at = parser.currentTokenLocation();
          places.putIfAbsent(
              parser.getParsingContext().pathAsPointer().toString(),
              new Place(at.getLineNr(), at.getColumnNr()));
        }
      }
    } catch (IOException e) {
      return places; // It was read once: what is there is the best that can be said.
    }
    return places;
  }
}
