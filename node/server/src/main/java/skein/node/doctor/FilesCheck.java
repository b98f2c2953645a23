package skein.node.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.node.config.NodeConfig;
import skein.peers.ClusterSecret;
import skein.peers.PrivateFile;

/** Files with secrets, the log, and the room that is left on disks. */
final class FilesCheck {
  private static final long MB = 1 << 20;
  private static final long FREE_MIN = 100 * MB;
  private static final long FREE_LOW = 1_000 * MB;

  private FilesCheck() {}

  static List<Diagnosis> all(NodeConfig config) {
    var found = new ArrayList<Diagnosis>();
    var peers = config.cluster().peers();
    if (peers.secretFile() != null) {
      found.add(secret("cluster.secret-file", peers.secretFile()));
    }
    if (peers.tls() != null) {
      found.add(privateFile("cluster.tls-key-file", peers.tls().key()));
    }
    var https = config.http().tls();
    if (https != null) {
      found.add(privateFile("http.tls-key-file", https.files().key()));
    }
    var folder = config.work().folders().secrets();
    if (folder != null) {
      found.addAll(secrets(folder));
    }
    var log = config.logging().file();
    if (log != null) {
      found.add(log(log.path()));
    }
    found.add(disk(Path.of(System.getProperty("java.io.tmpdir", "/tmp")), null));
    return found;
  }

  private static Diagnosis secret(String setting, Path file) {
    var open = privateFile(setting, file);
    if (open.grade() != Diagnosis.Grade.OK) {
      return open;
    }
    try {
      ClusterSecret.read(file);
      return Diagnosis.ok("secrets", file + " can be used and is private");
    } catch (ClusterSecret.UnusableException e) {
      return Diagnosis.failed(
          "secrets",
          setting + ": " + e.getMessage(),
          "make one: (umask 077; openssl rand -hex 32 > " + file + "), the same on all nodes");
    }
  }

  /** Secrets of workflows; files that a mount keeps for itself begin with a dot. */
  private static List<Diagnosis> secrets(Path folder) {
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .map(file -> privateFile("secrets.folder", file))
          .toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of(
          Diagnosis.failed(
              "secrets",
              "secrets.folder: " + folder + " cannot be listed: " + e,
              "make it, chown it to the user that runs the node, or correct secrets.folder"));
    }
  }

  private static Diagnosis privateFile(String setting, Path file) {
    try {
      if (!Files.exists(file)) {
        return Diagnosis.failed(
            "secrets",
            setting + ": " + file + " does not exist",
            "make it, or correct the path: " + setting);
      }
      if (!PrivateFile.isPrivate(file)) {
        return Diagnosis.failed(
            "permissions", setting + ": all users may read or write " + file, "chmod 600 " + file);
      }
      if (!Files.isReadable(file)) {
        return Diagnosis.failed(
            "permissions",
            setting + ": this user may not read " + file,
            "chown it to the user that runs the node");
      }
      return Diagnosis.ok("permissions", file + " is private");
    } catch (IOException e) {
      return Diagnosis.failed("secrets", setting + ": " + e, "correct " + setting);
    }
  }

  private static Diagnosis log(Path file) {
    var folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      return Diagnosis.failed(
          "log",
          "this user cannot write into " + folder + " (logging.file)",
          "make the folder and chown it to the user that runs the node, or correct logging.file");
    }
    return disk(folder, "logging.file");
  }

  /** {@code setting}: null for files that were not configured. */
  private static Diagnosis disk(Path folder, @Nullable String setting) {
    try {
      return disk(folder.toString(), Files.getFileStore(folder).getUsableSpace(), setting);
    } catch (IOException e) {
      return Diagnosis.warning(
          "disk", folder + " cannot be looked at: " + e, "make it readable for this user");
    }
  }

  /** {@code free} in bytes. */
  static Diagnosis disk(String folder, long free, @Nullable String setting) {
    var finding = "%d MB are free in %s".formatted(free / MB, folder);
    var cure =
        "make room there"
            + (setting == null ? ", or set java.io.tmpdir" : ", or choose another " + setting);
    if (free < FREE_MIN) {
      return Diagnosis.failed("disk", finding, cure);
    }
    return free < FREE_LOW
        ? Diagnosis.warning("disk", finding, cure)
        : Diagnosis.ok("disk", finding);
  }
}
