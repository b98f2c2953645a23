package skein.node.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import skein.peers.PrivateFile;

/** A file whose text is a password, without the end of line at its end. */
final class SecretFile {
  private static final int BYTES_MAX = 16_384;

  /** It is there, but holds nothing at the moment, or cannot be read. */
  static final class UnreadableException extends IllegalArgumentException {
    UnreadableException(String message, @Nullable IOException cause) {
      super(message, cause);
    }
  }

  private SecretFile() {}

  /**
   * An empty path is an empty secret.
   *
   * @throws UnreadableException it is empty, or the system cannot read it
   * @throws IllegalArgumentException others than its owner and group may read or write it, or it
   *     holds no password
   */
  static String read(String path) {
    if (path.isEmpty()) {
      return "";
    }
    try {
      var file = Path.of(path);
      if (!PrivateFile.isPrivate(file)) {
        throw new IllegalArgumentException(PrivateFile.OPEN);
      }
      var bytes = PrivateFile.bytes(file, BYTES_MAX);
      if (bytes == null) {
        throw new IllegalArgumentException("is longer than " + BYTES_MAX + " bytes");
      }
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return secret(text);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("is not text in UTF-8", e);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("cannot be read: " + e, e);
    } catch (IOException e) {
      throw new UnreadableException("cannot be read: " + e, e);
    }
  }

  private static String secret(String text) {
    var value = text.replaceFirst("\\r?\\n\\z", "");
    if (value.isEmpty()) {
      throw new UnreadableException("is empty", null);
    }
    return value;
  }
}
