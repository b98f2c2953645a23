package skein.node.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.UUID;

/**
 * Who holds the lock of an instance, and until when. The instant is by the clock of the member that
 * owns the entry, in milliseconds since 1970.
 */
final class LockRecord implements IdentifiedDataSerializable {
  private static final UUID NOBODY = new UUID(0, 0);

  private UUID holder = NOBODY;
  private long token;
  private long expiresAt;

  /** To be filled by {@link #readData}. */
  LockRecord() {}

  LockRecord(UUID holder, long token, long expiresAt) {
    this.holder = holder;
    this.token = token;
    this.expiresAt = expiresAt;
  }

  UUID holder() {
    return holder;
  }

  boolean isHeldBy(UUID member, long byToken) {
    return holder.equals(member) && token == byToken;
  }

  boolean isExpired(long now) {
    return now >= expiresAt;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    Uuids.write(out, holder);
    out.writeLong(token);
    out.writeLong(expiresAt);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    holder = Uuids.read(in);
    token = in.readLong();
    expiresAt = in.readLong();
  }

  @Override
  public int getFactoryId() {
    return LockTypes.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return LockTypes.RECORD;
  }
}
