package skein.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;

/**
 * What the operating system says to this process. By name, since the compiler warns of the class
 * behind it whatever is done; where there is none, the JVM's own way of ending remains.
 */
final class Signals {
  private Signals() {}

  /** {@code handler} runs on a thread of its own, each time; {@code name} is as in {@code TERM}. */
  static void on(String name, Runnable handler) {
    try {
      var signal = Class.forName("sun.misc.Signal");
      var type = Class.forName("sun.misc.SignalHandler");
      var proxy =
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (_, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  handler.run();
                  return null;
                }
                return method.invoke(handler, arguments);
              });
      var lookup = MethodHandles.publicLookup();
      var of = lookup.findConstructor(signal, MethodType.methodType(void.class, String.class));
      lookup
          .findStatic(signal, "handle", MethodType.methodType(type, signal, type))
          .invoke(of.invoke(name), proxy);
    } catch (Throwable _) {
      // a JVM without the class, or one started with -Xrs
    }
  }
}
