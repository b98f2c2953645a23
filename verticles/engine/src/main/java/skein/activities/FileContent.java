package skein.activities;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDateTime;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import skein.codecs.WebText;

/** A file that a workflow answers with. */
final class FileContent {
  /** Two archives of the same files are the same bytes. */
  private static final LocalDateTime ENTRY_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private final String base64;
  private final @Nullable String filename;
  private final @Nullable String contentType;
  private final String defaultExtension;

  /** {@code defaultExtension}: of the name where it has none. */
  FileContent(
      String base64,
      @Nullable String filename,
      @Nullable String contentType,
      String defaultExtension) {
    this.base64 = base64;
    this.filename = blankToNull(filename);
    this.contentType = blankToNull(contentType);
    this.defaultExtension = defaultExtension;
  }

  static FileContent ofBytes(String base64) {
    return new FileContent(base64, null, null, "bin");
  }

  static FileContent ofText(String base64) {
    return new FileContent(base64, null, null, "txt");
  }

  /** An archive of all of them. */
  static FileContent zip(List<FileContent> files) {
    var bytes = new ByteArrayOutputStream();
    Set<String> taken = new HashSet<>();
    try (var zip = new ZipOutputStream(bytes)) {
      for (var i = 0; i < files.size(); i++) {
        var file = files.get(i);
        var entry = new ZipEntry(free(taken, file.entryName(i)));
        entry.setTimeLocal(ENTRY_TIME);
        zip.putNextEntry(entry);
        zip.write(Base64.getDecoder().decode(file.base64));
        zip.closeEntry();
      }
    } catch (IOException e) { // Not into memory.
      throw new UncheckedIOException(e);
    }
    return new FileContent(
        Base64.getEncoder().encodeToString(bytes.toByteArray()),
        "download.zip",
        "application/zip",
        "zip");
  }

  /** Without folders: an archive that is unpacked writes nothing beside itself. */
  private String entryName(int index) {
    var name = filename == null ? "" : filename;
    var last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    return last.isBlank() || last.equals(".") || last.equals("..")
        ? "file-" + index + "." + defaultExtension
        : last;
  }

  private static String free(Set<String> taken, String name) {
    var free = name;
    for (var i = 2; !taken.add(free); i++) {
      var dot = name.lastIndexOf('.');
      free =
          dot < 1
              ? name + " (" + i + ")"
              : name.substring(0, dot) + " (" + i + ")" + name.substring(dot);
    }
    return free;
  }

  /** With another name, unless that is blank. */
  FileContent named(@Nullable String name) {
    return blankToNull(name) == null
        ? this
        : new FileContent(base64, name, contentType, defaultExtension);
  }

  String base64() {
    return base64;
  }

  String filename() {
    return filename == null ? "file." + defaultExtension : filename;
  }

  /** Its declared media type, else the one that its name implies. */
  String contentType() {
    if (contentType != null) {
      return contentType;
    }
    var named = WebText.contentType(filename());
    return named == null ? "application/octet-stream" : named;
  }

  private static @Nullable String blankToNull(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }
}
