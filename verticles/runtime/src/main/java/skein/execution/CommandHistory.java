package skein.execution;

import java.util.Arrays;
import java.util.UUID;

/**
 * The ids of the commands that made a state, where this lane has executed all of them since the
 * instance was made. A state has an id, and so one history: what is known of it stays true whatever
 * other nodes commit. Immutable.
 */
final class CommandHistory {
  /** Of a state that was read from the database, or whose history is too long to remember. */
  static final CommandHistory UNKNOWN = new CommandHistory(new UUID[0]);

  /**
   * So many commands are remembered of one instance; with more of them, commands that may be
   * repetitions look into the database first.
   */
  static final int COMMANDS_MAX = 16;

  /** About what an id takes in memory, with the reference to it. */
  private static final long ID_BYTES = 40;

  private final UUID[] commands;

  private CommandHistory(UUID[] commands) {
    this.commands = commands;
  }

  /** Of a new instance. */
  static CommandHistory of(UUID command) {
    return new CommandHistory(new UUID[] {command});
  }

  /** After one more command. */
  CommandHistory plus(UUID command) {
    if (this == UNKNOWN || commands.length == COMMANDS_MAX) {
      return UNKNOWN;
    }
    var longer = Arrays.copyOf(commands, commands.length + 1);
    longer[commands.length] = command;
    return new CommandHistory(longer);
  }

  /** Whether the command is certainly not one of those that made the state. */
  boolean lacks(UUID command) {
    if (this == UNKNOWN) {
      return false;
    }
    for (var each : commands) {
      if (each.equals(command)) {
        return false;
      }
    }
    return true;
  }

  /** About what it takes in memory. */
  long heapBytes() {
    return commands.length * ID_BYTES;
  }
}
