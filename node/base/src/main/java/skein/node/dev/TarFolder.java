package skein.node.dev;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Unpacks files, folders and symbolic links of a tar archive (POSIX 1003.1-1988, ustar). Other
 * kinds of entries are an error: the archives are ours and hold none.
 */
final class TarFolder {
  private static final int BLOCK = 512;
  private static final int OWNER_EXECUTES = 0100;

  private final InputStream in;
  private final Path target;
  private final byte[] header = new byte[BLOCK];

  private TarFolder(InputStream in, Path target) {
    this.in = in;
    this.target = target.toAbsolutePath().normalize();
  }

  static void unpack(InputStream tar, Path target) throws IOException {
    new TarFolder(tar, target).unpack();
  }

  private void unpack() throws IOException {
    while (in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
      var path = inside(text(0, 100));
      long size = octal(124, 12);
      switch (header[156]) {
        case '0', 0 -> writeFile(path, size);
        case '5' -> Files.createDirectories(path);
        case '2' -> link(path, text(157, 100));
        default -> throw new IOException("Unknown kind of entry for " + path);
      }
    }
  }

  private void writeFile(Path path, long size) throws IOException {
    createFolder(path);
    try (var out = Files.newOutputStream(path)) {
      var buffer = new byte[1 << 16];
      for (long left = size; left > 0; ) {
        int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          throw new EOFException("The archive ends inside " + path);
        }
        out.write(buffer, 0, read);
        left -= read;
      }
    }
    in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    if ((octal(100, 8) & OWNER_EXECUTES) != 0) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private void link(Path path, String to) throws IOException {
    createFolder(path);
    Files.createSymbolicLink(path, Path.of(to));
  }

  private void createFolder(Path path) throws IOException {
    var parent = path.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
  }

  private Path inside(String name) throws IOException {
    var path = target.resolve(name).normalize();
    if (!path.startsWith(target)) {
      throw new IOException("Entry outside of the archive: " + name);
    }
    return path;
  }

  private String text(int from, int length) {
    int end = from;
    while (end < from + length && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }

  private long octal(int from, int length) {
    var digits = text(from, length).strip();
    return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
  }
}
