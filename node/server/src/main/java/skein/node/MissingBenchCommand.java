package skein.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;
import skein.node.dev.DevJar;

/** In the place of {@link BenchCommand}, whose classes are in {@code skein-dev.jar}. */
@Command(name = "bench", description = "Measure a cluster: needs skein-dev.jar.")
final class MissingBenchCommand implements Callable<Integer> {
  @Unmatched private final List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    DevJar.require("skein bench cannot measure", "");
    throw new IllegalStateException("skein bench is there: " + arguments);
  }
}
