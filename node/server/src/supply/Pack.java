import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes a jar again, smaller, with the same files in the same order: compressed as well as zlib can,
 * without the descriptor after each file (its sizes and sum stand before it) and without entries of
 * folders, which no class loader needs. Run as a source file:
 *
 * <pre>java Pack.java JAR</pre>
 *
 * <p>The same input gives the same bytes.
 */
final class Pack {
  private final Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
  private final byte[] scratch = new byte[1 << 16];

  private Pack() {}

  public static void main(String[] args) throws IOException {
    var jar = Path.of(args[0]);
    var packed = jar.resolveSibling(jar.getFileName() + ".packed");
    new Pack().pack(jar, packed);
    Files.move(packed, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private void pack(Path from, Path to) throws IOException {
    try (var in = new ZipFile(from.toFile());
        var out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
      out.setLevel(Deflater.BEST_COMPRESSION);
      for (var entry : in.stream().filter(entry -> !entry.isDirectory()).toList()) {
        try (var content = in.getInputStream(entry)) {
          write(entry, content.readAllBytes(), out);
        }
      }
    } finally {
      deflater.end();
    }
  }

  private void write(ZipEntry original, byte[] content, ZipOutputStream out) throws IOException {
    var entry = new ZipEntry(original.getName());
    entry.setTimeLocal(original.getTimeLocal());
    entry.setSize(content.length);
    var sum = new CRC32();
    sum.update(content);
    entry.setCrc(sum.getValue());
    long compressed = compressedBytes(content);
    boolean smaller = compressed < content.length;
    entry.setMethod(smaller ? ZipEntry.DEFLATED : ZipEntry.STORED);
    entry.setCompressedSize(smaller ? compressed : content.length);
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }

  /** What the stream will write: the same compressor at the same level. */
  private long compressedBytes(byte[] content) {
    deflater.reset();
    deflater.setInput(content);
    deflater.finish();
    while (!deflater.finished()) {
      deflater.deflate(scratch);
    }
    return deflater.getBytesWritten();
  }
}
