package skein.expressions;

import static skein.expressions.Native.argument;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;
import skein.expressions.Native.Body;

/** The functions that Elsa gives to scripts, by its names. Bytes are arrays of numbers here. */
final class WorkflowFunctions {
  private static final Pattern NOT_IN_SHORT_GUIDS = Pattern.compile("[/+=]");

  private static final Pattern SPACES = Pattern.compile("\\s");

  private final Realm realm;

  private WorkflowFunctions(Realm realm) {
    this.realm = realm;
  }

  static void install(Realm realm) {
    var functions = new WorkflowFunctions(realm);
    functions.installWorkflow();
    functions.installValues();
    functions.installTexts();
    functions.installGuids();
    functions.installBytes();
    functions.installConfiguration();
  }

  private void define(String name, int arity, Body body) {
    realm.define(realm.scope(), name, arity, body);
  }

  private void installWorkflow() {
    define("getWorkflowInstanceId", 0, (run, _, _) -> run.scope().workflow().instanceId());
    define("getWorkflowDefinitionId", 0, (run, _, _) -> run.scope().workflow().definitionId());
    define("getWorkflowDefinitionVersionId", 0, (run, _, _) -> run.scope().workflow().versionId());
    define("getWorkflowDefinitionVersion", 0, (run, _, _) -> run.scope().workflow().version());
    define("getCorrelationId", 0, (run, _, _) -> run.correlationId());
    define("getWorkflowInstanceName", 0, (run, _, _) -> run.name());
    define(
        "setCorrelationId",
        1,
        (run, _, args) -> {
          run.setCorrelationId(text(run, argument(args, 0)));
          return Undefined.instance;
        });
    define(
        "setWorkflowInstanceName",
        1,
        (run, _, args) -> {
          run.setName(text(run, argument(args, 0)));
          return Undefined.instance;
        });
    define(
        "setOutcome",
        1,
        (run, _, args) -> {
          run.setOutcomes(List.of(required(run, args)));
          return Undefined.instance;
        });
    define("setOutcomes", 1, WorkflowFunctions::setOutcomes);
  }

  private void installValues() {
    define(
        "getVariable",
        1,
        (run, _, args) -> {
          var variable = run.find(required(run, args));
          return variable == null ? null : run.get(variable);
        });
    define("setVariable", 2, WorkflowFunctions::setVariable);
    define("getInput", 1, WorkflowFunctions::getInput);
    define(
        "getOutputFrom",
        2,
        (run, _, args) ->
            run.in(run.scope().outputFrom(required(run, args), text(run, argument(args, 1)))));
    define("getLastResult", 0, (run, _, _) -> run.in(run.scope().lastResult()));
  }

  private void installTexts() {
    define(
        "isNullOrEmpty",
        1,
        (run, _, args) -> {
          var text = text(run, argument(args, 0));
          return text == null || text.isEmpty();
        });
    define(
        "isNullOrWhiteSpace",
        1,
        (run, _, args) -> {
          var text = text(run, argument(args, 0));
          return text == null || text.isBlank();
        });
    define(
        "toJson",
        1,
        (run, _, args) -> JsonText.print(run.out(Context.getCurrentContext(), argument(args, 0))));
  }

  private void installGuids() {
    for (var name : List.of("newGuid", "newGuidString", "getGuid", "getGuidString")) {
      define(name, 0, (run, _, _) -> guid(run).toString());
    }
    for (var name : List.of("newShortGuid", "getShortGuid")) {
      define(name, 0, (run, _, _) -> shortGuid(guid(run)));
    }
    define("parseGuid", 1, (run, _, args) -> parseGuid(required(run, args)));
  }

  private void installBytes() {
    define("bytesFromString", 1, (run, _, args) -> array(run, utf8(required(run, args))));
    define("bytesFromBase64", 1, (run, _, args) -> array(run, decode(required(run, args))));
    define("bytesToString", 1, (run, _, args) -> string(bytes(run, argument(args, 0))));
    define("bytesToBase64", 1, (run, _, args) -> encode(bytes(run, argument(args, 0))));
    define("stringToBase64", 1, (run, _, args) -> encode(utf8(required(run, args))));
    define("stringFromBase64", 1, (run, _, args) -> string(decode(required(run, args))));
    define("streamToBytes", 1, (run, _, args) -> array(run, bytes(run, argument(args, 0))));
    define("streamToBase64", 1, (run, _, args) -> encode(bytes(run, argument(args, 0))));
  }

  /** What needs more than the scope says so; a function that is not there would be a riddle. */
  private void installConfiguration() {
    define("getConfig", 1, WorkflowFunctions::getConfig);
    define(
        "getSecret",
        1,
        (_, _, _) -> {
          throw ScriptRuntime.typeError(
              "getSecret is not supported: scripts see no secrets; give the value as an input");
        });
    define(
        "createEventTriggerUrl",
        2,
        (_, _, _) -> {
          throw ScriptRuntime.typeError(
              "createEventTriggerUrl is not supported: a script knows neither the server's address"
                  + " nor its keys; publish the event with its name");
        });
  }

  private static Object getConfig(Evaluation run, @Nullable Scriptable self, Object[] arguments) {
    var name = required(run, arguments);
    var value = run.configured(name);
    if (value == null) {
      throw ScriptRuntime.typeError(notConfigured(name));
    }
    return value;
  }

  static String notConfigured(String name) {
    return "expressions may not read the configuration value " + name;
  }

  private static Object setOutcomes(Evaluation run, @Nullable Scriptable self, Object[] arguments) {
    if (!(argument(arguments, 0) instanceof NativeArray names)) {
      run.setOutcomes(List.of(required(run, arguments)));
      return Undefined.instance;
    }
    run.budget().elements(names.getLength());
    var outcomes = new ArrayList<String>();
    for (var i = 0; i < names.getLength(); i++) {
      outcomes.add(required(run, new Object[] {names.get(i, names)}));
    }
    run.setOutcomes(outcomes);
    return Undefined.instance;
  }

  private static Object setVariable(Evaluation run, @Nullable Scriptable self, Object[] arguments) {
    var name = required(run, arguments);
    var variable = run.find(name);
    if (variable == null) {
      throw ScriptRuntime.constructError("ReferenceError", "there is no variable " + name);
    }
    run.set(variable, argument(arguments, 1));
    return Undefined.instance;
  }

  /** Letter case does not matter where no input has exactly that name. */
  private static @Nullable Object getInput(
      Evaluation run, @Nullable Scriptable self, Object[] arguments) {
    var name = required(run, arguments);
    var inputs = run.scope().inputs();
    if (inputs.containsKey(name)) {
      return run.in(inputs.get(name));
    }
    for (var input : inputs.entrySet()) {
      if (input.getKey().equalsIgnoreCase(name)) {
        return run.in(input.getValue());
      }
    }
    return null;
  }

  private static @Nullable String text(Evaluation run, @Nullable Object value) {
    if (value == null || Undefined.isUndefined(value)) {
      return null;
    }
    var text = ScriptRuntime.toCharSequence(value);
    run.budget().string(text.length());
    return text.toString();
  }

  private static String required(Evaluation run, Object[] arguments) {
    var text = text(run, argument(arguments, 0));
    if (text == null) {
      throw ScriptRuntime.typeError("a text is needed where null or undefined was given");
    }
    return text;
  }

  /** Version 4, as .NET makes them, of the burst's own random bits. */
  private static UUID guid(Evaluation run) {
    var high = (run.scope().random() & ~0xF000L) | 0x4000L;
    var low = (run.scope().random() >>> 2) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  private static String shortGuid(UUID guid) {
    var bytes =
        ByteBuffer.allocate(16)
            .putLong(guid.getMostSignificantBits())
            .putLong(guid.getLeastSignificantBits())
            .array();
    return NOT_IN_SHORT_GUIDS.matcher(encode(bytes)).replaceAll("");
  }

  private static Object parseGuid(String text) {
    try {
      return Conversions.guid(text);
    } catch (IllegalArgumentException _) {
      throw ScriptRuntime.typeError("not a GUID");
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String string(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] decode(String text) {
    try {
      return Base64.getDecoder().decode(SPACES.matcher(text).replaceAll(""));
    } catch (IllegalArgumentException _) {
      throw ScriptRuntime.typeError("not Base64");
    }
  }

  private static Scriptable array(Evaluation run, byte[] bytes) {
    run.budget().elements(bytes.length);
    var items = new Object[bytes.length];
    for (var i = 0; i < bytes.length; i++) {
      items[i] = Byte.toUnsignedInt(bytes[i]);
    }
    return Context.getCurrentContext().newArray(run.globals(), items);
  }

  /** An array of numbers, or the Base64 text that bytes are outside of scripts. */
  private static byte[] bytes(Evaluation run, @Nullable Object value) {
    if (!(value instanceof NativeArray array)) {
      return decode(required(run, new Object[] {value == null ? Undefined.instance : value}));
    }
    run.budget().elements(array.getLength());
    var bytes = new byte[(int) array.getLength()];
    for (var i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (int) ScriptRuntime.toNumber(array.get(i, array));
    }
    return bytes;
  }
}
