package skein.node.dev;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** How to start this program once more, with the same options for the JVM. */
public final class OwnProcess {
  private static final String MAIN = "skein.node.Main";

  /** As the launcher has it; comes first, so that this JVM's own options win over it. */
  private static final String EXIT = "-XX:+ExitOnOutOfMemoryError";

  private OwnProcess() {}

  /** The command, to which the program's arguments are to be added. */
  public static List<String> command() {
    var command = new ArrayList<String>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.add(EXIT);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(OwnProcess::mayBeRepeated)
        .forEach(command::add);
    var classPath = System.getProperty("java.class.path");
    if (classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)) {
      command.add("-jar");
      command.add(classPath);
    } else {
      command.add("-cp");
      command.add(classPath);
      command.add(MAIN);
    }
    return command;
  }

  /** Where in the command more options for the JVM may stand; the later of two wins. */
  static int endOfOptions(List<String> command) {
    int jar = command.lastIndexOf("-jar");
    return jar >= 0 ? jar : command.lastIndexOf("-cp");
  }

  private static boolean mayBeRepeated(String argument) {
    return !argument.startsWith("-XX:AOTCacheOutput")
        && !argument.startsWith("-Dskein.aot.make")
        && !argument.startsWith("-agentlib")
        && !argument.startsWith("-javaagent");
  }
}
