package skein.node.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of a command that asks a node, for one that has another server beside it. */
final class ElsaTargetOptions {
  @Option(
      names = "--to",
      paramLabel = "URL",
      description =
          "Any node of the cluster. Default: that of --to-profile, else $$SKEIN_URL, else that of"
              + " the profile \"default\", else http://localhost:5001.")
  private @Nullable String url;

  @Option(
      names = "--to-profile",
      paramLabel = "NAME",
      description =
          "A section of ~/.config/skein/profiles with the cluster. Default: $$SKEIN_PROFILE.")
  private @Nullable String profile;

  @Option(
      names = "--to-token-file",
      paramLabel = "FILE",
      description = "File with an access token of the cluster. Default: $$SKEIN_TOKEN.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--to-api-key-file",
      paramLabel = "FILE",
      description = "File with an API key of the cluster. Default: $$SKEIN_API_KEY.")
  private @Nullable Path keyFile;

  @Option(
      names = "--to-ca-file",
      paramLabel = "FILE",
      description =
          "Authorities in PEM that have signed the certificates of nodes. Default:"
              + " $$SKEIN_CA_FILE, else those that Java knows.")
  private @Nullable Path caFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json|yaml",
      description = "For people, the default, or for programs.")
  private @Nullable String output;

  /** As other commands have them. */
  RemoteOptions remote() {
    var arguments = new ArrayList<String>();
    add(arguments, "--url", url);
    add(arguments, "--profile", profile);
    add(arguments, "--token-file", tokenFile);
    add(arguments, "--api-key-file", keyFile);
    add(arguments, "--ca-file", caFile);
    add(arguments, "--output", output);
    var remote = new RemoteOptions();
    new CommandLine(remote)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(arguments.toArray(String[]::new));
    return remote;
  }

  private static void add(List<String> arguments, String name, @Nullable Object value) {
    if (value != null) {
      arguments.add(name + "=" + value);
    }
  }
}
