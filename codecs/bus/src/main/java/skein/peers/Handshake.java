package skein.peers;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection until both ends have proved that they know the secret. Knows no sockets;
 * not thread-safe.
 *
 * <p>The end that has connected greets: a mark, a number that is used once, and an id of its
 * process. The other one greets too, the first proves itself, and the other one answers with its
 * own proof, or with a refusal. An accepting end proves nothing before the connecting end has. A
 * proof is an HMAC over which end it is of, the kind of port, the name of the cluster, and both
 * greetings: none fits another connection, the other direction or the other port. Within TLS it
 * also covers a value that only the two ends of that connection know: an attacker in between cannot
 * pass it on.
 */
final class Handshake {
  /**
   * The first bytes of every connection with a secret. No message and no member begins like this.
   */
  static final byte[] MARK = "SKEINHI1".getBytes(StandardCharsets.US_ASCII);

  static final int NONCE_BYTES = 32;
  static final int ID_BYTES = 16;
  static final int GREETING_BYTES = MARK.length + NONCE_BYTES + ID_BYTES;
  static final int ANSWER_BYTES = 33;

  /** More is never sent before the end of a handshake. */
  static final int BYTES_MAX = GREETING_BYTES + ANSWER_BYTES;

  static final byte PROOF = 1;
  static final byte REFUSED = 2;
  private static final String LABEL = "skein peers 1";
  private static final byte[] NOTHING = {};
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Which end this is. */
  enum End {
    CONNECTING((byte) 0),
    ACCEPTING((byte) 1);

    private final byte code;

    End(byte code) {
      this.code = code;
    }
  }

  /** The state of the authentication of the other end. */
  enum Outcome {
    /** Nothing yet. */
    OPEN,
    PROVED,
    /** What it sent is not a handshake. */
    STRANGER,
    /** It does not know the secret. */
    DIFFERS,
    /** It says that this end does not know the secret. */
    REFUSED,
    /** It is this very process. */
    SELF
  }

  /**
   * What a cluster and a process are known by.
   *
   * @param processId sent to the other end, so that no process takes its own proof for another's
   */
  record Identity(ClusterSecret secret, String cluster, UUID processId) {
    static Identity of(ClusterSecret secret, String cluster) {
      return new Identity(secret, cluster, UUID.randomUUID());
    }
  }

  private final Identity identity;
  private final PortKind port;
  private final End end;
  private final Supplier<byte[]> channel;
  private final byte[] greeting;
  private byte @Nullable [] others;
  private Outcome outcome = Outcome.OPEN;
  private boolean replied;

  /** For a connection without TLS. */
  Handshake(Identity identity, PortKind port, End end) {
    this(identity, port, end, () -> NOTHING);
  }

  /** {@code channel}: what is the same at both ends of this connection alone. */
  Handshake(Identity identity, PortKind port, End end, Supplier<byte[]> channel) {
    this.identity = identity;
    this.port = port;
    this.end = end;
    this.channel = channel;
    this.greeting =
        ByteBuffer.allocate(GREETING_BYTES)
            .put(MARK)
            .put(random(NONCE_BYTES))
            .putLong(identity.processId.getMostSignificantBits())
            .putLong(identity.processId.getLeastSignificantBits())
            .array();
  }

  private static byte[] random(int bytes) {
    var random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }

  /** The bytes to send at once; empty: none, so that unknown clients learn nothing. */
  byte[] begin() {
    return end == End.CONNECTING ? greeting() : NOTHING;
  }

  /** The greeting, by which also a process without a secret learns that one is required. */
  byte[] greeting() {
    return greeting.clone();
  }

  Outcome outcome() {
    return outcome;
  }

  /** Whether the other end has greeted as one does that has a secret. */
  boolean isGreeted() {
    return others != null;
  }

  /** How long the piece is that comes next. */
  int wanted() {
    return others == null ? GREETING_BYTES : ANSWER_BYTES;
  }

  /**
   * Takes the next piece if it is complete, and leaves the rest. No end sends two before it has got
   * one.
   *
   * @return to be sent; empty: nothing
   */
  byte[] receive(ByteBuffer bytes) {
    if (outcome == Outcome.OPEN && others == null) {
      greet(bytes);
    }
    if (outcome != Outcome.OPEN || others == null) {
      return NOTHING;
    }
    if (!replied) {
      replied = true;
      return end == End.CONNECTING ? proof() : greeting();
    }
    return bytes.remaining() < ANSWER_BYTES ? NOTHING : answered(take(bytes, ANSWER_BYTES));
  }

  private void greet(ByteBuffer bytes) {
    int known = Math.min(bytes.remaining(), MARK.length);
    var begin = new byte[known];
    bytes.get(bytes.position(), begin);
    if (!Arrays.equals(begin, 0, known, MARK, 0, known)) {
      outcome = Outcome.STRANGER;
      return;
    }
    if (bytes.remaining() < GREETING_BYTES) {
      return;
    }
    var greeted = take(bytes, GREETING_BYTES);
    others = greeted;
    var id = ByteBuffer.wrap(greeted, GREETING_BYTES - ID_BYTES, ID_BYTES);
    if (new UUID(id.getLong(), id.getLong()).equals(identity.processId)) {
      outcome = Outcome.SELF;
    }
  }

  private byte[] answered(byte[] answer) {
    var proof = Arrays.copyOfRange(answer, 1, ANSWER_BYTES);
    if (answer[0] == PROOF && identity.secret.isProved(statement(other()), proof)) {
      outcome = Outcome.PROVED;
      return end == End.ACCEPTING ? proof() : NOTHING;
    }
    if (answer[0] == REFUSED && end == End.CONNECTING) {
      outcome = Outcome.REFUSED;
      return NOTHING;
    }
    outcome = answer[0] == PROOF ? Outcome.DIFFERS : Outcome.STRANGER;
    return end == End.ACCEPTING ? refusal() : NOTHING;
  }

  private End other() {
    return end == End.CONNECTING ? End.ACCEPTING : End.CONNECTING;
  }

  private byte[] proof() {
    return ByteBuffer.allocate(ANSWER_BYTES)
        .put(PROOF)
        .put(identity.secret.prove(statement(end)))
        .array();
  }

  private static byte[] refusal() {
    return ByteBuffer.allocate(ANSWER_BYTES).put(REFUSED).array();
  }

  /** The bytes that {@code prover} proves; the same at both ends. */
  private byte[] statement(End prover) {
    var theirs = others;
    if (theirs == null) {
      throw new IllegalStateException("There was no greeting");
    }
    var label = LABEL.getBytes(StandardCharsets.UTF_8);
    var name = identity.cluster.getBytes(StandardCharsets.UTF_8);
    var connecting = end == End.CONNECTING ? greeting : theirs;
    var accepting = end == End.CONNECTING ? theirs : greeting;
    var binding = channel.get();
    int bytes = label.length + 2 + Integer.BYTES + name.length + 2 * GREETING_BYTES;
    return ByteBuffer.allocate(bytes + binding.length)
        .put(label)
        .put(prover.code)
        .put(port.code())
        .putInt(name.length)
        .put(name)
        .put(connecting)
        .put(accepting)
        .put(binding)
        .array();
  }

  private static byte[] take(ByteBuffer bytes, int count) {
    var taken = new byte[count];
    bytes.get(taken);
    return taken;
  }
}
