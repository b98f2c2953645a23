package skein.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.impl.CodecManager;
import io.vertx.core.eventbus.impl.clustered.ClusteredMessage;
import io.vertx.core.json.JsonObject;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Bytes as another node or service might send them to a port between nodes, and what is left of
 * them when another program has changed them.
 *
 * @param secret of the cluster
 * @param cluster its full name
 */
record FuzzPeer(String secret, String cluster) {
  /** Which port, and its number in a proof. */
  enum Port {
    MEMBER((byte) 0),
    BUS((byte) 1);

    private final byte code;

    Port(byte code) {
      this.code = code;
    }
  }

  private static final int GREETING_BYTES = 56;
  private static final int PROOF_BYTES = 33;
  private static final byte[] MARK = "SKEINHI1".getBytes(StandardCharsets.US_ASCII);

  /** What Java's serialization begins with: a set. */
  private static final byte[] JAVA = HexFormat.of().parseHex("aced0005737200116a6176612e7574696c");

  private static final List<String> ADDRESSES =
      List.of(
          "skein.start",
          "skein.resume",
          "skein.event",
          "skein.task",
          "skein.cancel",
          "skein.query",
          "skein.journal",
          "skein.tasks",
          "skein.scheduler",
          "skein.timers.0.1",
          "__vertx.subs",
          "nobody",
          "");
  private static final int[] NUMBERS = {
    0, 1, -1, 2, 255, 65_536, 1 << 20, 1 << 24, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE
  };

  /** What the end that connects says first. */
  byte[] greeting(Random random) {
    var rest = new byte[GREETING_BYTES - MARK.length];
    random.nextBytes(rest);
    return ByteBuffer.allocate(GREETING_BYTES).put(MARK).put(rest).array();
  }

  /** Proves that it knows the secret, and returns when the other end has too. */
  void prove(Socket socket, Port port, Random random) throws IOException {
    var mine = greeting(random);
    socket.getOutputStream().write(mine);
    var theirs = read(socket, GREETING_BYTES);
    socket.getOutputStream().write(proof(port, mine, theirs));
    var answer = read(socket, PROOF_BYTES);
    if (answer[0] != 1) {
      throw new IOException("Not let in: " + answer[0]);
    }
  }

  /** Of the end that connects. */
  byte[] proof(Port port, byte[] mine, byte[] theirs) {
    var label = "skein peers 1".getBytes(StandardCharsets.UTF_8);
    var name = cluster.getBytes(StandardCharsets.UTF_8);
    var statement =
        ByteBuffer.allocate(label.length + 6 + name.length + 2 * GREETING_BYTES)
            .put(label)
            .put((byte) 0)
            .put(port.code)
            .putInt(name.length)
            .put(name)
            .put(mine)
            .put(theirs)
            .array();
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
      return ByteBuffer.allocate(PROOF_BYTES).put((byte) 1).put(mac.doFinal(statement)).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] read(Socket socket, int count) throws IOException {
    var bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("Closed after " + bytes.length + " of " + count + " bytes");
    }
    return bytes;
  }

  /**
   * A packet between members with an object that no member knows, or that Java serialized. Of those
   * that members do know Hazelcast makes whatever they ask for.
   */
  static byte[] packet(Random random) {
    var content = Unpooled.buffer();
    content.writeInt(random.nextInt()); // hash of its partition
    switch (random.nextInt(3)) {
      case 0 -> content.writeInt(1 + random.nextInt(1_000)); // a serializer that is not there
      case 1 -> content.writeInt(-100).writeBytes(JAVA);
      default -> content.writeInt(-2).writeByte(1).writeInt(-1_000).writeInt(random.nextInt(160));
    }
    for (int i = random.nextInt(12); i > 0; i--) {
      nonsense(content, random);
    }
    int length = content.readableBytes();
    var packet = Unpooled.buffer();
    packet.writeByte(random.nextInt(50) > 0 ? 4 : random.nextInt(256));
    packet.writeShort(random.nextInt(3) > 0 ? 1 | (1 << 6) : random.nextInt(256));
    packet.writeInt(random.nextInt(3) > 0 ? -1 : random.nextInt(271));
    packet.writeInt(random.nextInt(20) > 0 ? length : number(random));
    packet.writeBytes(content);
    return bytes(packet);
  }

  private static void nonsense(ByteBuf to, Random random) {
    switch (random.nextInt(6)) {
      case 0 -> to.writeInt(number(random));
      case 1 -> to.writeLong(random.nextLong());
      case 2 -> to.writeByte(random.nextInt(256));
      case 3 -> {
        var text = "skein.node".getBytes(StandardCharsets.US_ASCII);
        to.writeInt(text.length).writeBytes(text);
      }
      case 4 -> to.writeShort(random.nextInt());
      default -> {
        var noise = new byte[random.nextInt(200)];
        random.nextBytes(noise);
        to.writeBytes(noise);
      }
    }
  }

  private static int number(Random random) {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  /** A message of the bus, whole. */
  static byte[] message(Random random) {
    var body =
        new JsonObject()
            .put("v", random.nextInt(3))
            .put("definitionId", "fuzz-" + random.nextInt(5))
            .put("instanceId", "fuzz-" + random.nextInt(5))
            .put("name", "x".repeat(random.nextInt(30) == 0 ? 500_000 : 5))
            .put("input", random.nextBoolean() ? new JsonObject().put("a", number(random)) : "no");
    var headers =
        MultiMap.caseInsensitiveMultiMap().add("idempotency-key", "k" + random.nextInt(9));
    var message =
        new ClusteredMessage<>(
            "sender-" + random.nextInt(5),
            ADDRESSES.get(random.nextInt(ADDRESSES.size())),
            headers,
            body,
            CodecManager.JSON_OBJECT_MESSAGE_CODEC,
            random.nextBoolean(),
            null);
    message.setReplyAddress("__vertx.reply." + random.nextInt(5));
    return message.encodeToWire().getBytes();
  }

  /** The same with some bytes or numbers changed, cut off or doubled. */
  static byte[] changed(byte[] valid, Random random) {
    var bytes = valid.clone();
    switch (random.nextInt(6)) {
      case 0 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      case 1 -> ByteBuffer.wrap(bytes).putInt(random.nextInt(bytes.length - 3), number(random));
      case 2 -> {
        int at = random.nextInt(bytes.length);
        var twice = Arrays.copyOf(bytes, bytes.length + at);
        System.arraycopy(bytes, 0, twice, bytes.length, at);
        return twice;
      }
      case 3 -> {
        return bytes;
      }
      default -> {
        for (int i = random.nextInt(8); i >= 0; i--) {
          bytes[random.nextInt(Math.min(bytes.length, 100))] = (byte) random.nextInt(256);
        }
      }
    }
    return bytes;
  }

  private static byte[] bytes(ByteBuf buffer) {
    var bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    return bytes;
  }
}
