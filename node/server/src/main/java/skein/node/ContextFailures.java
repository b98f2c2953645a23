package skein.node;

import io.vertx.core.Handler;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what was thrown on an event loop and caught by nobody. Thread-safe.
 *
 * <p>With Vert.x 5.0 that is also each message whose connection to another node ended before it was
 * written: the context of a message always says that it could not be failed ({@code
 * SendContext.tryFail}), so that the caller of {@code fail} throws. The sender has been told by
 * then, and nodes that stop together do this to each other: no error of this node.
 */
final class ContextFailures implements Handler<Throwable> {
  private static final Logger log = LoggerFactory.getLogger(ContextFailures.class);

  /** Completes the write of a connection, never a promise of a program. */
  private static final String WRITE = "io.vertx.core.net.impl.DelegatingChannelPromise";

  @Override
  public void handle(Throwable e) {
    boolean unwritten = isUnwrittenMessage(e);
    log.atLevel(unwritten ? Level.DEBUG : Level.ERROR)
        .setCause(e)
        .log(unwritten ? "bus.unwritten" : "loop.failed");
  }

  private static boolean isUnwrittenMessage(Throwable e) {
    var stack = e.getStackTrace();
    return e instanceof IllegalStateException
        && stack.length > 0
        && stack[0].getClassName().equals("io.vertx.core.Promise")
        && stack[0].getMethodName().equals("fail")
        && Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals(WRITE));
  }
}
