package skein.node;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that attacks. It has the lowest priority: an attacker has processors of his own, and is
 * not to take those of the node that he attacks.
 */
final class Attacker implements AutoCloseable {
  static final String BEGUN = "begun";

  private final Process process;
  private int connections;

  private Attacker(Process process) {
    this.process = process;
  }

  /** Returns when it has begun. */
  static Attacker start(int port, HttpAttack attack) throws IOException {
    return new Attacker(process(Attacker.class, String.valueOf(port), attack.name()));
  }

  /** Another one of the same kind, which says {@code begun} when it has; returns then. */
  static Process process(Class<?> main, String... arguments) throws IOException {
    var java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    var command = new ArrayList<>(List.of("nice", "-n", "19", java, "-Xmx256m"));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    var line = process.inputReader().readLine();
    if (!BEGUN.equals(line)) {
      process.destroyForcibly();
      throw new IOException("The attacker said " + line);
    }
    return process;
  }

  /**
   * Port and name of the attack; runs until its input ends, and then says how many connections it
   * has made.
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
