package skein.node;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;

/**
 * A process that attacks. It has the lowest priority: an attacker has processors of his own, and is
 * not to take those of the node that he attacks.
 */
final class Attacker implements AutoCloseable {
  private static final String BEGUN = "begun";

  private final Process process;
  private int connections;

  private Attacker(Process process) {
    this.process = process;
  }

  /** Returns when it has begun. */
  static Attacker start(int port, HttpAttack attack) throws IOException {
    var java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    var command =
        List.of(
            "nice",
            "-n",
            "19",
            java,
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Attacker.class.getName(),
            String.valueOf(port),
            attack.name());
    var process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    var line = process.inputReader().readLine();
    if (!BEGUN.equals(line)) {
      process.destroyForcibly();
      throw new IOException("The attacker said " + line);
    }
    return new Attacker(process);
  }

  /**
   * Port and name of the attack; goes on until its input ends, and then says how many connections
   * it has made.
   */
  public static void main(String[] arguments) throws IOException {
    var sockets = new RawSockets(Integer.parseInt(arguments[0]));
    HttpAttack.valueOf(arguments[1]).begin(sockets);
    System.out.println(BEGUN);
    System.in.transferTo(OutputStream.nullOutputStream());
    System.out.println(sockets.made.get());
    Runtime.getRuntime().halt(0);
  }

  /** How many it has made; after its end. */
  int connections() {
    return connections;
  }

  @Override
  public void close() throws IOException {
    try {
      process.getOutputStream().close();
      connections = Integer.parseInt(process.inputReader().readLine());
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }
}
