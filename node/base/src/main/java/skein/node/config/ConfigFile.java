package skein.node.config;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads a YAML file into settings by dotted key, each with the line it stands on. */
final class ConfigFile {
  private final Path path;
  private final List<String> problems;
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  private ConfigFile(Path path, List<String> problems) {
    this.path = path;
    this.problems = problems;
  }

  /** Problems are added to {@code problems}; the rest is returned. */
  static Map<String, Setting> read(Path path, List<String> problems) {
    var file = new ConfigFile(path, problems);
    try {
      var options = LoadSettings.builder().setLabel(path.toString()).build();
      new Compose(options)
          .composeString(Files.readString(path))
          .ifPresent(root -> file.add("", root));
    } catch (MalformedInputException e) {
      problems.add(path + ": is not UTF-8 text");
    } catch (IOException e) {
      problems.add(path + ": cannot be read (" + reason(e) + ")");
    } catch (MarkedYamlEngineException e) {
      var line = e.getProblemMark().map(mark -> " line " + (mark.getLine() + 1)).orElse("");
      problems.add(path + line + ": is not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      problems.add(path + ": is not YAML: " + e.getMessage());
    }
    return file.settings;
  }

  private static String reason(IOException e) {
    return Files.isDirectory(Path.of(String.valueOf(e.getMessage())))
        ? "it is a folder"
        : e.getClass().getSimpleName();
  }

  private void add(String key, Node node) {
    switch (node) {
      case MappingNode mapping when !mapping.getValue().isEmpty() || key.isEmpty() ->
          mapping
              .getValue()
              .forEach(pair -> add(child(key, pair.getKeyNode()), pair.getValueNode()));
      case MappingNode _ -> put(key, "", node);
      case SequenceNode list -> put(key, joined(list), node);
      case ScalarNode scalar when key.isEmpty() -> {
        if (!isNull(scalar)) {
          problems.add(where(node) + ": must be a mapping of sections such as http and database");
        }
      }
      case ScalarNode scalar -> put(key, isNull(scalar) ? "" : scalar.getValue(), node);
      default -> problems.add(where(node) + ": aliases are not supported");
    }
  }

  private String child(String parent, Node keyNode) {
    var name = keyNode instanceof ScalarNode scalar ? scalar.getValue() : "?";
    return parent.isEmpty() ? name : parent + "." + name;
  }

  private static boolean isNull(ScalarNode scalar) {
    return scalar.getTag().equals(Tag.NULL);
  }

  private String joined(SequenceNode list) {
    return list.getValue().stream()
        .map(item -> item instanceof ScalarNode scalar ? scalar.getValue() : "?")
        .collect(Collectors.joining(", "));
  }

  private void put(String key, String text, Node node) {
    var earlier = settings.putIfAbsent(key, new Setting(text, where(node)));
    if (earlier != null) {
      problems.add(key + ": is set twice (" + earlier.origin() + " and " + where(node) + ")");
    }
  }

  private String where(Node node) {
    return path + node.getStartMark().map(mark -> " line " + (mark.getLine() + 1)).orElse("");
  }
}
