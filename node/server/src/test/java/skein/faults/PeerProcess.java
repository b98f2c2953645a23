package skein.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds out which process has the other end of a connection of loopback, as Linux tells it. */
final class PeerProcess {
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int INODE = 9;

  private PeerProcess() {}

  /** True when the process has a socket that leads from {@code from} to {@code to}. */
  static boolean has(long pid, int from, int to) {
    return inode(from, to).map(inode -> holds(pid, inode)).orElse(false);
  }

  private static Optional<String> inode(int from, int to) {
    for (var table : TABLES) {
      try {
        for (var line : Files.readAllLines(table)) {
          var columns = line.strip().split("\\s+", -1);
          if (columns.length > INODE
              && isPort(columns[LOCAL], from)
              && isPort(columns[REMOTE], to)) {
            return Optional.of(columns[INODE]);
          }
        }
      } catch (IOException _) {
        // no such table here
      }
    }
    return Optional.empty();
  }

  /** {@code 0100007F:1A2B}. */
  private static boolean isPort(String address, int port) {
    return address.endsWith(":%04X".formatted(port));
  }

  private static boolean holds(long pid, String inode) {
    var wanted = "socket:[" + inode + "]";
    try (var open = Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "fd"))) {
      for (var descriptor : open) {
        if (isLinkTo(descriptor, wanted)) {
          return true;
        }
      }
    } catch (IOException _) {
      // the process is gone
    }
    return false;
  }

  private static boolean isLinkTo(Path descriptor, String wanted) {
    try {
      return Files.readSymbolicLink(descriptor).toString().equals(wanted);
    } catch (IOException _) {
      return false; // closed by now
    }
  }
}
