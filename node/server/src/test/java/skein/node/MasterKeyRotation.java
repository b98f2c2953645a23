package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The master key of stored values, which is replaced while the nodes run. */
final class MasterKeyRotation {
  private static final Duration SEEN_MAX = Duration.ofSeconds(25);

  /** More than {@code encryption.refresh-interval}. */
  private static final Duration READ_BY_ALL = Duration.ofSeconds(2);

  private static final String OLD = key('a');
  private static final String NEW = key('b');
  private static final String IN_USE =
      "select count(*) from encryption_keys where used_at is not null";
  private static final String WRAPPED_BY =
      "select string_agg(master_key, ' ' order by number) from encryption_keys";

  private final Path file;

  MasterKeyRotation(Path folder) throws IOException {
    file = folder.resolve("master-key");
    write(OLD);
  }

  private static String key(char letter) {
    var bytes = String.valueOf(letter).repeat(32).getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(bytes);
  }

  Map<String, String> settings() {
    return Map.of(
        "encryption.enabled", "true",
        "encryption.refresh-interval", "300ms",
        "encryption.settle-time", "3s",
        "encryption.master-key-file", file.toString());
  }

  static List<String> keys() {
    return List.of(OLD, NEW);
  }

  static void awaitUse(Sql sql) {
    assertThat(Eventually.isTrue(SEEN_MAX, () -> sql.number(IN_USE) == 1))
        .as("values are encrypted from now on")
        .isTrue();
  }

  /** Accepted by all, then that of all, then alone. */
  void replace(Sql sql) throws IOException {
    var before = wrappedBy(sql);
    write(OLD + "\n" + NEW);
    Eventually.pause(READ_BY_ALL);
    write(NEW + "\n" + OLD);
    assertThat(Eventually.get(SEEN_MAX, () -> wrappedBy(sql), now -> !now.equals(before)))
        .as("the master key that wraps data keys")
        .isNotEqualTo(before);
    Eventually.pause(READ_BY_ALL);
    write(NEW);
  }

  private static String wrappedBy(Sql sql) {
    return sql.rows(WRAPPED_BY).getFirst().getString(0);
  }

  /** Whole or not at all, for its owner alone. */
  private void write(String text) throws IOException {
    var next = file.resolveSibling("next-master-key");
    Files.writeString(next, text);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
