package skein.node.cli;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Links that resume a bookmark once, over the API of any node. */
@Command(
    name = "token",
    description = "Make and revoke links that resume an instance once.",
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true)
public final class TokenCommand implements Runnable {
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do with tokens");
  }

  /** The id of a bookmark is that of its instance, a dash and a number. */
  private static String path(String bookmark) {
    int dash = bookmark.lastIndexOf('-');
    if (dash < 1) {
      throw new RefusedArgumentException(
          "\"" + bookmark + "\" is not the id of a bookmark: skein instance show lists them");
    }
    return InstancePath.of(
        bookmark.substring(0, dash), "/bookmarks/" + RemoteOptions.encoded(bookmark) + "/tokens");
  }

  @Command(
      name = "mint",
      description = "Make a link that resumes a bookmark once; it replaces the one before.",
      mixinStandardHelpOptions = true)
  int mint(
      @Parameters(paramLabel = "BOOKMARK", description = "As skein instance show lists them.")
          String bookmark,
      @Option(names = "--expires-in", paramLabel = "TIME", description = "As PT15M.")
          @Nullable String expiresIn) {
    var body = new JsonObject();
    if (expiresIn != null) {
      body.put("expiresIn", expiresIn);
    }
    var made = remote.call("POST", path(bookmark), body);
    remote.print(spec.commandLine().getOut(), made, () -> Table.ofMembers(made).toString());
    return 0;
  }

  @Command(
      name = "revoke",
      description = "Revoke the link of a bookmark.",
      mixinStandardHelpOptions = true)
  int revoke(@Parameters(paramLabel = "BOOKMARK") String bookmark) {
    remote.call("DELETE", path(bookmark), null);
    spec.commandLine().getOut().println("Revoked the token of " + bookmark);
    return 0;
  }
}
