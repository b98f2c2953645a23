package skein.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.networking.HandlerStatus;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.peers.Handshake.End;

/** Two ends, and bytes that go between them as the test says. */
@Tag("long")
class TlsPipeTest {
  private static final String MARKER = "a-known-input-4711";
  private static final int WIRE_BYTES = 2 * TlsPipe.RECORD_BYTES;

  @TempDir private Path folder;

  private TestCertificates authority;

  @BeforeEach
  void make() {
    authority = new TestCertificates(folder, "ca");
  }

  /** One end of a connection. */
  private static final class Peer implements TlsPipe.Ends {
    private final SSLEngine engine;
    private final TlsPipe pipe;
    private final ByteBuffer in = ByteBuffer.allocate(WIRE_BYTES);
    private final ByteBuffer out = ByteBuffer.allocate(WIRE_BYTES);
    private final ByteBuffer to;
    private final ByteArrayOutputStream got = new ByteArrayOutputStream();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private ByteBuffer toSend = ByteBuffer.allocate(0);
    private int readerWoken;
    private boolean writerWoken;
    private boolean closed;
    private @Nullable SSLException failure;
    private int noTls = -1;

    Peer(ClusterTls.Files files, End end, int room, Executor tasks) throws SSLException {
      this(ClusterTls.read(files, _ -> {}).engine(end), room, tasks);
    }

    Peer(SSLEngine engine, int room, Executor tasks) throws SSLException {
      this.engine = engine;
      to = ByteBuffer.allocate(room);
      pipe = new TlsPipe(engine, tasks, this);
      pipe.begin();
    }

    void send(byte[] bytes) {
      toSend = ByteBuffer.wrap(bytes);
    }

    /** Writes and passes on {@code max} bytes at most; how many it were. */
    int pass(Peer other, int max) throws SSLException {
      pipe.write(toSend, out);
      out.flip();
      int count = Math.min(Math.min(max, out.remaining()), other.in.remaining());
      var bytes = new byte[count];
      out.get(bytes);
      out.compact();
      sent.writeBytes(bytes);
      other.in.put(bytes);
      return count + other.take();
    }

    void receive(byte[] bytes) throws SSLException {
      in.put(bytes);
      take();
    }

    /** As Hazelcast does it: once more while it is dirty. */
    private int take() throws SSLException {
      int taken = 0;
      HandlerStatus status;
      do {
        in.flip();
        status = pipe.read(in, to);
        in.compact();
        to.flip();
        taken += to.remaining();
        got.write(to.array(), 0, to.remaining());
        to.clear();
      } while (status == HandlerStatus.DIRTY);
      return taken;
    }

    @Override
    public void wakeReader() {
      readerWoken++;
    }

    @Override
    public void wakeWriter() {
      writerWoken = true;
    }

    @Override
    public boolean spokeNoTls(byte first) {
      noTls = first;
      return first != 'G';
    }

    @Override
    public void failed(SSLException why, boolean answered) {
      failure = why;
    }

    @Override
    public void closed() {
      closed = true;
    }
  }

  private static Peer connecting(ClusterTls.Files files) throws SSLException {
    return new Peer(files, End.CONNECTING, 131_072, Runnable::run);
  }

  private static Peer accepting(ClusterTls.Files files) throws SSLException {
    return new Peer(files, End.ACCEPTING, 131_072, Runnable::run);
  }

  private static void talk(Peer one, Peer other, int piece) throws SSLException {
    while (one.pass(other, piece) + other.pass(one, piece) > 0) {
      // until neither end has anything to send
    }
  }

  private static byte[] random(int count) {
    var bytes = new byte[count];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  @Test
  void what_is_said_comes_whole_however_it_is_cut() throws Exception {
    for (int piece : new int[] {1, 7, 1_000, WIRE_BYTES}) {
      var connecting = connecting(authority.of("a"));
      var accepting = accepting(authority.of("b"));
      var up = random(50_000);
      var down = (MARKER + "x".repeat(30_000)).getBytes(StandardCharsets.US_ASCII);
      connecting.send(up);
      accepting.send(down);

      talk(connecting, accepting, piece);

      assertThat(accepting.got.toByteArray()).isEqualTo(up);
      assertThat(connecting.got.toByteArray()).isEqualTo(down);
      assertThat(accepting.sent.toString(StandardCharsets.ISO_8859_1)).doesNotContain(MARKER);
      assertThat(connecting.pipe.binding()).hasSize(32).isEqualTo(accepting.pipe.binding());
    }
  }

  @Test
  void megabytes_come_whole_in_both_directions_whatever_room_there_is() throws Exception {
    for (int room : new int[] {3, 89, 20_000, 131_072}) {
      var connecting = new Peer(authority.of("a"), End.CONNECTING, room, Runnable::run);
      var accepting = new Peer(authority.of("b"), End.ACCEPTING, room, Runnable::run);
      var up = random(room < 100 ? 200_000 : 12 << 20);
      var down = Arrays.copyOfRange(up, 1, up.length);
      connecting.send(up);
      accepting.send(down);

      talk(connecting, accepting, WIRE_BYTES);

      assertThat(Arrays.equals(accepting.got.toByteArray(), up)).isTrue();
      assertThat(Arrays.equals(connecting.got.toByteArray(), down)).isTrue();
    }
  }

  @Test
  void no_connection_has_the_binding_of_another() throws Exception {
    var bindings = new ArrayList<byte[]>();
    for (int i = 0; i < 2; i++) {
      var connecting = connecting(authority.of("a"));
      talk(connecting, accepting(authority.of("b")), WIRE_BYTES);
      bindings.add(connecting.pipe.binding());
    }
    assertThat(bindings.getFirst()).isNotEqualTo(bindings.getLast());
  }

  @Test
  void who_accepts_sends_nothing_after_its_part_of_the_handshake() throws Exception {
    var connecting = connecting(authority.of("a"));
    var accepting = accepting(authority.of("b"));
    connecting.pass(accepting, WIRE_BYTES);
    accepting.pass(connecting, WIRE_BYTES);
    assertThat(connecting.pipe.isOpen()).isTrue();
    int sent = accepting.sent.size();

    connecting.send(new byte[1]);
    talk(connecting, accepting, WIRE_BYTES);

    assertThat(accepting.pipe.isOpen()).isTrue();
    assertThat(accepting.got.size()).isOne();
    assertThat(accepting.sent.size()).as("no tickets").isEqualTo(sent);
  }

  @Test
  void all_of_what_has_come_is_passed_on_at_once_in_pieces_that_find_room() throws Exception {
    var connecting = connecting(authority.of("a"));
    var accepting = new Peer(authority.of("b"), End.ACCEPTING, 89, Runnable::run);
    talk(connecting, accepting, WIRE_BYTES);

    connecting.send(random(5_000));
    connecting.pass(accepting, WIRE_BYTES);

    assertThat(accepting.got.toByteArray()).isEqualTo(random(5_000));
  }

  @Test
  void new_keys_are_agreed_on_in_the_middle() throws Exception {
    var connecting = connecting(authority.of("a"));
    var accepting = accepting(authority.of("b"));
    talk(connecting, accepting, WIRE_BYTES);
    var bytes = random(100_000);
    int before = accepting.sent.size();

    connecting.engine.beginHandshake(); // of TLS 1.3: new keys
    connecting.send(bytes);
    talk(connecting, accepting, 1_000);
    int sent = accepting.sent.size();
    accepting.send(bytes);
    talk(connecting, accepting, 1_000);

    assertThat(accepting.got.toByteArray()).isEqualTo(bytes);
    assertThat(connecting.got.toByteArray()).isEqualTo(bytes);
    assertThat(sent).as("it has answered without data").isGreaterThan(before);
  }

  @Test
  void nothing_is_read_while_keys_are_worked_with_and_then_the_reader_is_woken() throws Exception {
    var tasks = new LinkedBlockingQueue<Runnable>();
    var connecting = connecting(authority.of("a"));
    var accepting = new Peer(authority.of("b"), End.ACCEPTING, 1_000, tasks::add);
    connecting.pass(accepting, WIRE_BYTES);
    assertThat(tasks).hasSize(1);

    accepting.in.flip();
    assertThat(accepting.pipe.read(accepting.in, accepting.to)).isEqualTo(HandlerStatus.BLOCKED);
    accepting.in.compact();
    assertThat(accepting.pipe.write(accepting.toSend, accepting.out))
        .isEqualTo(HandlerStatus.BLOCKED);
    assertThat(accepting.readerWoken).isZero();

    connecting.send(MARKER.getBytes(StandardCharsets.US_ASCII));
    while (!tasks.isEmpty()) {
      tasks.remove().run();
      accepting.take();
      talk(connecting, accepting, WIRE_BYTES);
    }
    assertThat(accepting.readerWoken).isPositive();
    assertThat(accepting.got.toString(StandardCharsets.US_ASCII)).isEqualTo(MARKER);
  }

  @Test
  void a_handshake_for_which_there_is_no_room_fails() throws Exception {
    var connecting = connecting(authority.of("a"));
    var accepting =
        new Peer(
            authority.of("b"),
            End.ACCEPTING,
            1_000,
            _ -> {
              throw new RejectedExecutionException();
            });

    talk(connecting, accepting, WIRE_BYTES);

    assertThat(accepting.failure).hasMessageContaining("Too many");
    assertThat(connecting.pipe.isOpen()).isFalse();
  }

  @Test
  void garbage_is_refused() throws Exception {
    for (int seed = 0; seed < 50; seed++) {
      var accepting = accepting(authority.of("b"));
      var bytes = new byte[20_000];
      new Random(seed).nextBytes(bytes);
      bytes[0] = 22;
      if (seed % 2 == 0) { // a record of the right form
        System.arraycopy(new byte[] {22, 3, 1, 1, 0, 1, 0, 0, (byte) 252, 3, 3}, 0, bytes, 0, 11);
      }

      accepting.receive(bytes);

      assertThat(accepting.failure).as("seed " + seed).isNotNull();
      assertThat(TlsFailure.of(accepting.failure).isOfCertificate()).isFalse();
      assertThat(accepting.pipe.isOpen()).isFalse();
      accepting.receive(new byte[5_000]);
      assertThat(accepting.got.size()).isZero();
    }
  }

  @Test
  void who_does_not_speak_tls_is_told_so() throws Exception {
    for (var said : List.of("HZC", "SKEINHI1", "GET /", "\0\0\0\5hello")) {
      var accepting = accepting(authority.of("b"));

      accepting.receive(said.getBytes(StandardCharsets.US_ASCII));
      var other = connecting(authority.of("a"));
      accepting.pass(other, WIRE_BYTES);

      assertThat(accepting.noTls).isEqualTo(said.charAt(0));
      boolean told = !said.startsWith("G");
      assertThat(accepting.writerWoken).isEqualTo(told);
      assertThat(accepting.sent.size()).isEqualTo(told ? 7 : 0);
    }
    var connecting = connecting(authority.of("a"));
    connecting.receive("HZC".getBytes(StandardCharsets.US_ASCII));
    assertThat(connecting.noTls).isEqualTo('H');
  }

  private static void assertRefused(Peer connecting, Peer accepting, Peer by) throws SSLException {
    connecting.send(new byte[100]);
    try {
      talk(connecting, accepting, WIRE_BYTES);
    } catch (SSLException e) {
      connecting.failure = e; // it has its certificate refused after it took the other's
    }
    assertThat(by.failure).isNotNull();
    var other = by == accepting ? connecting : accepting;
    assertThat(other.failure).isNotNull();
    assertThat(TlsFailure.of(by.failure).isOfCertificate()).isTrue();
    assertThat(TlsFailure.of(other.failure).text()).contains("the certificate of this one");
    assertThat(accepting.pipe.isOpen()).isFalse();
    assertThat(accepting.got.size()).isZero();
  }

  @Test
  void certificates_of_other_authorities_are_refused_by_both_ends() throws Exception {
    var other = new TestCertificates(folder, "other-ca");
    var strange = other.of("strange");
    var both = TestCertificates.taking(strange, other, authority);

    var connecting = connecting(strange);
    assertRefused(connecting, accepting(authority.of("b")), connecting);
    var accepting = accepting(authority.of("b"));
    assertRefused(connecting(both), accepting, accepting);
    connecting = connecting(authority.of("a"));
    assertRefused(connecting, accepting(both), connecting);
  }

  @Test
  void certificates_that_have_expired_are_refused() throws Exception {
    var end = Instant.now().plusMillis(1_500);
    var files = authority.of("short", end.minusSeconds(60), end);
    var connecting = connecting(files);
    var accepting = accepting(files);
    while (Instant.now().isBefore(end.plusSeconds(1))) {
      Thread.sleep(50);
    }

    var good = accepting(authority.of("b"));
    assertRefused(connecting, good, good);
    var alsoGood = connecting(authority.of("a"));
    assertRefused(alsoGood, accepting, alsoGood);
    assertThat(TlsFailure.of(Objects.requireNonNull(good.failure)).text()).contains("NotAfter");
  }

  @Test
  void who_shows_no_certificate_is_refused() throws Exception {
    var context = SSLContext.getInstance("TLS");
    var trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    try (var in = Files.newInputStream(authority.file())) {
      trust.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var managers = TrustManagerFactory.getInstance("PKIX");
    managers.init(trust);
    context.init(null, managers.getTrustManagers(), null);
    var nobody = context.createSSLEngine();
    nobody.setUseClientMode(true);
    var accepting = accepting(authority.of("b"));

    assertRefused(new Peer(nobody, 1_000, Runnable::run), accepting, accepting);
  }

  @Test
  void who_speaks_an_older_tls_is_refused() throws Exception {
    var accepting = accepting(authority.of("b"));
    var old = ClusterTls.read(authority.of("a"), _ -> {}).engine(End.CONNECTING);
    old.setEnabledProtocols(new String[] {"TLSv1.2"});
    talk(new Peer(old, 1_000, Runnable::run), accepting, WIRE_BYTES);
    assertThat(accepting.failure).isNotNull();
    assertThat(accepting.pipe.isOpen()).isFalse();
  }

  @Test
  void what_was_changed_on_the_way_ends_the_connection() throws Exception {
    var connecting = connecting(authority.of("a"));
    var accepting = accepting(authority.of("b"));
    talk(connecting, accepting, WIRE_BYTES);
    connecting.send(MARKER.getBytes(StandardCharsets.US_ASCII));
    connecting.pipe.write(connecting.toSend, connecting.out);
    connecting.out.flip();
    int last = connecting.out.limit() - 1;
    connecting.out.put(last, (byte) (connecting.out.get(last) ^ 1));
    var changed = new byte[connecting.out.remaining()];
    connecting.out.get(changed);

    assertThatThrownBy(() -> accepting.receive(changed)).isInstanceOf(SSLException.class);
    assertThat(accepting.got.size()).isZero();
  }

  @Test
  void an_orderly_end_is_told_and_nothing_is_read_after_it() throws Exception {
    var connecting = connecting(authority.of("a"));
    var accepting = accepting(authority.of("b"));
    talk(connecting, accepting, WIRE_BYTES);

    connecting.engine.closeOutbound();
    connecting.send(new byte[1]);
    talk(connecting, accepting, WIRE_BYTES);

    assertThat(accepting.closed).isTrue();
    assertThat(accepting.got.size()).isZero();
    accepting.receive(new byte[100]);
    assertThat(accepting.got.size()).isZero();
  }
}
