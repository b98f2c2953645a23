package skein.peers;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.nio.Protocols;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.UnifiedProtocolDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Reads the protocol with which a connection to Hazelcast's port begins, and accepts that of
 * members alone: there are no clients, and no management, REST, memcache or console.
 */
final class MemberDecoder extends UnifiedProtocolDecoder {
  private static final byte[] MEMBER = Protocols.CLUSTER.getBytes(StandardCharsets.US_ASCII);

  private final Runnable isMember;
  private final Consumer<byte[]> isNoMember;
  private boolean refused;

  /**
   * @param isMember called each time that it begins as members do
   * @param isNoMember called once with its first bytes otherwise
   */
  MemberDecoder(
      ServerContext context,
      MemberEncoder encoder,
      Runnable isMember,
      Consumer<byte[]> isNoMember) {
    super(context, encoder);
    this.isMember = isMember;
    this.isNoMember = isNoMember;
  }

  @Override
  public HandlerStatus onRead() throws Exception {
    if (src.position() < MEMBER.length) {
      return HandlerStatus.CLEAN;
    }
    var begin = new byte[MEMBER.length];
    src.get(0, begin);
    if (Arrays.equals(begin, MEMBER)) {
      isMember.run();
      return super.onRead();
    }
    if (!refused) {
      refused = true;
      isNoMember.accept(begin);
    }
    src.clear();
    return HandlerStatus.CLEAN;
  }
}
