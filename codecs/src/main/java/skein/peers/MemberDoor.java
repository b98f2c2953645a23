package skein.peers;

import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.networking.OutboundHandler;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.nio.Protocols;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import skein.peers.Handshake.End;
import skein.peers.Handshake.Outcome;

/**
 * One connection of Hazelcast's port until it is one of a member. What comes in and what goes out
 * are each read and written by a thread of their own.
 */
final class MemberDoor {
  private static final byte[] MEMBER = Protocols.CLUSTER.getBytes(StandardCharsets.US_ASCII);

  private final PeerGuard guard;
  private final Channel channel;
  private final MemberEncoder encoder;
  private final MemberDecoder decoder;
  private final Queue<byte[]> toSend = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Runnable proved;
  private volatile boolean open;
  private volatile boolean closing;

  private MemberDoor(PeerGuard guard, Channel channel, ServerContext context) {
    this.guard = guard;
    this.channel = channel;
    this.encoder = new MemberEncoder(context);
    this.decoder = new MemberDecoder(context, encoder, this);
  }

  /** Puts the handlers of a new connection in place. */
  static void guard(PeerGuard guard, Channel channel, ServerContext context) {
    new MemberDoor(guard, channel, context).begin();
  }

  private void begin() {
    if (guard.hasSecret() || !channel.isClientMode()) {
      proved = guard.await(PortKind.MEMBER, () -> close("It has not proved itself in time"));
      channel.addCloseListener(_ -> opened());
    }
    if (guard.hasSecret()) {
      var handshake =
          guard.handshake(PortKind.MEMBER, channel.isClientMode() ? End.CONNECTING : End.ACCEPTING);
      var greeting = handshake.begin();
      if (greeting.length > 0) {
        toSend.add(greeting);
      }
      encoder.setChannel(channel); // the other thread may signal to it before it is in place
      channel.outboundPipeline().addLast(new Prover());
      channel.inboundPipeline().addLast(new Listener(handshake));
    } else {
      channel.outboundPipeline().addLast(encoder);
      channel.inboundPipeline().addLast(decoder);
    }
  }

  /** The other end is no stranger any more. */
  void opened() {
    var waiting = proved;
    if (waiting != null) {
      waiting.run();
    }
  }

  /** It has begun in another way than members do. */
  void isNoMember(boolean asksForSecret) {
    if (asksForSecret && !guard.hasSecret()) {
      guard.thisHasNone(PortKind.MEMBER, peer());
    } else {
      guard.refused(PortKind.MEMBER, peer(), Outcome.STRANGER);
    }
    close("It is no member");
  }

  private SocketAddress peer() {
    return channel.remoteSocketAddress();
  }

  private void close(String reason) {
    opened();
    var connection = (ServerConnection) channel.attributeMap().get(ServerConnection.class);
    if (connection == null) {
      IOUtil.closeResource(channel);
    } else {
      connection.close(reason, null);
    }
  }

  /** Takes the other end's part of the handshake. */
  private final class Listener extends InboundHandler<ByteBuffer, Void> {
    private final Handshake handshake;

    Listener(Handshake handshake) {
      this.handshake = handshake;
    }

    @Override
    public void handlerAdded() {
      initSrcBuffer(Handshake.BYTES_MAX);
    }

    @Override
    public HandlerStatus onRead() {
      src.flip();
      boolean isMember = beginsAsMember();
      var answer = handshake.receive(src);
      boolean more = src.hasRemaining() && handshake.outcome() != Outcome.OPEN;
      IOUtil.compactOrClear(src);
      if (answer.length > 0) {
        toSend.add(answer);
      }
      if (handshake.outcome() == Outcome.PROVED && !more) {
        open = true;
        opened();
        guard.proved();
        channel.outboundPipeline().wakeup();
        channel.inboundPipeline().replace(this, decoder);
      } else if (handshake.outcome() != Outcome.OPEN) {
        refuse(isMember, answer.length > 0);
      } else if (answer.length > 0) {
        channel.outboundPipeline().wakeup();
      }
      return HandlerStatus.CLEAN;
    }

    private boolean beginsAsMember() {
      var begin = new byte[Math.min(src.remaining(), MEMBER.length)];
      src.get(0, begin);
      return !handshake.isGreeted() && Arrays.equals(begin, MEMBER);
    }

    private void refuse(boolean isMember, boolean answered) {
      boolean tell = answered;
      if (isMember) {
        guard.peerHasNone(PortKind.MEMBER, peer());
        toSend.add(handshake.greeting());
        tell = true;
      } else {
        guard.refused(PortKind.MEMBER, peer(), handshake.outcome());
      }
      src.clear();
      if (tell) {
        closing = true;
        channel.outboundPipeline().wakeup();
      } else {
        close("It has not proved that it knows the secret of the cluster");
      }
    }

    /** A member without a secret hangs up on a greeting. */
    @Override
    public void interceptError(Throwable error) {
      if (channel.isClientMode()
          && !handshake.isGreeted()
          && handshake.outcome() == Outcome.OPEN
          && !channel.isClosed()) {
        guard.peerHasNone(PortKind.MEMBER, peer());
      }
    }
  }

  /** Sends this end's part of the handshake, then gives way to what members send. */
  private final class Prover extends OutboundHandler<Void, ByteBuffer> {
    @Override
    public void handlerAdded() {
      initDstBuffer(Handshake.BYTES_MAX);
    }

    @Override
    public HandlerStatus onWrite() {
      IOUtil.compactOrClear(dst);
      try {
        boolean isDone = open;
        boolean isRefused = closing;
        for (var next = toSend.peek();
            next != null && next.length <= dst.remaining();
            next = toSend.peek()) {
          dst.put(next);
          toSend.remove();
        }
        if (dst.position() > 0) {
          return HandlerStatus.DIRTY;
        }
        if (isRefused) {
          // on the thread that writes it would not take effect before something is read
          var _ =
              CompletableFuture.runAsync(() -> close("It does not know the secret of the cluster"));
        } else if (isDone) {
          channel.outboundPipeline().replace(this, encoder);
        }
        return HandlerStatus.BLOCKED;
      } finally {
        dst.flip();
      }
    }
  }
}
