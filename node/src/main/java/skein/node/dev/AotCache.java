package skein.node.dev;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the cache of compiled and linked classes (JEP 483, JEP 514) that lets the next start be
 * faster. The launcher says where by {@code -Dskein.aot.make=FILE} when there is none.
 */
public final class AotCache {
  private static final String PROPERTY = "skein.aot.make";

  private AotCache() {}

  /** Another process, of low priority, writes the file under another name and then renames it. */
  public static void makeInBackground() {
    var file = System.getProperty(PROPERTY);
    if (file == null) {
      return;
    }
    var beside = file + "." + ProcessHandle.current().pid();
    var java = new ArrayList<>(OwnProcess.command());
    java.add(1, "-XX:AOTCacheOutput=" + beside);
    java.add("warm-up");
    var script = "\"$@\" && mv -f \"$0\" \"${0%.*}\" || rm -f \"$0\"";
    var command = new ArrayList<>(List.of("nice", "-n", "19", "sh", "-c", script, beside));
    command.addAll(java);
    try {
      new ProcessBuilder(command)
          .redirectInput(Redirect.from(new File("/dev/null")))
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
    } catch (IOException _) {
      // the next start is as slow as this one
    }
  }
}
