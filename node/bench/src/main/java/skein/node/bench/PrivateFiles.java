package skein.node.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import skein.node.dev.CannotStartException;

/** Files that their owner alone can read. */
final class PrivateFiles {
  private static final int RANDOM_BYTES = 32;

  private PrivateFiles() {}

  /** Makes a folder, for files of this kind. */
  static Path folder(Path folder) {
    var mine = PosixFilePermissions.fromString("rwx------");
    try {
      return Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(mine));
    } catch (IOException e) {
      throw new CannotStartException("The folder " + folder + " cannot be made: " + e, e);
    }
  }

  /** Makes a file. */
  static Path write(Path file, String text) {
    var mine = PosixFilePermissions.fromString("rw-------");
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(mine));
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new CannotStartException("The file " + file + " cannot be written: " + e, e);
    }
  }

  /** 32 random bytes, as 64 hexadecimal digits. */
  static String random() {
    var bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
