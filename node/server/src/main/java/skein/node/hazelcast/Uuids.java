package skein.node.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.UUID;

/** Ids as 16 bytes between members; they are wire format. */
final class Uuids {
  private Uuids() {}

  static void write(ObjectDataOutput out, UUID uuid) throws IOException {
    out.writeLong(uuid.getMostSignificantBits());
    out.writeLong(uuid.getLeastSignificantBits());
  }

  static UUID read(ObjectDataInput in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }
}
