package skein.node;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.util.Objects;

/**
 * The signals of the operating system to this process. By name, since the compiler warns of the
 * class behind it whatever is done; where there is none, the JVM's own way of ending remains.
 */
final class Signals {
  private Signals() {}

  /**
   * {@code handler} runs on a thread of its own, each time; {@code name} is as in {@code TERM}. A
   * signal that this process was started to ignore, as scripts do with INT for what they start in
   * the background, is ignored no longer.
   */
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
      var named =
          lookup
              .findConstructor(signal, MethodType.methodType(void.class, String.class))
              .invoke(name);
      var handle = lookup.findStatic(signal, "handle", MethodType.methodType(type, signal, type));
      var before = handle.invoke(named, proxy);
      if (Objects.equals(before, lookup.findStaticGetter(type, "SIG_IGN", type).invoke())) {
        // the JVM has left it at that: it takes no signal that it finds ignored
        int number =
            (int)
                lookup
                    .findVirtual(signal, "getNumber", MethodType.methodType(int.class))
                    .invoke(named);
        if (signal(number)) {
          handle.invoke(named, proxy);
        }
      }
    } catch (Throwable _) {
      // a JVM without the class, or one started with -Xrs
    }
  }

  /** Gives a signal back its default action by the function of that name in C's library. */
  @SuppressWarnings("restricted")
  private static boolean signal(int number) throws Throwable {
    var linker = Linker.nativeLinker();
    var function = linker.defaultLookup().find("signal");
    if (function.isEmpty()) {
      return false;
    }
    var form =
        FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
    MethodHandle signal = linker.downcallHandle(function.get(), form);
    var _ = (MemorySegment) signal.invoke(number, MemorySegment.NULL); // SIG_DFL
    return true;
  }
}
