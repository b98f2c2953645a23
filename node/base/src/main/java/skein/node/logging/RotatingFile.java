package skein.node.logging;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file to which bytes are added until it is full. Then it is renamed to {@code FILE.1}, the one
 * before it to {@code FILE.2} and so on, and a new one begins. What cannot be written is not in the
 * file, and the next write tries again. Not thread-safe.
 */
final class RotatingFile extends OutputStream {
  private final Path file;
  private final long bytesMax;
  private final int kept;
  private @Nullable FileChannel open;
  private long size;

  /**
   * Opens nothing yet.
   *
   * @param bytesMax of one file, unless a single write is larger
   * @param kept files beside the one that is written
   */
  RotatingFile(Path file, long bytesMax, int kept) {
    this.file = file.toAbsolutePath();
    this.bytesMax = bytesMax;
    this.kept = kept;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one});
  }

  /** All of the bytes, or none of them. */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      var channel = opened();
      if (size > 0 && size + length > bytesMax) {
        rotate(channel);
        channel = opened();
      }
      append(channel, ByteBuffer.wrap(bytes, offset, length));
    } catch (IOException e) {
      closeQuietly();
      throw e;
    }
  }

  private void append(FileChannel channel, ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      size += length;
    } catch (IOException e) {
      try {
        channel.truncate(size);
      } catch (IOException undoing) {
        e.addSuppressed(undoing);
      }
      throw e;
    }
  }

  private FileChannel opened() throws IOException {
    var channel = open;
    if (channel != null) {
      return channel;
    }
    var folder = file.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    open = channel;
    if (!isLocked(channel)) {
      throw new IOException(file + " is written by another process");
    }
    size = channel.size();
    return channel;
  }

  /** Two that rename the same files would lose what they hold. */
  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false;
    }
  }

  private void rotate(FileChannel channel) throws IOException {
    channel.close();
    open = null;
    for (int number = kept; number >= 1; number--) {
      var from = number == 1 ? file : numbered(number - 1);
      if (Files.exists(from)) {
        Files.move(from, numbered(number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (kept == 0) {
      Files.delete(file);
    }
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException _) {
      // it is opened again
    }
  }

  @Override
  public void close() throws IOException {
    var channel = open;
    open = null;
    if (channel != null) {
      channel.close();
    }
  }
}
