package skein.node.cli;

/** A command whose subcommands ask a node. */
interface RemoteCommand {
  RemoteOptions remote();
}
