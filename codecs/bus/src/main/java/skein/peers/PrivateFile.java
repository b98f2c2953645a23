package skein.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Files with secrets that a process reads when it starts. */
public final class PrivateFile {
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

  /** The message about a file that is not private. */
  public static final String OPEN =
      "can be read or written by all users: chmod o-rwx, or mount it with mode 0400";

  private PrivateFile() {}

  /** True where there are no such permissions. */
  public static boolean isPrivate(Path file) throws IOException {
    var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    return view == null || view.readAttributes().permissions().stream().noneMatch(OTHERS::contains);
  }

  /** Null when there are more than {@code max}. */
  public static byte @Nullable [] bytes(Path file, int max) throws IOException {
    try (var in = Files.newInputStream(file)) {
      var bytes = in.readNBytes(max + 1);
      return bytes.length > max ? null : bytes;
    }
  }
}
