package skein.codecs;

import skein.messages.Command;

/** {@link Command.Fork} in bytes. */
final class ForkBytes {
  private ForkBytes() {}

  static void write(ByteWriter out, Command.Fork fork) {
    out.string(fork.instanceId().value());
    out.string(fork.versionId());
    InstanceCodec.startRequest(out, fork.request());
    out.string(fork.sourceId().value());
    out.signed(fork.sequence());
    out.map(fork.variables());
    out.nullable(fork.actor(), ByteWriter::string);
  }

  static Command.Fork read(ByteReader in) {
    return new Command.Fork(
        InstanceCodec.instanceId(in),
        in.string(),
        InstanceCodec.startRequest(in),
        InstanceCodec.instanceId(in),
        in.signed(),
        in.map(),
        in.nullable(ByteReader::string));
  }
}
