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
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import skein.peers.Handshake.End;
import skein.peers.Handshake.Outcome;

/**
 * One connection of Hazelcast's port until it is one of a member. What comes in and what goes out
 * are each read and written by a thread of their own.
 */
final class MemberAuthentication {
  private static final byte[] MEMBER = Protocols.CLUSTER.getBytes(StandardCharsets.US_ASCII);

  private final PeerGuard guard;
  private final Channel channel;
  private final MemberEncoder encoder;
  private final MemberDecoder decoder;
  private final @Nullable MemberTls tls;
  private final Queue<byte[]> toSend = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Runnable proved;
  private volatile boolean open;
  private volatile boolean closing;

  /** And this one does not. */
  private volatile boolean spokeTls;

  private MemberAuthentication(PeerGuard guard, Channel channel, ServerContext context) {
    this.guard = guard;
    this.channel = channel;
    this.tls = guard.hasTls() ? new MemberTls(guard, channel, this::close) : null;
    this.encoder = new MemberEncoder(context);
    this.decoder = new MemberDecoder(context, encoder, this::isMember, this::isNoMember);
  }

  /** Puts the handlers of a new connection in place. */
  static void guard(PeerGuard guard, Channel channel, ServerContext context) throws SSLException {
    new MemberAuthentication(guard, channel, context).begin();
  }

  private void begin() throws SSLException {
    if (guard.hasSecret() || tls != null || !channel.isClientMode()) {
      proved = guard.await(PortKind.MEMBER, () -> close("It has not proved itself in time"));
      channel.addCloseListener(closed -> opened());
    }
    if (tls != null) {
      channel.inboundPipeline().addLast(tls.decoder());
    }
    if (guard.hasSecret()) {
      var handshake = guard.handshake(PortKind.MEMBER, end(), tls == null ? null : tls::binding);
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
    if (tls != null) {
      channel.outboundPipeline().addLast(tls.encoder());
      tls.begin();
    }
  }

  private End end() {
    return channel.isClientMode() ? End.CONNECTING : End.ACCEPTING;
  }

  /** It has begun as members do. */
  private void isMember() {
    opened();
    if (tls != null) {
      guard.proved();
    }
  }

  /** The other end has authenticated. */
  private void opened() {
    var waiting = proved;
    if (waiting != null) {
      waiting.run();
    }
  }

  /** It has begun in another way than members do. */
  private void isNoMember(byte[] begin) {
    boolean asksForSecret = Arrays.equals(begin, 0, begin.length, Handshake.MARK, 0, begin.length);
    if (asksForSecret && !guard.hasSecret()) {
      guard.thisHasNone(PortKind.MEMBER, peer());
    } else if (tls == null && TlsPipe.isTls(begin[0], begin[1])) {
      speaksTls();
    } else {
      guard.refused(PortKind.MEMBER, peer(), Outcome.STRANGER);
    }
    close("It is not a member");
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
    if (tls != null || spokeTls) {
      letGo();
    }
  }

  /**
   * Else the other end learns of it when the thread that writes looks again, after five seconds: by
   * then a member that came with TLS has taken itself for the only one.
   */
  private void letGo() {
    channel.outboundPipeline().wakeup();
    channel.inboundPipeline().wakeup();
  }

  private void speaksTls() {
    spokeTls = true;
    guard.speaksTls(PortKind.MEMBER, peer(), end());
  }

  /** Takes the other end's part of the handshake. */
  private final class Listener extends InboundHandler<ByteBuffer, Void> {
    private final Handshake handshake;
    private boolean refused;

    Listener(Handshake handshake) {
      this.handshake = handshake;
    }

    @Override
    public void handlerAdded() {
      initSrcBuffer(Handshake.BYTES_MAX);
    }

    @Override
    public HandlerStatus onRead() {
      if (refused) {
        src.clear();
        return HandlerStatus.CLEAN;
      }
      src.flip();
      boolean isMember = beginsAsMember();
      boolean isTls = beginsAsTls();
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
        refuse(isMember, isTls, answer.length > 0);
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

    private boolean beginsAsTls() {
      return tls == null
          && !handshake.isGreeted()
          && src.hasRemaining()
          && TlsPipe.isTls(src.get(0));
    }

    private void refuse(boolean isMember, boolean isTls, boolean answered) {
      refused = true;
      boolean tell = answered;
      if (isMember) {
        guard.peerHasNone(PortKind.MEMBER, peer());
        toSend.add(handshake.greeting());
        tell = true;
      } else if (isTls) {
        speaksTls();
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
          && (tls == null || tls.isOpen())
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
          var unused =
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
