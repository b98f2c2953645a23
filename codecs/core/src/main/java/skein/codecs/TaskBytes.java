package skein.codecs;

import skein.messages.Command;
import skein.messages.Command.TaskAction;

/**
 * The bytes of what is done to user tasks. The numbers are part of the format: add, never reuse.
 */
final class TaskBytes {
  private TaskBytes() {}

  static void write(ByteWriter out, Command.Task task) {
    InstanceCodec.bookmarkId(out, task.bookmarkId());
    var given = task.action();
    if (given instanceof TaskAction.Claim) {
      out.oneByte(1);
    } else if (given instanceof TaskAction.Unclaim) {
      out.oneByte(2);
    } else if (given instanceof TaskAction.Assign a) {
      out.oneByte(3);
      out.list(a.assignees(), ByteWriter::string);
      out.list(a.groups(), ByteWriter::string);
    } else if (given instanceof TaskAction.Complete c) {
      out.oneByte(4);
      out.map(c.input());
    } else {
      throw Unwritten.kind(given);
    }
    out.nullable(task.user(), ByteWriter::string);
    out.list(task.groups(), ByteWriter::string);
    out.nullable(task.actor(), ByteWriter::string);
  }

  static Command.Task read(ByteReader in) {
    return new Command.Task(
        InstanceCodec.bookmarkId(in),
        action(in),
        in.nullable(ByteReader::string),
        in.list(ByteReader::string),
        in.nullable(ByteReader::string));
  }

  private static TaskAction action(ByteReader in) {
    return switch (in.oneByte()) {
      case 1 -> new TaskAction.Claim();
      case 2 -> new TaskAction.Unclaim();
      case 3 -> new TaskAction.Assign(in.list(ByteReader::string), in.list(ByteReader::string));
      case 4 -> new TaskAction.Complete(in.map());
      default -> throw in.newer("something to do with a task that this node does not know");
    };
  }
}
