package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import skein.storage.Migrations;

/**
 * The jar of a version that does not exist yet: this one's, with formats and a schema that are
 * newer by one. A state and a message have a text more, and an instance's row has a column more.
 */
final class NextVersion {
  private static final Path CODECS = Path.of("../../codecs/core/src/main/java");
  private static final Path STORAGE = Path.of("../../verticles/storage/src/main/java");
  private static final String FORMAT = "skein/codecs/Format.java";
  private static final String STATES = "skein/codecs/InstanceCodec.java";
  private static final String MESSAGES = "skein/codecs/MessageBytes.java";
  private static final String MIGRATIONS = "skein/storage/Migrations.java";

  /** The format and the schema that only it knows. */
  static final int NEWEST_FORMAT = 3;

  static final int NEWEST_SCHEMA = Migrations.NEWEST + 1;

  private static final String SCHEMA =
      """
      -- The schema of the next version.
      -- Compatible with version %d.
      alter table workflow_instances add column novelty text;
      alter table timers add column novelty text;
      create table novelties (id text primary key);
      """
          .formatted(Migrations.NEWEST);

  private NextVersion() {}

  /** Makes the jar in a folder. */
  static Path jar(Path folder) {
    try {
      var sources = folder.resolve("next-sources");
      var classes = folder.resolve("next-classes");
      clear(sources);
      clear(classes);
      var files =
          List.of(
              changed(sources, CODECS, FORMAT, Map.of("NEWEST = 2", "NEWEST = " + NEWEST_FORMAT)),
              changed(
                  sources,
                  CODECS,
                  STATES,
                  Map.of(
                      "    return new EncodedInstance(",
                      "    if (out.version() > 2) { out.string(\"a novelty\"); }\n"
                          + "    return new EncodedInstance(",
                      "    in.end();",
                      "    if (in.version() > 2) { in.string(); }\n    in.end();")),
              changed(
                  sources,
                  CODECS,
                  MESSAGES,
                  Map.of(
                      "    out.oneByte(kind);",
                      "    out.oneByte(kind);\n    if (version > 2) { out.string(\"novelty\"); }",
                      "    int kind = in.oneByte();",
                      "    int kind = in.oneByte();\n    if (in.version() > 2) { in.string(); }")),
              changed(
                  sources,
                  STORAGE,
                  MIGRATIONS,
                  Map.of(
                      "NEWEST = " + Migrations.NEWEST + ";", "NEWEST = " + NEWEST_SCHEMA + ";")));
      compile(files, classes);
      return packed(folder, classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void clear(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (var all = Files.walk(folder)) {
        for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
    Files.createDirectories(folder);
  }

  private static Path changed(Path folder, Path root, String file, Map<String, String> changes)
      throws IOException {
    var text = Files.readString(root.resolve(file));
    for (var change : changes.entrySet()) {
      assertThat(text).as(file).contains(change.getKey());
      text = text.replace(change.getKey(), change.getValue());
    }
    var changed = folder.resolve(file);
    Files.createDirectories(changed.getParent());
    return Files.writeString(changed, text);
  }

  private static void compile(List<Path> files, Path classes) {
    var libraries =
        String.join(
            File.pathSeparator,
            ServerProcess.jar(),
            System.getProperty("surefire.test.class.path", ""),
            System.getProperty("java.class.path"));
    var arguments =
        new ArrayList<>(
            List.of("-proc:none", "-nowarn", "-cp", libraries, "-d", classes.toString()));
    files.forEach(file -> arguments.add(file.toString()));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(code).as("exit code of javac").isZero();
  }

  private static Path packed(Path folder, Path classes) throws IOException {
    var jar = folder.resolve("skein-next.jar");
    Files.copy(Path.of(ServerProcess.jar()), jar, StandardCopyOption.REPLACE_EXISTING);
    try (var inside = FileSystems.newFileSystem(jar);
        var all = Files.walk(classes)) {
      for (var file : all.filter(Files::isRegularFile).toList()) {
        Files.copy(
            file,
            inside.getPath("/" + classes.relativize(file)),
            StandardCopyOption.REPLACE_EXISTING);
      }
      Files.writeString(inside.getPath("/skein/storage/" + NEWEST_SCHEMA + ".sql"), SCHEMA);
    }
    return jar;
  }
}
