package skein.scripts;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.WasmFunctionHandle;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One instance of QuickJS, for one thread at a time. Each evaluation begins in the state that the
 * instance had when the prelude and the scripts were compiled, whatever earlier ones did.
 *
 * <p>A script that does not ask its host is ended by {@link Thread#interrupt}, which the compiled
 * module looks at in each loop and each call.
 */
public final class ScriptEngine {
  private static final int PAGE_BYTES = 65_536;
  private static final int SCRIPTS_MAX = 500;

  /** The part of the memory that kept scripts may take. */
  private static final int SCRIPTS_SHARE = 4;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** WASI's "function not supported". */
  private static final long NOT_SUPPORTED = 52;

  private static final WasmModule MODULE = QuickJsModule.load();

  private final LinearMemory memory;
  private final Instance instance;
  private final ExportFunction allocate;
  private final ExportFunction release;
  private final ExportFunction compile;
  private final ExportFunction run;
  private final ExportFunction text;
  private final ExportFunction textLength;
  private final ScriptEngineLimits limits;
  private final long[] globals;
  private byte[] baseMemory = new byte[0];
  private long[] baseGlobals = new long[0];
  private final Map<String, Integer> scripts = new LinkedHashMap<>();
  private @Nullable ScriptHost host;

  /**
   * @param prelude an expression: a function that is given {@code call(function, text)} and {@code
   *     lazy(lookUp, prototype)}, which makes an object of the members that a function makes, and
   *     returns the function that makes a text of a script's value
   */
  public ScriptEngine(ScriptEngineLimits limits, String prelude) throws ScriptException {
    this(limits);
    instance.export("_initialize").apply();
    boot(prelude);
    instance.export("limit").apply(limits.stringCharsMax(), limits.sourceBytesMax());
    keep();
    baseMemory = memory.kept();
    baseGlobals = globals.clone();
  }

  private ScriptEngine(ScriptEngine like) {
    this(like.limits);
    baseMemory = like.baseMemory;
    baseGlobals = like.baseGlobals;
    forgetScripts();
  }

  private ScriptEngine(ScriptEngineLimits limits) {
    this.limits = limits;
    var initial = MODULE.memorySection().orElseThrow().getMemory(0).limits().initialPages();
    var pagesMax = Math.ceilDiv(limits.memoryBytesMax(), PAGE_BYTES);
    memory = new LinearMemory(initial, Math.max(pagesMax, initial));
    instance =
        Instance.builder(MODULE)
            .withImportValues(imports())
            .withMachineFactory(QuickJsModule::create)
            .withMemoryFactory(_ -> memory)
            .withStart(false)
            .build();
    allocate = instance.export("allocate");
    release = instance.export("release");
    compile = instance.export("compile");
    run = instance.export("run");
    text = instance.export("text");
    textLength = instance.export("text_length");
    globals = new long[MODULE.globalSection().globalCount()];
  }

  /** Another one that has the same limits and prelude and no scripts; takes little time. */
  public ScriptEngine another() {
    return new ScriptEngine(this);
  }

  /**
   * Compiles a script unless it is known; nothing of it runs. All scripts are forgotten when they
   * are too many.
   *
   * @return its number, which is good until this is called again
   */
  public int compile(String source) throws ScriptException {
    var known = scripts.get(source);
    if (known != null) {
      return known;
    }
    if (scripts.size() == SCRIPTS_MAX
        || memory.keptBytes() - baseMemory.length > limits.memoryBytesMax() / SCRIPTS_SHARE) {
      forgetScripts();
    }
    try {
      var number = (int) withText(source, compile);
      if (number < 0) {
        throw ScriptException.of(result());
      }
      keep();
      scripts.put(source, number);
      return number;
    } catch (ChicoryException e) {
      throw ended(e);
    } finally {
      restore();
    }
  }

  private void forgetScripts() {
    scripts.clear();
    memory.restore(baseMemory);
    System.arraycopy(baseGlobals, 0, globals, 0, globals.length);
    restore();
  }

  /** The script's value in the prelude's form. The instance is then as it was before. */
  public String run(int script, ScriptHost given) throws ScriptException {
    host = given;
    try {
      var failed = run.apply(script)[0] != 0;
      var result = result();
      if (failed) {
        throw ScriptException.of(result);
      }
      return result;
    } catch (ChicoryException e) {
      throw ended(e);
    } finally {
      host = null;
      restore();
    }
  }

  private static RuntimeException ended(ChicoryException e) {
    if (e instanceof ChicoryInterruptedException) {
      return new ScriptInterruptedException();
    }
    return e.getCause() instanceof StackOverflowError
        ? new OutOfScriptStackException()
        : new IllegalStateException("the script engine failed", e);
  }

  private void boot(String prelude) throws ScriptException {
    var bytes = prelude.getBytes(StandardCharsets.UTF_8);
    var at = written(bytes);
    var state =
        instance.export("boot")
            .apply(limits.memoryBytesMax(), limits.stackBytesMax(), at, bytes.length)[0];
    if ((int) state < 0) {
      throw new IllegalStateException("too little memory for a script engine: " + limits);
    }
    if ((int) state > 0) {
      throw ScriptException.of(result());
    }
    release.apply(at);
  }

  private long withText(String source, ExportFunction function) {
    var bytes = source.getBytes(StandardCharsets.UTF_8);
    var at = written(bytes);
    var answer = function.apply(at, bytes.length)[0];
    release.apply(at);
    return answer;
  }

  /** QuickJS reads a zero after the end of a source. */
  private int written(byte[] bytes) {
    var at = (int) allocate.apply(bytes.length + 1L)[0];
    if (at == 0) {
      throw new OutOfScriptMemoryException();
    }
    memory.write(at, bytes, 0, bytes.length);
    memory.writeByte(at + bytes.length, (byte) 0);
    return at;
  }

  private String result() {
    var at = (int) text.apply()[0];
    if (at == 0) {
      throw new OutOfScriptMemoryException();
    }
    var length = (int) textLength.apply()[0];
    return new String(memory.readBytes(at, length), StandardCharsets.UTF_8);
  }

  private void keep() {
    memory.keep();
    for (var i = 0; i < globals.length; i++) {
      globals[i] = instance.global(i).getValue();
    }
  }

  private void restore() {
    memory.restore();
    for (var i = 0; i < globals.length; i++) {
      instance.global(i).setValue(globals[i]);
    }
  }

  private ImportValues imports() {
    var imports = ImportValues.builder();
    var section = MODULE.importSection();
    for (var i = 0; i < section.importCount(); i++) {
      if (section.getImport(i) instanceof FunctionImport function) {
        imports.addFunction(
            new HostFunction(
                function.module(),
                function.name(),
                MODULE.typeSection().getType(function.typeIndex()),
                answering(function.name())));
      }
    }
    return imports.build();
  }

  private WasmFunctionHandle answering(String name) {
    return switch (name) {
      case "interrupted" ->
          (_, _) -> {
            if (host != null) {
              host.check();
            }
            return new long[] {0};
          };
      case "call" -> (_, arguments) -> new long[] {call(arguments)};
      case "clock_time_get" ->
          (_, arguments) -> {
            var millis = host == null ? 0 : host.epochMillis();
            memory.writeLong((int) arguments[2], millis * NANOS_PER_MILLI);
            return new long[] {0};
          };
      case "proc_exit" ->
          (_, _) -> {
            throw new IllegalStateException("the script engine gave up");
          };
      default -> (_, _) -> new long[] {NOT_SUPPORTED};
    };
  }

  private int call(long[] arguments) {
    if (host == null) {
      throw new IllegalStateException("the prelude may not call its host while it is loaded");
    }
    var argument =
        new String(
            memory.readBytes((int) arguments[1], (int) arguments[2]), StandardCharsets.UTF_8);
    try {
      var answer = host.call((int) arguments[0], argument);
      return answer == null ? 0 : answered(answer, 1);
    } catch (ScriptHost.RefusalException e) {
      return answered(String.valueOf(e.getMessage()), -1);
    }
  }

  private int answered(String answer, int sign) {
    var bytes = answer.getBytes(StandardCharsets.UTF_8);
    var at = (int) allocate.apply(bytes.length + 4L)[0];
    if (at == 0) {
      throw new OutOfScriptMemoryException();
    }
    memory.writeI32(at, sign * bytes.length);
    memory.write(at + 4, bytes, 0, bytes.length);
    return at;
  }

  /** The memory that a script may use is used up. */
  public static final class OutOfScriptMemoryException extends RuntimeException {
    OutOfScriptMemoryException() {
      super("the memory of a script is used up");
    }
  }

  /** The stack of the thread is used up. */
  public static final class OutOfScriptStackException extends RuntimeException {
    OutOfScriptStackException() {
      super("the stack of a script is used up");
    }
  }

  /** The thread was interrupted, which it still is. */
  public static final class ScriptInterruptedException extends RuntimeException {
    ScriptInterruptedException() {
      super("the thread of a script was interrupted");
    }
  }
}
