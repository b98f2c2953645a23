package skein.node.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script that completes commands and options in a shell. */
@Command(
    name = "completion",
    description = {
      "Print a script that completes commands and options in a shell.",
      "bash: source <(skein completion bash)",
      "zsh:  source <(skein completion zsh)",
      "fish: skein completion fish | source"
    },
    mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
  private static final String NAME = "skein";

  private enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Parameters(paramLabel = "bash|zsh|fish")
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var all = spec.root().commandLine();
    var out = spec.commandLine().getOut();
    out.println(
        switch (shell) {
          case BASH, ZSH -> AutoComplete.bash(NAME, all); // It loads bashcompinit in zsh.
          case FISH -> fish(all);
        });
    out.flush();
    return 0;
  }

  private static String fish(CommandLine all) {
    var script = new StringBuilder("complete -c " + NAME + " -f\n");
    fish(script, all, "");
    return script.toString();
  }

  /** {@code path}: the commands on the way, with blanks. */
  private static void fish(StringBuilder script, CommandLine command, String path) {
    var spec = command.getCommandSpec();
    var condition =
        path.isEmpty()
            ? "__fish_use_subcommand"
            : "__fish_seen_subcommand_from " + path.substring(path.lastIndexOf(' ') + 1);
    command
        .getSubcommands()
        .forEach((name, sub) -> {
          if (!sub.getCommandSpec().usageMessage().hidden()) {
            script.append(line(condition, "-a " + quoted(name), sub.getCommandSpec()));
          }
        });
    for (var option : spec.options()) {
      if (!option.hidden() && !path.isEmpty()) {
        var text = option.longestName().replaceFirst("^--", "");
        var value = option.arity().max() > 0 ? " -r" : "";
        script.append(
            line(condition, "-l " + text + value, String.join(" ", option.description())));
      }
    }
    command
        .getSubcommands()
        .forEach((name, sub) -> {
          if (!sub.getCommandSpec().usageMessage().hidden()) {
            fish(script, sub, path.isEmpty() ? name : path + " " + name);
          }
        });
  }

  private static String line(String condition, String what, CommandSpec spec) {
    return line(condition, what, String.join(" ", spec.usageMessage().description()));
  }

  private static String line(String condition, String what, String description) {
    return "complete -c %s -n %s %s -d %s\n"
        .formatted(NAME, quoted(condition), what, quoted(description.replace("$$", "$")));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ") + "'";
  }
}
