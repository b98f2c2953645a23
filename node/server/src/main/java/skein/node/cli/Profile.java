package skein.node.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.EditDistance;
import skein.node.dev.CannotStartException;

/**
 * A cluster that commands are about, from the file of profiles: sections {@code [name]} with {@code
 * url}, {@code token-file}, {@code api-key-file} and {@code ca-file}. Secrets themselves are not in
 * it.
 *
 * @param url null: the profile does not say
 * @param tokenFile holds an access token; null: none
 * @param keyFile holds an API key; null: none
 * @param caFile holds authorities in PEM; null: none
 */
record Profile(
    @Nullable URI url, @Nullable Path tokenFile, @Nullable Path keyFile, @Nullable Path caFile) {
  static final String DEFAULT = "default";
  static final Profile NONE = new Profile(null, null, null, null);

  /** {@code $XDG_CONFIG_HOME/skein/profiles}, else {@code ~/.config/skein/profiles}. */
  static Path file(Map<String, String> environment, String home) {
    var config = environment.get("XDG_CONFIG_HOME");
    var folder = config == null || config.isBlank() ? Path.of(home, ".config") : Path.of(config);
    return folder.resolve("skein").resolve("profiles");
  }

  /**
   * The profile of that name; null for an unnamed one when there is no file or it has no default.
   *
   * @throws RefusedArgumentException there is no such profile, or the file is wrong
   */
  static Profile named(Path file, @Nullable String name) {
    if (!Files.exists(file)) {
      if (name == null) {
        return NONE;
      }
      throw new RefusedArgumentException(
          "There is no profile \"" + name + "\": " + file + " does not exist");
    }
    var all = read(file);
    var found = all.get(name == null ? DEFAULT : name);
    if (found == null && name != null) {
      var nearest = EditDistance.nearest(name, all.keySet());
      throw new RefusedArgumentException(
          "There is no profile \""
              + name
              + "\" in "
              + file
              + (nearest == null
                  ? "; it has " + String.join(", ", all.keySet())
                  : "; did you mean \"" + nearest + "\"?"));
    }
    return found == null ? NONE : found;
  }

  private static Map<String, Profile> read(Path file) {
    var all = new LinkedHashMap<String, Profile>();
    try {
      String section = null;
      int number = 0;
      for (var line : Files.readAllLines(file)) {
        number++;
        var text = line.strip();
        if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
          continue;
        }
        if (text.startsWith("[") && text.endsWith("]")) {
          section = text.substring(1, text.length() - 1).strip();
          all.put(section, NONE);
          continue;
        }
        int equals = text.indexOf('=');
        if (section == null || equals < 0) {
          throw wrong(file, number, "is neither [name] nor key = value in a section");
        }
        var key = text.substring(0, equals).strip();
        var value = text.substring(equals + 1).strip();
        var changed = all.getOrDefault(section, NONE).with(key, value, file);
        if (changed == null) {
          throw wrong(
              file, number, "\"" + key + "\" is none of url, token-file, api-key-file and ca-file");
        }
        all.put(section, changed);
      }
    } catch (IOException e) {
      throw new CannotStartException(file + " cannot be read: " + e, e);
    }
    return all;
  }

  private static RefusedArgumentException wrong(Path file, int line, String why) {
    return new RefusedArgumentException(file + ":" + line + ": " + why);
  }

  /** Paths are relative to the folder of the file. */
  private @Nullable Profile with(String key, String value, Path file) {
    return switch (key) {
      case "url" -> new Profile(address(value), tokenFile, keyFile, caFile);
      case "token-file" -> new Profile(url, path(value, file), keyFile, caFile);
      case "api-key-file" -> new Profile(url, tokenFile, path(value, file), caFile);
      case "ca-file" -> new Profile(url, tokenFile, keyFile, path(value, file));
      default -> null;
    };
  }

  private static Path path(String value, Path file) {
    return value.startsWith("~/")
        ? Path.of(System.getProperty("user.home"), value.substring(2))
        : file.toAbsolutePath().resolveSibling(value);
  }

  /** Throws {@link RefusedArgumentException} for what is not an address of a node. */
  static URI address(String text) {
    try {
      var url = URI.create(text.strip());
      if (url.getHost() != null
          && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // Refused below.
    }
    throw new RefusedArgumentException(
        "\"" + text + "\" is not a valid address of a node: as http://localhost:5001");
  }
}
