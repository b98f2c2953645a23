package skein.node;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.peers.BusAuthentication;
import skein.peers.ClientTls;
import skein.peers.PeerGuard;
import skein.peers.TestCertificates;

/** What a server of HTTPS lets in, and what it sees of a client. */
class ConnectionGuardsTest {
  private static final byte ALERT = 21;
  private static final byte FATAL = 2;
  private static final byte HANDSHAKE_FAILURE = 40;
  private static final byte PROTOCOL_VERSION = 70;

  @TempDir private Path folder;

  private TestCertificates authority;
  private SSLContext known;
  private Vertx vertx;
  private HttpServer server;

  @BeforeEach
  void start() throws Exception {
    authority = new TestCertificates(folder, "ca");
    known = TestCertificates.context(authority.of("billing"));
    var own = authority.of("server");
    var settings =
        Map.of(
            "http.tls-certificate-file", own.certificate().toString(),
            "http.tls-key-file", own.key().toString(),
            "http.tls-client-ca-file", authority.file().toString());
    var config = NodeConfig.from(new Settings(null, Map.of(), settings));
    var connectionGuards =
        new ConnectionGuards(
            config, HttpWiring.connections(config), HttpWiring.protocol(config.http()));
    var guard = PeerGuard.withoutSecret(PeerGuard.Limits.DEFAULT, _ -> {});
    vertx =
        Vertx.builder()
            .with(new VertxOptions().setEventLoopPoolSize(1))
            .withTransport(connectionGuards.transport(new BusAuthentication(guard)))
            .build();
    server =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .requestHandler(request ->
                request
                    .response()
                    .end(
                        new JsonObject()
                            .put("https", request.isSSL())
                            .put("scheme", request.scheme())
                            .put("client", client(request.connection().sslSession()))
                            .encode()))
            .listen()
            .await(10, TimeUnit.SECONDS);
  }

  private static String client(SSLSession session) {
    try {
      return session.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return "";
    }
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private int port() {
    return server.actualPort();
  }

  @Test
  void clients_speak_http_1_and_2_and_show_their_certificate() throws Exception {
    for (var version : HttpClient.Version.values()) {
      try (var client = HttpClient.newBuilder().version(version).sslContext(known).build()) {
        var request =
            HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port() + "/")).build();
        var answer = client.send(request, BodyHandlers.ofString());

        assertThat(answer.version()).isEqualTo(version);
        assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
        var seen = new JsonObject(answer.body());
        assertThat(seen.getBoolean("https")).isTrue();
        assertThat(seen.getString("scheme")).isEqualTo("https");
        assertThat(seen.getString("client")).isEqualTo("CN=billing");
      }
    }
  }

  @Test
  void a_client_of_another_authority_is_refused_and_one_without_a_certificate_is_not()
      throws Exception {
    var other = new TestCertificates(Files.createDirectory(folder.resolve("other")), "ca");
    var foreign = TestCertificates.context(TestCertificates.taking(other.of("foreign"), authority));
    try (var socket = socket(foreign, "TLSv1.2")) {
      assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
    }
    var nobody = ClientTls.trusting(authority.file());
    try (var socket = socket(nobody, "TLSv1.2")) {
      socket.startHandshake();
      socket.getOutputStream().write("GET / HTTP/1.0\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .contains("\"client\":\"\"");
    }
    try (var socket = socket(SSLContext.getDefault(), "TLSv1.3")) {
      assertThatThrownBy(socket::startHandshake)
          .as("the client does not know who has signed the certificate of the server")
          .isInstanceOf(SSLException.class);
    }
  }

  private SSLSocket socket(SSLContext context, String protocol) throws IOException {
    var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port());
    socket.setEnabledProtocols(new String[] {protocol});
    socket.setSoTimeout(10_000);
    return socket;
  }

  @Test
  void plain_http_is_refused_in_its_own_words_and_other_bytes_are_not_answered()
      throws IOException {
    var told = new String(said("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII)), US_ASCII);
    assertThat(told).startsWith("HTTP/1.1 403 ").contains("\"HTTPS_REQUIRED\"");
    var head = new String(said("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII)), US_ASCII);
    assertThat(head).startsWith("HTTP/1.1 403 ").endsWith("\r\n\r\n");
    assertThat(said(new byte[] {0, 1, 2, 3})).isEmpty();
  }

  @Test
  void old_versions_and_suites_without_forward_secrecy_are_refused() throws IOException {
    int ecdheAes = 0xc02b;
    int rsaAes = 0x009c;
    assertThat(said(hello(0x0301, ecdheAes))).startsWith(ALERT).endsWith(FATAL, PROTOCOL_VERSION);
    assertThat(said(hello(0x0302, ecdheAes))).startsWith(ALERT).endsWith(FATAL, PROTOCOL_VERSION);
    assertThat(said(hello(0x0303, rsaAes))).startsWith(ALERT).endsWith(FATAL, HANDSHAKE_FAILURE);
    try (var socket = socket(known, "TLSv1.2")) {
      socket.startHandshake();
      assertThat(socket.getSession().getCipherSuite()).startsWith("TLS_ECDHE_ECDSA_");
      assertThatThrownBy(
              () -> {
                socket.startHandshake();
                socket.getInputStream().read();
              })
          .as("a second handshake on the same connection")
          .isInstanceOf(IOException.class);
    }
  }

  /** Of a client that speaks no newer version, with the extensions that its suite needs. */
  private static byte[] hello(int version, int suite) {
    byte[] extensions = {
      0,
      10,
      0,
      4,
      0,
      2,
      0,
      23, // supported groups: secp256r1
      0,
      13,
      0,
      6,
      0,
      4,
      4,
      3,
      4,
      1 // signatures: ECDSA and RSA with SHA-256
    };
    var body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {(byte) (version >> 8), (byte) version});
    body.writeBytes(new byte[32]);
    body.writeBytes(new byte[] {0, 0, 2, (byte) (suite >> 8), (byte) suite, 1, 0});
    body.writeBytes(new byte[] {0, (byte) extensions.length});
    body.writeBytes(extensions);
    var message = new ByteArrayOutputStream();
    message.writeBytes(new byte[] {22, 3, 1, 0, (byte) (body.size() + 4)});
    message.writeBytes(new byte[] {1, 0, 0, (byte) body.size()});
    message.writeBytes(body.toByteArray());
    return message.toByteArray();
  }

  /** All that is answered until the other end hangs up. */
  private byte[] said(byte[] bytes) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(bytes);
      return socket.getInputStream().readAllBytes();
    }
  }
}
