package skein.http;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.pacing.Pace;

/**
 * Unpacks uploads: JSON files as they are, ZIP archives entry by entry. What an archive says of its
 * sizes is not trusted: each is unpacked twice, first to count its bytes, so that memory is taken
 * only for what is kept, and of one that is refused for nothing. Used once, on a worker.
 */
final class Archive {
  private final UploadLimits limits;
  private final int entryBytesMax;
  private final UploadBudget.Lease lease;
  private final List<Upload> found = new ArrayList<>();
  private final byte[] chunk = new byte[8_192];
  private long bytes;
  private int entries;

  private Archive(UploadLimits limits, int entryBytesMax, UploadBudget.Lease lease) {
    this.limits = limits;
    this.entryBytesMax = entryBytesMax;
    this.lease = lease;
  }

  /**
   * The JSON files in these uploads, in order. Entries of other names are skipped, and archives in
   * archives are. Throws {@code TOO_LARGE}, or {@code INVALID_REQUEST} for an archive that cannot
   * be read or when there is nothing, or {@code OVERLOADED} while others take up the room.
   *
   * @param entryBytesMax of one entry that is kept; a larger one is not unpacked to its end
   * @param lease takes what is unpacked
   */
  static List<Upload> jsonFiles(
      List<Upload> uploads, UploadLimits limits, int entryBytesMax, UploadBudget.Lease lease) {
    var archive = new Archive(limits, entryBytesMax, lease);
    uploads.forEach(archive::add);
    if (archive.found.isEmpty()) {
      throw BadRequest.of("No JSON file was sent: send .json files, or .zip archives of them");
    }
    return archive.found;
  }

  private void add(Upload upload) {
    if (upload.isArchive()) {
      unpack(upload);
    } else {
      countEntry();
      count(upload.content().length());
      found.add(upload);
    }
  }

  private void unpack(Upload upload) {
    var packed = upload.content().getBytes();
    try {
      var sizes = sizes(packed);
      try (var zip = new ZipInputStream(new ByteArrayInputStream(packed))) {
        for (var size : sizes) {
          var name = Objects.requireNonNull(zip.getNextEntry(), "an entry").getName();
          if (isJson(name)) {
            found.add(new Upload(name, "application/json", Buffer.buffer(read(zip, size))));
          } else {
            skip(zip);
          }
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          upload.name() + " is not a ZIP archive that can be read: " + e.getMessage(),
          List.of(),
          e);
    }
  }

  private static boolean isJson(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(".json");
  }

  /** The unpacked sizes of all entries: skipping one unpacks it as well. */
  private List<Integer> sizes(byte[] packed) throws IOException {
    var sizes = new ArrayList<Integer>();
    try (var zip = new ZipInputStream(new ByteArrayInputStream(packed))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        countEntry();
        sizes.add(size(zip, isJson(entry.getName()) ? entry.getName() : null));
      }
    }
    return sizes;
  }

  private int size(InputStream entry, @Nullable String keptAs) throws IOException {
    int size = 0;
    for (int n = entry.read(chunk); n >= 0; n = entry.read(chunk)) {
      Pace.pause();
      count(n);
      size += n;
      if (keptAs != null && size > entryBytesMax) {
        throw new SkeinException(
            ErrorCode.TOO_LARGE,
            keptAs + " has more than " + entryBytesMax + " bytes when unpacked");
      }
    }
    return size;
  }

  private void skip(InputStream entry) throws IOException {
    while (entry.read(chunk) >= 0) {
      Pace.pause();
    }
  }

  private byte[] read(InputStream entry, int size) throws IOException {
    lease.take(size);
    var content = new byte[size];
    for (int from = 0; from < size; ) {
      int n = entry.read(content, from, Math.min(size - from, chunk.length));
      if (n < 0) {
        throw new EOFException("An entry ended early");
      }
      from += n;
      Pace.pause();
    }
    return content;
  }

  private void countEntry() {
    if (++entries > limits.entriesMax()) {
      throw tooLarge("more than " + limits.entriesMax() + " files");
    }
  }

  private void count(int more) {
    bytes += more;
    if (bytes > limits.expandedBytesMax()) {
      throw tooLarge("more than " + limits.expandedBytesMax() + " bytes when unpacked");
    }
  }

  private static SkeinException tooLarge(String what) {
    return new SkeinException(
        ErrorCode.TOO_LARGE, "The files are " + what + ": send fewer at a time");
  }
}
