package skein.peers;

import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.ChannelOption;
import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import com.hazelcast.internal.networking.OutboundHandler;
import com.hazelcast.internal.nio.IOUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import skein.peers.Handshake.End;

/**
 * TLS of one connection of Hazelcast's port: the first to get what comes, and the last to get what
 * is sent. Buffers are small until the other end has shown its certificate.
 *
 * <p>Hazelcast gives no notice before it closes a connection, so no {@code close_notify} is sent
 * then. A truncated packet is never taken as complete: packets have lengths.
 */
final class MemberTls implements TlsPipe.Ends {
  private static final int SMALL_BYTES = 2 * TlsPipe.RECORD_BYTES;

  private final PeerGuard guard;
  private final Channel channel;
  private final Consumer<String> close;
  private final End end;
  private final TlsPipe pipe;

  /** Whether data has arrived: then the other end has accepted the certificate of this one. */
  private boolean taken;

  private boolean failed;
  private boolean heard;

  /** {@code close}: the connection, with a reason. */
  MemberTls(PeerGuard guard, Channel channel, Consumer<String> close) {
    this.guard = guard;
    this.channel = channel;
    this.close = close;
    this.end = channel.isClientMode() ? End.CONNECTING : End.ACCEPTING;
    this.pipe = new TlsPipe(guard.tlsEngine(end), guard.tlsTasks(), this);
  }

  InboundHandler<ByteBuffer, ByteBuffer> decoder() {
    return new Decoder(SMALL_BYTES);
  }

  OutboundHandler<ByteBuffer, ByteBuffer> encoder() {
    return new Encoder(SMALL_BYTES);
  }

  /** When the handlers are in place, and before anything is read. */
  void begin() throws SSLException {
    pipe.begin();
  }

  /** Binds a proof to this connection: it cannot be passed on to another one. */
  byte[] binding() {
    return pipe.binding();
  }

  /** Whether both ends speak TLS, and nothing was wrong with it. */
  boolean isOpen() {
    return pipe.isOpen() && !failed;
  }

  @Override
  public void wakeReader() {
    channel.inboundPipeline().wakeup();
  }

  @Override
  public void wakeWriter() {
    channel.outboundPipeline().wakeup();
  }

  @Override
  public boolean spokeNoTls(byte first) {
    failed = true;
    boolean isNode = guard.spokeNoTls(PortKind.MEMBER, channel.remoteSocketAddress(), end, first);
    if (end == End.CONNECTING || !isNode) {
      close.accept("It does not use TLS");
      return false;
    }
    return true;
  }

  /**
   * A peer that is notified closes the connection, or is closed when it does not authenticate in
   * time.
   */
  @Override
  public void failed(SSLException failure, boolean answered) {
    failed = true;
    guard.tlsFailed(PortKind.MEMBER, channel.remoteSocketAddress(), end, failure);
    if (!answered) {
      close.accept("TLS failed");
    }
  }

  @Override
  public void closed() {
    close.accept("The other end has closed it");
  }

  private final class Decoder extends InboundHandler<ByteBuffer, ByteBuffer> {
    private final int bytes;

    Decoder(int bytes) {
      this.bytes = bytes;
    }

    @Override
    public void handlerAdded() {
      initSrcBuffer(bytes);
    }

    @Override
    public HandlerStatus onRead() throws SSLException {
      heard |= src.position() > 0;
      int before = dst.position();
      src.flip();
      try {
        var status = pipe.read(src, dst);
        taken |= dst.position() > before;
        return grown(status);
      } catch (SSLException e) {
        if (taken) {
          throw e;
        }
        src.position(src.limit());
        failed(e, false); // only now does it say that it takes no such certificate
        return HandlerStatus.CLEAN;
      } finally {
        IOUtil.compactOrClear(src);
      }
    }

    private HandlerStatus grown(HandlerStatus status) {
      if (taken && bytes == SMALL_BYTES && !src.hasRemaining() && status == HandlerStatus.CLEAN) {
        int size = channel.options().getOption(ChannelOption.SO_RCVBUF);
        channel.inboundPipeline().replace(this, new Decoder(size + TlsPipe.RECORD_BYTES));
      }
      return status;
    }

    @Override
    public void interceptError(Throwable error) {
      if (error instanceof IOException && end == End.CONNECTING && !heard && !channel.isClosed()) {
        guard.hungUpOnTls(PortKind.MEMBER, channel.remoteSocketAddress());
      }
    }
  }

  private final class Encoder extends OutboundHandler<ByteBuffer, ByteBuffer> {
    private final int bytes;

    Encoder(int bytes) {
      this.bytes = bytes;
    }

    @Override
    public void handlerAdded() {
      initDstBuffer(bytes);
    }

    @Override
    public HandlerStatus onWrite() throws SSLException {
      IOUtil.compactOrClear(dst);
      try {
        if (bytes == SMALL_BYTES && dst.position() == 0 && isProved()) {
          int size = channel.options().getOption(ChannelOption.SO_SNDBUF);
          channel.outboundPipeline().replace(this, new Encoder(size + 2 * TlsPipe.RECORD_BYTES));
          return HandlerStatus.CLEAN;
        }
        return pipe.write(src, dst);
      } finally {
        dst.flip();
      }
    }

    /** Packets of Hazelcast are longer than any proof. */
    private boolean isProved() {
      return pipe.isOpen() && src.capacity() > TlsPipe.RECORD_BYTES;
    }
  }
}
