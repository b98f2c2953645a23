package skein.node.dev;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The secret by which the nodes of {@code skein dev} authenticate; other users cannot read it. */
public final class DevSecret {
  /** Its file in the folder of the data. */
  static final String NAME = "cluster-secret";

  private static final int RANDOM_BYTES = 32;

  private DevSecret() {}

  /** {@code folder}: of the data, for its user alone. */
  public static Path file(Path folder) {
    return folder.resolve(NAME).toAbsolutePath();
  }

  /** Makes the file when there is none. */
  public static void make(Path folder) {
    var file = file(folder);
    try {
      Folders.createForUserAlone(folder.toAbsolutePath());
      if (!Files.exists(file)) {
        make(folder, file);
      }
    } catch (IOException e) {
      throw new CannotStartException(
          "The secret of the cluster cannot be kept in " + file + ": " + e, e);
    }
  }

  /** Never seen half written, nor by others. */
  private static void make(Path folder, Path file) throws IOException {
    var random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    var mine = PosixFilePermissions.fromString("rw-------");
    var made = Files.createTempFile(folder, NAME, "", PosixFilePermissions.asFileAttribute(mine));
    Files.writeString(made, HexFormat.of().formatHex(random) + "\n");
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
