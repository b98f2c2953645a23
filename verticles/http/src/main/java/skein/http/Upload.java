package skein.http;

import io.vertx.core.buffer.Buffer;

/**
 * One file that came with a request, or one entry of an archive.
 *
 * @param name as the client says: for people, never a path to anything
 */
record Upload(String name, String contentType, Buffer content) {
  /** Whether it begins as ZIP archives do; what a client says of types is often wrong. */
  boolean isArchive() {
    return content.length() >= 4
        && content.getByte(0) == 'P'
        && content.getByte(1) == 'K'
        && content.getByte(2) < 9
        && content.getByte(3) < 9;
  }
}
