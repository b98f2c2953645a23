package skein.expressions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import skein.scripts.ScriptEngine;
import skein.scripts.ScriptEngineLimits;
import skein.scripts.ScriptException;

/**
 * Engines that are alike. They keep nothing of an evaluation but the scripts that they have
 * compiled, so all that have the same limits may use them, one thread one engine at a time.
 */
final class Engines {
  private static final int IDLE_MAX = 2 * Runtime.getRuntime().availableProcessors();
  private static final int MEMORY_BYTES_MIN = 4 << 20;
  private static final int MEMORY_BYTES_MAX = 1 << 30;

  /** The engine's stack for one call of a script's function in another. */
  private static final int STACK_BYTES_PER_CALL = 256;

  /** More would not fit on the stacks of threads. */
  private static final int STACK_BYTES_MAX = 160_000;

  private static final Map<Kind, Engines> ALL = new ConcurrentHashMap<>();

  private record Kind(ScriptEngineLimits limits, int resultCharsMax) {}

  private final ScriptEngine first;
  private final ArrayBlockingQueue<ScriptEngine> idle = new ArrayBlockingQueue<>(IDLE_MAX);

  private Engines(Kind kind) {
    try {
      first = new ScriptEngine(kind.limits, prelude(kind.resultCharsMax));
    } catch (ScriptException e) {
      throw new IllegalStateException("the prelude of scripts failed at line " + e.line(), e);
    }
  }

  /** Makes one engine, so that the first script does not pay for loading it. */
  static Engines of(ExpressionLimits given) {
    var limits =
        new ScriptEngineLimits(
            Math.clamp(given.allocationMax(), MEMORY_BYTES_MIN, MEMORY_BYTES_MAX),
            (int) Math.min(STACK_BYTES_MAX, (long) given.stackDepthMax() * STACK_BYTES_PER_CALL),
            (int) Math.min(given.stringCharsMax(), MEMORY_BYTES_MAX - 1),
            given.sourceCharsMax());
    return ALL.computeIfAbsent(new Kind(limits, given.resultCharsMax()), Engines::new);
  }

  ScriptEngine take() {
    var engine = idle.poll();
    return engine == null ? first.another() : engine;
  }

  void giveBack(ScriptEngine engine) {
    idle.offer(engine);
  }

  private static String prelude(int resultCharsMax) {
    return "(function (call, lazy) {'use strict';\n"
        + HostFunction.constants()
        + ("const ELSA_MEMBERS = " + ScriptValues.json(ScriptValues.ELSA_MEMBERS) + ";\n")
        + ("const RESULT_CHARS_MAX = " + resultCharsMax + ";\n")
        + ("const DEPTH_MAX = " + ScriptValues.DEPTH_MAX + ";\n")
        + "const dotNetTypes = (parseGuid, newGuid, bytesFromString, bytesToBase64) =>\n"
        + resource("types.js")
        + ";\n"
        + resource("prelude.js")
        + "})";
  }

  private static String resource(String name) {
    try (var in = Engines.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
