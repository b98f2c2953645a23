package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the build knows of the artifacts that it takes from elsewhere. */
class ChecksumsTest {
  private static final Path MAVEN = Path.of("..", "..", ".mvn");
  private static final Pattern IN_REPOSITORY = Pattern.compile(".*/repository/(.+\\.jar)");

  private static Map<String, String> known() throws IOException {
    try (var lines = Files.lines(MAVEN.resolve("checksums/checksums.sha256"))) {
      return lines
          .map(line -> line.split("\\s+", 2))
          .collect(Collectors.toMap(parts -> parts[1], parts -> parts[0]));
    }
  }

  private static String sum(Path file) throws IOException, NoSuchAlgorithmException {
    var digest = MessageDigest.getInstance("SHA-256");
    try (var bytes = new DigestInputStream(Files.newInputStream(file), digest)) {
      bytes.transferTo(OutputStream.nullOutputStream()); // Playwright has 200 MB
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  @Test
  void the_build_compares_artifacts_with_the_sums_that_are_kept_here() throws Exception {
    assertThat(Files.readString(MAVEN.resolve("maven.config")))
        .contains("postProcessor.trustedChecksums=true", "summaryFile=true", "/.mvn/checksums")
        .doesNotContain("record");
    assertThat(Files.readString(MAVEN.resolve("wrapper/maven-wrapper.properties")))
        .containsPattern("(?m)^distributionSha256Sum=[0-9a-f]{64}$")
        .containsPattern("(?m)^tarGzSha256Sum=[0-9a-f]{64}$"); // of the image's build
  }

  @Test
  void the_artifacts_that_are_used_have_the_sums_that_are_kept_here() throws Exception {
    var known = known();
    var classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    var compared = new ArrayList<String>();
    for (var entry : classPath.split(File.pathSeparator, -1)) {
      var path = IN_REPOSITORY.matcher(entry.replace(File.separatorChar, '/'));
      if (path.matches() && known.containsKey(path.group(1))) {
        assertThat(sum(Path.of(entry))).as(entry).isEqualTo(known.get(path.group(1)));
        compared.add(path.group(1));
      }
    }

    assertThat(compared)
        .hasSizeGreaterThan(30)
        .anyMatch(path -> path.contains("/vertx-core/"))
        .anyMatch(path -> path.contains("/hazelcast/"));
  }
}
