package skein.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterTlsTest {
  @TempDir private Path folder;

  private final List<UnusableTlsException> told = new ArrayList<>();
  private TestCertificates authority;

  @BeforeEach
  void make() {
    authority = new TestCertificates(folder, "ca");
  }

  private void assertRefused(ClusterTls.Files files, Path named, String why) {
    assertThatThrownBy(() -> ClusterTls.read(files, told::add))
        .isInstanceOf(UnusableTlsException.class)
        .hasMessageContainingAll(named.toString(), why);
  }

  @Test
  void a_certificate_with_its_key_can_be_used() {
    var tls = ClusterTls.read(authority.of("node"), told::add);

    assertThat(tls.end()).isAfter(Instant.now());
  }

  @Test
  void files_that_are_not_there_are_named() {
    var files = authority.of("node");
    var none = folder.resolve("none");

    assertRefused(new ClusterTls.Files(none, files.key(), files.authorities()), none, "read");
    assertRefused(
        new ClusterTls.Files(files.certificate(), none, files.authorities()), none, "read");
    assertRefused(new ClusterTls.Files(files.certificate(), files.key(), none), none, "read");
  }

  @Test
  void files_of_another_kind_are_named() throws IOException {
    var files = authority.of("node");
    var text = Files.writeString(folder.resolve("text"), "no certificate\n");
    var cut = Files.writeString(folder.resolve("cut"), "-----BEGIN CERTIFICATE-----\nAAAA\n");

    for (var file : List.of(text, cut)) {
      assertRefused(new ClusterTls.Files(file, files.key(), files.authorities()), file, "PEM");
      assertRefused(new ClusterTls.Files(files.certificate(), files.key(), file), file, "PEM");
    }
    var old = Files.readString(files.key()).replace("BEGIN PRIVATE KEY", "BEGIN EC PRIVATE KEY");
    Files.writeString(files.key(), old);
    assertRefused(files, files.key(), "openssl pkcs8 -topk8 -nocrypt");
  }

  @Test
  void a_key_of_another_certificate_is_refused() {
    var files = authority.of("node");
    var other = authority.of("other");

    assertRefused(
        new ClusterTls.Files(files.certificate(), other.key(), files.authorities()),
        other.key(),
        "is not the key of");
  }

  @Test
  void a_key_that_all_users_can_read_is_refused() throws IOException {
    var files = authority.of("node");
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r--r--"));

    assertRefused(files, files.key(), "all users");
  }

  @Test
  void a_certificate_is_refused_before_and_after_its_time() {
    var expired = authority.expired("old");
    assertRefused(expired, expired.certificate(), "has expired");
    var now = Instant.now();
    var early = authority.of("new", now.plusSeconds(60), now.plus(Duration.ofDays(1)));
    assertRefused(early, early.certificate(), "is valid only from");
  }

  @Test
  void a_certificate_of_another_authority_than_the_others_have_is_refused() {
    var files = authority.of("node");
    var other = new TestCertificates(folder, "other-ca");

    assertRefused(TestCertificates.taking(files, other), files.certificate(), "is not signed by");
    assertThat(ClusterTls.read(TestCertificates.taking(files, other, authority), told::add).end())
        .isAfter(Instant.now());
  }

  @Test
  void a_renewed_certificate_is_used_and_one_that_cannot_be_used_is_not() throws IOException {
    var files = authority.of("node");
    var tls = ClusterTls.read(files, told::add);
    var end = tls.end();
    var later = authority.of("later", Instant.now(), Instant.now().plus(Duration.ofHours(5)));

    Files.copy(later.certificate(), files.certificate(), StandardCopyOption.REPLACE_EXISTING);
    tls.renew();
    tls.renew();
    assertThat(tls.end()).as("with the old key").isEqualTo(end);
    assertThat(told).hasSize(1);
    Files.copy(later.key(), files.key(), StandardCopyOption.REPLACE_EXISTING);
    tls.renew();

    assertThat(tls.end()).isAfter(end.plus(Duration.ofHours(3)));
    assertThat(told).hasSize(1);
  }
}
