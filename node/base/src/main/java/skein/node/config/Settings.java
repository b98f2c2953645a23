package skein.node.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.codecs.EditDistance;

/**
 * The written configuration, by key; a flag wins over the environment, that over the file, that
 * over the default. Reading a key makes it known; {@link #finish} then names every key that was not
 * read. Problems are collected, so that all of them are reported at once.
 */
public final class Settings {
  private static final String PREFIX = "SKEIN_";

  private final Map<String, Setting> weak = new HashMap<>();
  private final SettingSource weakSource = new SettingSource(weak::get);
  private final Map<String, Setting> file;
  private final GuideNames guide;
  private final Map<String, String> environment;
  private final Map<String, String> flags;

  /** The one that wins first. */
  private final List<SettingSource> sources;

  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, String> defaults = new LinkedHashMap<>();
  private final List<String> prefixes = new ArrayList<>();
  private final List<String> secrets = new ArrayList<>();

  /** {@code flags}: by key. Without a file, the defaults stand. */
  public Settings(@Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    this.file = file == null ? new HashMap<>() : ConfigFile.read(file, problems);
    this.environment = EnvironmentNames.ofSettings(environment);
    this.flags = new TreeMap<>(flags);
    this.guide = GuideNames.read(environment, problems);
    guide.takeLevelsOf(this.file);
    this.sources =
        List.of(
            new SettingSource(key -> found(this.flags.get(key), "command line")),
            new SettingSource(key -> {
              var name = environmentName(key);
              return found(this.environment.get(name), "environment " + name);
            }),
            new SettingSource(guide.settings()::get),
            new SettingSource(this.file::get));
  }

  /** {@code http.idle-timeout} is {@code SKEIN_HTTP_IDLE_TIMEOUT}. */
  public static String environmentName(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** Another default, which everything that is written overrides. */
  public Settings withDefault(String key, String text, String origin) {
    weak.put(key, new Setting(text, origin));
    return this;
  }

  /** Whether a value was written for this key. */
  public boolean isWritten(String key) {
    return written(key) != null;
  }

  /** Settings that were understood but have no effect here, a sentence each. */
  public List<String> notes() {
    return Stream.concat(guide.notes().stream(), notes.stream()).toList();
  }

  /** Every key that was read, with its default as it would be written; in order of reading. */
  public Map<String, String> defaults() {
    return Collections.unmodifiableMap(defaults);
  }

  /** Every key that was read, and every one below them that is written, in alphabetical order. */
  public List<EffectiveSetting> effective() {
    var keys = new TreeSet<>(defaults.keySet());
    Stream.of(file, guide.settings(), flags)
        .flatMap(map -> map.keySet().stream())
        .filter(key -> prefixes.stream().anyMatch(key::startsWith))
        .forEach(keys::add);
    return keys.stream()
        .map(key -> {
          var setting = setting(key, defaults.getOrDefault(key, ""));
          return EffectiveSetting.of(key, setting, isSecret(key));
        })
        .toList();
  }

  String text(String key, String byDefault) {
    return read(key, byDefault, text -> text, "");
  }

  Secret secret(String key) {
    secrets.add(key);
    return new Secret(text(key, ""));
  }

  /** The value, or the content of the file that {@code key-file} names. */
  Secret secretOrFile(String key) {
    var fileKey = key + "-file";
    var written = secret(key);
    var inFile = read(fileKey, "", Secret::ofFile, new Secret(""));
    var file = written(fileKey);
    if (file == null || file.text().isBlank()) {
      return written;
    }
    require(
        !isWritten(key) || written.value().isEmpty(),
        key + " and " + fileKey + ": set one of them; a password in a URL counts as the first");
    return inFile;
  }

  boolean flag(String key, String byDefault) {
    return read(key, byDefault, SettingText::flag, false);
  }

  int integer(String key, String byDefault, int min, int max) {
    return (int) longInteger(key, byDefault, min, max);
  }

  long longInteger(String key, String byDefault, long min, long max) {
    return read(key, byDefault, text -> SettingText.whole(text, min, max), min);
  }

  long bytes(String key, String byDefault, long min, long max) {
    return read(key, byDefault, text -> SettingText.bytes(text, min, max), min);
  }

  Duration duration(String key, String byDefault, Duration min) {
    return read(key, byDefault, text -> SettingText.duration(text, min), min);
  }

  <E extends Enum<E>> E choice(String key, E byDefault) {
    return read(
        key, SettingText.of(byDefault), text -> SettingText.choice(text, byDefault), byDefault);
  }

  <E extends Enum<E>> List<E> choices(String key, List<E> byDefault) {
    var joined = String.join(", ", byDefault.stream().map(SettingText::of).toList());
    return read(
        key,
        joined,
        text ->
            SettingText.items(text)
                .map(item -> SettingText.choice(item, byDefault.getFirst()))
                .distinct()
                .toList(),
        byDefault);
  }

  List<String> list(String key, List<String> byDefault, UnaryOperator<String> item) {
    return read(
        key,
        String.join(", ", byDefault),
        text -> SettingText.items(text).map(item).toList(),
        byDefault);
  }

  <T> List<T> list(String key, Function<String, T> item) {
    return read(key, "", text -> SettingText.items(text).map(item).toList(), List.of());
  }

  @Nullable Path path(String key) {
    var text = text(key, "");
    return text.isEmpty() ? null : Path.of(text);
  }

  /** Empty, or a URI of one of these schemes. The value is not repeated: it may hold a password. */
  URI uri(String key, String byDefault, String... schemes) {
    return read(key, byDefault, text -> SettingText.uri(text, schemes), URI.create(""));
  }

  /** An identifier that is safe unquoted in SQL. */
  String name(String key, String byDefault) {
    return read(key, byDefault, SettingText::sqlName, byDefault);
  }

  /**
   * To be read before the settings that its options mean: each counts as if it were written where
   * the connection string is, unless it is written there, too. The value is not repeated in
   * problems: it may hold a password.
   */
  ConnectionString connection(String key, String byDefault) {
    var connection =
        read(key, byDefault, ConnectionString::parse, ConnectionString.parse(byDefault));
    connection.notes().forEach(note -> notes.add(key + ": " + note));
    Stream.concat(sources.stream(), Stream.of(weakSource))
        .filter(source -> source.get(key) != null)
        .findFirst()
        .ifPresent(source -> source.mean(key, connection.settings()));
    return connection;
  }

  /**
   * {@code key: {a: b}} in the file, {@code a=b,c=d} in the environment, {@code key.a=b} as flag.
   */
  <E extends Enum<E>> Map<String, E> choiceMap(String key, E example) {
    return map(key, text -> SettingText.choice(text, example), example);
  }

  /** Texts by name, as {@code key: {name: text}} or {@code name=text, name=text}. */
  Map<String, String> textMap(String key) {
    return map(key, text -> text, "");
  }

  /** As {@link #textMap}, of values that {@link #effective} does not show. */
  Map<String, String> secretMap(String key) {
    secrets.add(key);
    return textMap(key);
  }

  /**
   * Times by name, as {@link #textMap}; {@code never} is empty.
   *
   * @param name turns what was written into what it names
   */
  <K> Map<K, Optional<Duration>> periods(String key, Duration min, Function<String, K> name) {
    var named = new HashMap<K, Optional<Duration>>();
    map(key, text -> SettingText.period(text, min), Optional.<Duration>empty())
        .forEach((written, period) -> {
          try {
            named.put(name.apply(written), period);
          } catch (IllegalArgumentException e) {
            problems.add(key + ": \"" + written + "\" " + e.getMessage());
          }
        });
    return Map.copyOf(named);
  }

  private <T> Map<String, T> map(String key, Function<String, T> parser, T example) {
    var result = new TreeMap<String, T>();
    read(
        key,
        "",
        text -> {
          SettingText.items(text).forEach(item -> SettingText.putPair(result, item, parser));
          return text;
        },
        "");
    var prefix = key + ".";
    prefixes.add(prefix);
    Stream.of(file, guide.settings(), flags)
        .flatMap(map -> map.keySet().stream())
        .filter(k -> k.startsWith(prefix))
        .forEach(k -> {
          var setting = written(k);
          if (setting != null) {
            result.put(k.substring(prefix.length()), converted(k, setting, parser, example));
          }
        });
    return Map.copyOf(result);
  }

  /**
   * The names below a key, sorted: {@code key: {name: {…}}} in the file, {@code key=a,b} in the
   * environment, {@code key.name.…=…} as flag.
   */
  List<String> names(String key) {
    var names = new TreeSet<String>();
    read(
        key,
        "",
        text -> {
          SettingText.items(text).forEach(names::add);
          return text;
        },
        "");
    var prefix = key + ".";
    Stream.of(file, flags)
        .flatMap(map -> map.keySet().stream())
        .filter(k -> k.startsWith(prefix) && k.indexOf('.', prefix.length()) > 0)
        .forEach(k -> names.add(k.substring(prefix.length(), k.indexOf('.', prefix.length()))));
    names.stream()
        .filter(name -> !name.matches("[A-Za-z0-9_-]{1,100}"))
        .forEach(name ->
            problems.add(key + ": \"" + name + "\" is not a valid name: letters, digits, - and _"));
    return List.copyOf(names);
  }

  /** For rules over more than one key. */
  void require(boolean holds, String problem) {
    if (!holds) {
      problems.add(problem);
    }
  }

  /**
   * To be called once every key has been read.
   *
   * @throws ConfigException with every problem found so far, and every unknown key
   */
  void finish() {
    var environmentNames = defaults.keySet().stream().map(Settings::environmentName).toList();
    file.forEach((key, setting) -> requireKnown(key, setting.origin()));
    flags.forEach((key, _) -> requireKnown(key, "command line"));
    environment.keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !environmentNames.contains(name))
        .forEach(name ->
            problems.add(
                name + ": is not a setting (environment)" + nearest(name, environmentNames)));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  private void requireKnown(String key, String origin) {
    boolean known = defaults.containsKey(key) || prefixes.stream().anyMatch(key::startsWith);
    if (!known) {
      problems.add(key + ": is not a setting (" + origin + ")" + nearest(key, defaults.keySet()));
    }
  }

  private static String nearest(String name, Iterable<String> candidates) {
    var best = "";
    int bestDistance = 4;
    for (var candidate : candidates) {
      int distance = EditDistance.between(name, candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best.isEmpty() ? "" : "; did you mean " + best + "?";
  }

  private @Nullable Setting written(String key) {
    return sources.stream()
        .map(source -> source.get(key))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Setting found(@Nullable String text, String origin) {
    return text == null ? null : new Setting(text, origin);
  }

  private <T> T read(String key, String byDefault, Function<String, T> parse, T whenWrong) {
    defaults.put(key, byDefault);
    return converted(key, setting(key, byDefault), parse, whenWrong);
  }

  private Setting setting(String key, String byDefault) {
    var setting = written(key);
    if (setting == null) {
      setting = weakSource.get(key);
    }
    return setting == null ? new Setting(byDefault, EffectiveSetting.DEFAULT) : setting;
  }

  private <T> T converted(String key, Setting setting, Function<String, T> parse, T whenWrong) {
    try {
      return parse.apply(setting.text().strip());
    } catch (IllegalArgumentException e) {
      boolean hidden = key.equals("database.url") || isSecret(key);
      var value =
          hidden ? "the value" : "\"" + EffectiveSetting.of(key, setting, false).value() + "\"";
      problems.add(key + ": " + value + " " + e.getMessage() + " (" + setting.origin() + ")");
      return whenWrong;
    }
  }

  /** Whether the value of this key, or of one above it, is never shown. */
  private boolean isSecret(String key) {
    return secrets.stream().anyMatch(one -> key.equals(one) || key.startsWith(one + "."));
  }
}
