package skein.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import skein.peers.Handshake.End;

/**
 * TLS of one connection of the event bus. It is Netty's, and not the one that Vert.x would put into
 * place: that comes after all that looks at the first bytes, and so the secret would be proved
 * outside of TLS, to any attacker in between, and lengths would be looked for in cipher text. Here
 * it is the first, as at the members' port, with the same certificates and limits.
 */
final class BusTls {
  private final PeerGuard guard;
  private final End end;
  private final SslHandler ssl;
  private boolean failed;

  BusTls(PeerGuard guard, End end) {
    this.guard = guard;
    this.end = end;
    this.ssl = new SslHandler(guard.tlsEngine(end), guard.tlsTasks());
    ssl.setHandshakeTimeoutMillis(0); // a peer that has not authenticated in time is closed
  }

  /** The handlers in order. */
  List<ChannelHandler> handlers() {
    return List.of(new First(), ssl, new Behind());
  }

  /** Binds a proof to this connection: it cannot be passed on to another one. */
  byte[] binding() {
    return TlsPipe.binding(ssl.engine());
  }

  /** Whether both ends speak TLS, and nothing was wrong with it. */
  boolean isOpen() {
    return ssl.handshakeFuture().isSuccess() && !failed;
  }

  private static void hangUp(ChannelHandlerContext context) {
    var unused = context.close();
  }

  /** Looks whether the other end speaks TLS at all. */
  private final class First extends ChannelDuplexHandler {
    private boolean closing;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (closing || !(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
        ReferenceCountUtil.release(message);
        return;
      }
      byte first = bytes.getByte(bytes.readerIndex());
      if (TlsPipe.isTls(first, end)) {
        context.pipeline().remove(this);
        context.fireChannelRead(message);
        return;
      }
      bytes.release();
      failed = true;
      closing = true;
      boolean isNode =
          guard.spokeNoTls(PortKind.BUS, context.channel().remoteAddress(), end, first);
      if (end == End.ACCEPTING && isNode) {
        var unused =
            context
                .writeAndFlush(Unpooled.wrappedBuffer(TlsPipe.notTls()))
                .addListener(sent -> hangUp(context));
      } else {
        hangUp(context);
      }
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
      closing = true;
      var unused = context.close(promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      if (!closing) {
        failed = true;
        if (end == End.CONNECTING) {
          guard.hungUpOnTls(PortKind.BUS, context.channel().remoteAddress());
        }
      }
      context.fireChannelInactive();
    }
  }

  /** Keeps from the others that there is TLS, and looks after it where nothing else is proved. */
  private final class Behind extends ChannelDuplexHandler {
    private @Nullable Runnable proved;
    private boolean begun;
    private boolean taken;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      if (context.channel().isActive()) {
        begin(context);
      }
    }

    /** Without a secret the others learn of it when the handshake has ended. */
    @Override
    public void channelActive(ChannelHandlerContext context) {
      begin(context);
      if (guard.hasSecret()) {
        context.fireChannelActive();
      }
    }

    private void begin(ChannelHandlerContext context) {
      if (!begun && !guard.hasSecret()) {
        begun = true;
        proved = guard.await(PortKind.BUS, () -> hangUp(context));
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
        context.fireUserEventTriggered(event);
      } else if (!handshake.isSuccess()) {
        fail(context, handshake.cause());
      } else if (!guard.hasSecret()) {
        ended();
        context.fireChannelActive();
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      taken = true;
      context.fireChannelRead(message);
    }

    /** Only now may it say that it takes no such certificate. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      var cause = failure.getCause() instanceof SSLException inner ? inner : failure;
      if (!failed && !taken && cause instanceof SSLException) {
        fail(context, cause);
        hangUp(context);
      } else if (!failed) {
        context.fireExceptionCaught(failure);
      }
    }

    private void fail(ChannelHandlerContext context, Throwable failure) {
      if (!failed && failure instanceof SSLException) {
        guard.tlsFailed(PortKind.BUS, context.channel().remoteAddress(), end, failure);
      }
      failed = true;
    }

    private void ended() {
      var waiting = proved;
      if (waiting != null) {
        waiting.run();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      ended();
      context.fireChannelInactive();
    }
  }
}
