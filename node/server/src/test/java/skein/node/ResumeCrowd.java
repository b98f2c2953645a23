package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.util.TreeMap;

/** A process of the lowest priority in which many callers resume one instance at the same time. */
final class ResumeCrowd implements AutoCloseable {
  private final Process process;
  private JsonObject codes = new JsonObject();

  private ResumeCrowd(Process process) {
    this.process = process;
  }

  static ResumeCrowd start(int port, String instanceId, int callers) throws IOException {
    return new ResumeCrowd(
        Attacker.process(
            ResumeCrowd.class, String.valueOf(port), instanceId, String.valueOf(callers)));
  }

  /** Port, instance and number; says how many got which answer. */
  public static void main(String[] arguments) {
    var api = new Api(new Http(URI.create("http://127.0.0.1:" + arguments[0])));
    System.out.println(Attacker.BEGUN);
    var codes = new TreeMap<String, Integer>();
    for (var answer :
        Together.call(Integer.parseInt(arguments[2]), _ -> api.resume(arguments[1]))) {
      codes.merge(answer.status() + " " + answer.code(), 1, Integer::sum);
    }
    System.out.println(JsonObject.mapFrom(codes).encode());
    Runtime.getRuntime().halt(0);
  }

  /** How many got which answer, as {@code 409 IN_PROGRESS}; after its end. */
  JsonObject codes() {
    return codes;
  }

  /** Waits for all answers. */
  @Override
  public void close() throws IOException {
    try {
      codes = new JsonObject(process.inputReader().readLine());
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }
}
