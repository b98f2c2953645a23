package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class ArchiveTest {
  private static final UploadLimits LIMITS = new UploadLimits(10_000, 3, 5_000, 1);

  @Test
  void files_and_entries_are_found_in_order() throws IOException {
    var files =
        Archive.jsonFiles(
            List.of(json("a.json", "{}"), zip("b.json", "[1]", "read.me", "no", "d/c.JSON", "2")),
            new UploadLimits(10_000, 4, 5_000, 1));

    assertThat(files).extracting(Upload::name).containsExactly("a.json", "b.json", "d/c.JSON");
    assertThat(files.get(1).content().toString(StandardCharsets.UTF_8)).isEqualTo("[1]");
  }

  @Test
  void what_unpacks_to_too_much_is_refused_whatever_it_says_of_its_size() throws IOException {
    var bomb = zip("a.json", "0".repeat(4_000), "skipped.txt", "0".repeat(4_000));
    assertThat(bomb.content().length()).isLessThan(1_000);

    assertThatThrownBy(() -> Archive.jsonFiles(List.of(bomb), LIMITS))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
  }

  @Test
  void too_many_entries_are_refused() throws IOException {
    var many = zip("a.json", "1", "b.txt", "1", "c.txt", "1", "d.txt", "1");

    assertThatThrownBy(() -> Archive.jsonFiles(List.of(many), LIMITS))
        .hasMessageContaining("more than 3 files");
  }

  @Test
  void a_broken_archive_and_one_without_json_are_refused() throws IOException {
    var whole = zip("a.json", "0123456789".repeat(100));
    var cut = new Upload("cut.zip", "", whole.content().getBuffer(0, whole.content().length() / 3));

    assertThatThrownBy(() -> Archive.jsonFiles(List.of(cut), LIMITS))
        .isInstanceOf(SkeinException.class);
    assertThatThrownBy(() -> Archive.jsonFiles(List.of(zip("a.txt", "1")), LIMITS))
        .hasMessageContaining("No JSON file");
  }

  private static Upload json(String name, String text) {
    return new Upload(name, "application/json", Buffer.buffer(text));
  }

  private static Upload zip(String... namesAndTexts) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
        zip.write(namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return new Upload("all.zip", "application/zip", Buffer.buffer(bytes.toByteArray()));
  }
}
