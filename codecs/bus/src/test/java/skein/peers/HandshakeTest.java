package skein.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.peers.Handshake.End;
import skein.peers.Handshake.Identity;
import skein.peers.Handshake.Outcome;

class HandshakeTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  @TempDir private Path folder;

  private Identity process(String secret, String cluster) throws IOException {
    var file = Files.createTempFile(folder, "secret", "");
    Files.writeString(file, secret);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return Identity.of(ClusterSecret.read(file), cluster);
  }

  private Identity process() throws IOException {
    return process(SECRET, "skein");
  }

  /** One end, with all that it has sent. */
  private static final class Peer {
    private final Handshake handshake;
    private final List<byte[]> sent = new ArrayList<>();

    Peer(Identity identity, PortKind port, End end) {
      this(new Handshake(identity, port, end), end);
    }

    /** {@code channel}: what is known at the ends of one connection. */
    Peer(Identity identity, End end, byte[] channel) {
      this(new Handshake(identity, PortKind.MEMBER, end, () -> channel), end);
    }

    private Peer(Handshake handshake, End end) {
      this.handshake = handshake;
      if (end == End.CONNECTING) {
        sent.add(handshake.begin());
      }
    }

    static Peer connecting(Identity identity) {
      return new Peer(identity, PortKind.MEMBER, End.CONNECTING);
    }

    static Peer accepting(Identity identity) {
      return new Peer(identity, PortKind.MEMBER, End.ACCEPTING);
    }

    /** All at once. */
    void receive(byte[]... pieces) {
      var bytes = ByteBuffer.allocate(1_000);
      for (var piece : pieces) {
        bytes.put(piece);
      }
      var answer = handshake.receive(bytes.flip());
      if (answer.length > 0) {
        sent.add(answer);
      }
    }

    Outcome outcome() {
      return handshake.outcome();
    }
  }

  private static void talk(Peer connecting, Peer accepting) {
    accepting.receive(connecting.sent.getFirst());
    connecting.receive(accepting.sent.getFirst());
    if (connecting.sent.size() > 1) {
      accepting.receive(connecting.sent.get(1));
    }
    if (accepting.sent.size() > 1) {
      connecting.receive(accepting.sent.get(1));
    }
  }

  @Test
  void who_knows_the_secret_is_let_in_by_both_ends() throws IOException {
    var connecting = Peer.connecting(process());
    var accepting = Peer.accepting(process());

    talk(connecting, accepting);

    assertThat(connecting.outcome()).isEqualTo(Outcome.PROVED);
    assertThat(accepting.outcome()).isEqualTo(Outcome.PROVED);
    assertThat(connecting.sent).hasSize(2);
    assertThat(accepting.sent).hasSize(2);
  }

  @Test
  void bytes_may_come_one_by_one() throws IOException {
    var connecting = Peer.connecting(process());
    var accepting = Peer.accepting(process());
    var bytes = ByteBuffer.allocate(200);
    for (int piece = 0; piece < 2; piece++) {
      for (byte one : connecting.sent.get(piece)) {
        assertThat(accepting.outcome()).isEqualTo(Outcome.OPEN);
        var answer = accepting.handshake.receive(bytes.put(one).flip());
        bytes.compact();
        if (answer.length > 0) {
          connecting.receive(answer);
        }
      }
    }
    assertThat(accepting.outcome()).isEqualTo(Outcome.PROVED);
  }

  @Test
  void another_secret_is_refused_and_both_ends_know_it() throws IOException {
    var connecting = Peer.connecting(process("x".repeat(32), "skein"));
    var accepting = Peer.accepting(process());

    talk(connecting, accepting);

    assertThat(accepting.outcome()).isEqualTo(Outcome.DIFFERS);
    assertThat(connecting.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(accepting.sent.getLast()[0]).isEqualTo(Handshake.REFUSED);
  }

  @Test
  void nobody_proves_anything_to_who_connects_and_has_not() throws IOException {
    var accepting = Peer.accepting(process());
    var stranger = Peer.connecting(process("x".repeat(32), "skein"));

    accepting.receive(stranger.sent.getFirst());
    accepting.receive(new byte[Handshake.ANSWER_BYTES]);

    assertThat(accepting.outcome()).isEqualTo(Outcome.STRANGER);
    assertThat(accepting.sent).hasSize(2);
    assertThat(accepting.sent.getLast()).startsWith(Handshake.REFUSED);
  }

  @Test
  void a_proof_is_for_one_cluster_and_one_kind_of_port() throws IOException {
    var otherCluster = Peer.connecting(process(SECRET, "skein2"));
    var accepting = Peer.accepting(process());
    talk(otherCluster, accepting);
    assertThat(accepting.outcome()).isEqualTo(Outcome.DIFFERS);

    var otherPort = new Peer(process(), PortKind.BUS, End.CONNECTING);
    accepting = Peer.accepting(process());
    talk(otherPort, accepting);
    assertThat(accepting.outcome()).isEqualTo(Outcome.DIFFERS);
  }

  @Test
  void what_was_recorded_proves_nothing_later() throws IOException {
    var server = process();
    var recorded = Peer.connecting(process());
    talk(recorded, Peer.accepting(server));

    var again = Peer.accepting(server);
    again.receive(recorded.sent.get(0));
    again.receive(recorded.sent.get(1));

    assertThat(again.outcome()).isEqualTo(Outcome.DIFFERS);
  }

  @Test
  void a_proof_of_one_connection_proves_nothing_on_another_one() throws IOException {
    for (byte channel : new byte[] {1, 2}) {
      var connecting = new Peer(process(), End.CONNECTING, new byte[] {1});
      var accepting = new Peer(process(), End.ACCEPTING, new byte[] {channel});

      talk(connecting, accepting);

      var expected = channel == 1 ? Outcome.PROVED : Outcome.DIFFERS;
      assertThat(accepting.outcome()).isEqualTo(expected);
    }
  }

  @Test
  void a_proof_that_comes_back_to_its_end_is_none() throws IOException {
    var honest = Peer.connecting(process());
    var mirrored = Peer.accepting(process());
    mirrored.receive(honest.sent.getFirst());
    honest.receive(mirrored.sent.getFirst());

    honest.receive(honest.sent.get(1)); // its own proof instead of one of the other end

    assertThat(honest.outcome()).isEqualTo(Outcome.DIFFERS);
  }

  @Test
  void a_process_does_not_take_itself_for_another() throws IOException {
    var process = process();
    var connecting = Peer.connecting(process);
    var accepting = Peer.accepting(process);

    accepting.receive(connecting.sent.getFirst()); // a third party passes on its messages

    assertThat(accepting.outcome()).isEqualTo(Outcome.SELF);
    assertThat(accepting.sent).isEmpty();
  }

  @Test
  void a_greeting_that_is_sent_back_is_not_one_of_another() throws IOException {
    var connecting = Peer.connecting(process());

    connecting.receive(connecting.sent.getFirst());

    assertThat(connecting.outcome()).isEqualTo(Outcome.SELF);
  }

  @Test
  void other_protocols_are_known_for_strangers_by_their_first_byte() throws IOException {
    for (var text : List.of("HZC", "CP2", "GET /hazelcast", "TXT", "\u0016\u0003\u0001")) {
      for (var end : End.values()) {
        var peer = new Peer(process(), PortKind.MEMBER, end);
        peer.receive(text.substring(0, 1).getBytes(StandardCharsets.ISO_8859_1));
        assertThat(peer.outcome()).as(text).isEqualTo(Outcome.STRANGER);
        assertThat(peer.sent).hasSize(end == End.CONNECTING ? 1 : 0);
      }
    }
  }

  @Test
  void an_answer_that_is_none_is_refused() throws IOException {
    var honest = Peer.accepting(process());
    var connecting = Peer.connecting(process());
    honest.receive(connecting.sent.getFirst());
    connecting.receive(honest.sent.getFirst(), new byte[Handshake.ANSWER_BYTES]);

    connecting.receive(new byte[Handshake.ANSWER_BYTES]);

    assertThat(connecting.outcome()).isEqualTo(Outcome.STRANGER);
  }
}
