package skein.docker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** YAML as maps, lists and scalars; a key that is there twice is an error. */
final class Yaml {
  private static final Path DOCKER = Path.of("..", "..", "docker");

  private Yaml() {}

  /** A file or folder of {@code docker}. */
  static Path docker(String path) {
    return DOCKER.resolve(path);
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All documents of a text, those that are empty left out. */
  static List<Map<String, Object>> documents(String text) {
    var documents = new ArrayList<Map<String, Object>>();
    for (var document : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
      if (document != null) {
        documents.add(map(document));
      }
    }
    return documents;
  }

  static Object value(String text) {
    return Objects.requireNonNull(new Load(LoadSettings.builder().build()).loadFromString(text));
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value, "no map");
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(@Nullable Object value) {
    return (List<Object>) Objects.requireNonNull(value, "no list");
  }

  /** The texts of a member that is a list, or none. */
  static List<String> texts(Map<String, Object> map, String member) {
    return list(map.getOrDefault(member, List.of())).stream().map(String::valueOf).toList();
  }
}
