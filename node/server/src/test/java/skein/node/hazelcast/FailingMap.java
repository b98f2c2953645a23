package skein.node.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.map.IMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A member whose map of locks fails some operations, before or after they have happened. */
final class FailingMap {
  private final HazelcastInstance real;
  private final AtomicInteger toFail = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private volatile boolean afterwards;

  FailingMap(HazelcastInstance real) {
    this.real = real;
  }

  /** {@code afterwards}: they happen, and only their answer is lost. */
  void failNext(int operations, boolean afterwards) {
    this.afterwards = afterwards;
    toFail.set(operations);
  }

  int failed() {
    return failed.get();
  }

  HazelcastInstance hazelcast() {
    IMap<String, LockRecord> map = real.getMap(HazelcastLocks.MAP);
    var failing = proxy(IMap.class, (method, arguments) -> submit(map, method, arguments));
    return proxy(
        HazelcastInstance.class,
        (method, arguments) ->
            method.getName().equals("getMap") ? failing : call(real, method, arguments));
  }

  private @Nullable Object submit(
      IMap<String, LockRecord> map, Method method, Object @Nullable [] arguments) throws Throwable {
    boolean fails =
        method.getName().equals("submitToKey")
            && toFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    if (!fails) {
      return call(map, method, arguments);
    }
    failed.incrementAndGet();
    var failure = new MemberLeftException("lost on its way");
    return afterwards && call(map, method, arguments) instanceof CompletionStage<?> happened
        ? happened.thenCompose(_ -> CompletableFuture.failedStage(failure))
        : CompletableFuture.failedStage(failure);
  }

  private interface Handler {
    @Nullable Object handle(Method method, Object @Nullable [] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            FailingMap.class.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> handler.handle(method, arguments)));
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
