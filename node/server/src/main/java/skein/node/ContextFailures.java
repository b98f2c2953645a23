package skein.node;

import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs uncaught exceptions of event loops. Thread-safe.
 *
 * <p>With Vert.x 5.0 that is also each message whose connection to another node ended before it was
 * written: the context of a message always says that it could not be failed, so that {@link
 * Promise#fail(Throwable)} throws. The sender has been answered by then, and a node that stops does
 * this to all others: no error. Such a failure is thrown where a future completes a promise, with
 * no frame of a program on the stack.
 */
final class ContextFailures implements Handler<Throwable> {
  private static final Logger log = LoggerFactory.getLogger(ContextFailures.class);
  private static final List<String> LIBRARIES = List.of("io.vertx.core.", "io.netty.", "java.");

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
        && stack.length > 1
        && isOfPromise(stack[0], "fail")
        && isOfPromise(stack[1], "complete")
        && Arrays.stream(stack).allMatch(ContextFailures::isOfLibrary);
  }

  private static boolean isOfPromise(StackTraceElement frame, String method) {
    return frame.getClassName().equals(Promise.class.getName())
        && frame.getMethodName().equals(method);
  }

  private static boolean isOfLibrary(StackTraceElement frame) {
    return LIBRARIES.stream().anyMatch(frame.getClassName()::startsWith);
  }
}
