package skein.node;

import com.hazelcast.instance.BuildInfoProvider;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "version",
    description = "Print the versions of Skein, Java, Hazelcast and PostgreSQL.",
    mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer>, IVersionProvider {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public String[] getVersion() {
    var build = BuildInfo.read();
    return new String[] {
      "skein " + build.version(),
      "java " + Runtime.version(),
      "hazelcast " + BuildInfoProvider.getBuildInfo().getVersion(),
      "postgresql of skein dev " + build.postgresql()
    };
  }

  @Override
  public Integer call() {
    Arrays.stream(getVersion()).forEach(spec.commandLine().getOut()::println);
    return 0;
  }
}
