package skein.http;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Unpacks uploads: JSON files as they are, ZIP archives entry by entry. What an archive says of its
 * sizes is not believed; bytes are counted while they are unpacked. Used once, on a worker.
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
      throw Call.invalid("No JSON file was sent: send .json files, or .zip archives of them");
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
    try (var zip = new ZipInputStream(new ByteArrayInputStream(upload.content().getBytes()))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        countEntry();
        boolean json = entry.getName().toLowerCase(Locale.ROOT).endsWith(".json");
        var content = read(zip, json ? entry.getName() : null);
        if (content != null) {
          found.add(new Upload(entry.getName(), "application/json", Buffer.buffer(content)));
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

  /** Also counts what is not kept: skipping an entry unpacks it as well. */
  private byte @Nullable [] read(InputStream entry, @Nullable String keptAs) throws IOException {
    var content = new ByteArrayOutputStream();
    for (int n = entry.read(chunk); n >= 0; n = entry.read(chunk)) {
      count(n);
      if (keptAs != null) {
        if (content.size() + n > entryBytesMax) {
          throw new SkeinException(
              ErrorCode.TOO_LARGE,
              keptAs + " has more than " + entryBytesMax + " bytes when unpacked");
        }
        lease.take(n);
        content.write(chunk, 0, n);
      }
    }
    return keptAs != null ? content.toByteArray() : null;
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
