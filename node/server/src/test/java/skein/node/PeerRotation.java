package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import skein.peers.TestCertificates;

/** Certificates between nodes, which are replaced with their authority while the nodes run. */
final class PeerRotation {
  private static final String NEW_AUTHORITY = "new-peers";

  /** Files are looked at every ten seconds at most. */
  private static final Duration SEEN_MAX = Duration.ofSeconds(25);

  /** A peer that is refused is told so by then. */
  private static final int ADMITTED_MILLIS = 1_000;

  private final Path folder;
  private final int count;
  private final TestCertificates before;
  private final TestCertificates after;
  private final Path authorities;

  /** {@code count}: of nodes; their certificates are of the old authority. */
  PeerRotation(Path folder, int count) throws IOException {
    this.folder = folder;
    this.count = count;
    before = new TestCertificates(folder, "old-peers");
    after = new TestCertificates(folder, NEW_AUTHORITY);
    IntStream.range(0, count).forEach(node -> before.of(name(node)));
    authorities = Files.copy(before.file(), folder.resolve("peer-authorities.pem"));
  }

  private static String name(int node) {
    return "peer" + node;
  }

  Map<String, String> settings(int node) {
    return Map.of(
        "cluster.tls", "true",
        "cluster.tls-certificate-file", folder.resolve(name(node) + ".pem").toString(),
        "cluster.tls-key-file", folder.resolve(name(node) + ".key").toString(),
        "cluster.tls-ca-file", authorities.toString());
  }

  /** Lets all nodes accept peers of the new authority, too; {@code ports}: of their buses. */
  void acceptNew(List<Integer> ports) throws IOException {
    write(Files.readString(before.file()) + Files.readString(after.file()));
    var probe = probe(after, "new-probe");
    for (int port : ports) {
      assertThat(Eventually.isTrue(SEEN_MAX, () -> admits(port, probe)))
          .as("a peer of the new authority is admitted")
          .isTrue();
    }
  }

  /** Gives them certificates of the new authority, and removes the old authority. */
  void replace(List<Integer> ports) throws IOException {
    IntStream.range(0, count).forEach(node -> after.of(name(node)));
    var probe = probe(before, "old-probe");
    for (int port : ports) {
      var shown =
          Eventually.get(
              SEEN_MAX,
              () -> ShownCertificate.at(port, probe).issuer(),
              ("CN=" + NEW_AUTHORITY)::equals);
      assertThat(shown).isEqualTo("CN=" + NEW_AUTHORITY);
    }
    write(Files.readString(after.file()));
    for (int port : ports) {
      assertThat(Eventually.isTrue(SEEN_MAX, () -> !admits(port, probe)))
          .as("a peer of the old authority is refused")
          .isTrue();
    }
  }

  /** Whole or not at all. */
  private void write(String certificates) throws IOException {
    var next = Files.writeString(folder.resolve("next-authorities"), certificates);
    Files.move(next, authorities, StandardCopyOption.ATOMIC_MOVE);
  }

  /** A peer with a certificate of one authority that accepts those of both. */
  private SSLContext probe(TestCertificates authority, String name) {
    return TestCertificates.context(TestCertificates.taking(authority.of(name), before, after));
  }

  /** Whether the connection stays open: in TLS 1.3 a refusal comes after the handshake. */
  private static boolean admits(int port, SSLContext probe) {
    try (var socket = (SSLSocket) probe.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout(ADMITTED_MILLIS);
      socket.startHandshake();
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException _) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
