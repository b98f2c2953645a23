package skein.node.dev;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The folders for data of a user. */
public final class Folders {
  private Folders() {}

  /** The data of {@code skein dev}, unless another folder is named. */
  public static Path data(Map<String, String> environment) {
    return home(environment).resolve(".skein").resolve("data");
  }

  /** Data that can be made again. */
  public static Path cache(Map<String, String> environment) {
    var configured = environment.get("XDG_CACHE_HOME");
    boolean usable = configured != null && configured.startsWith("/");
    return (usable ? Path.of(configured) : home(environment).resolve(".cache")).resolve("skein");
  }

  /** As shells see it: the JVM's own answer ignores HOME. */
  private static Path home(Map<String, String> environment) {
    var home = environment.getOrDefault("HOME", "");
    return Path.of(home.startsWith("/") ? home : System.getProperty("user.home")).toAbsolutePath();
  }

  static void createForUserAlone(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** But for what file systems put there themselves. */
  static boolean isEmpty(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.allMatch(entry -> entry.endsWith("lost+found"));
    }
  }

  /** Does nothing when it does not exist. */
  public static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : new ArrayList<>();
  }
}
