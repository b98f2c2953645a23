package skein.node.hazelcast;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes, renews or frees one lock, on the member that owns the entry; true when it did. May be
 * repeated: Hazelcast does when a member leaves while the answer is under way.
 */
final class LockStep
    implements EntryProcessor<String, LockRecord, Boolean>,
        IdentifiedDataSerializable,
        HazelcastInstanceAware {
  enum Kind {
    TAKE(1),
    RENEW(2),
    FREE(3);

    private final int wire;

    Kind(int wire) {
      this.wire = wire;
    }

    private static Kind of(int wire) throws IOException {
      for (var kind : values()) {
        if (kind.wire == wire) {
          return kind;
        }
      }
      throw new IOException("No step of a lock is " + wire);
    }
  }

  private Kind kind = Kind.FREE;
  private UUID holder = new UUID(0, 0);
  private long token;
  private long expiryMillis;
  private transient @Nullable HazelcastInstance hazelcast;
  private transient @Nullable LockCopy backup;

  /** To be filled by {@link #readData}. */
  LockStep() {}

  LockStep(Kind kind, UUID holder, long token, long expiryMillis) {
    this.kind = kind;
    this.holder = holder;
    this.token = token;
    this.expiryMillis = expiryMillis;
  }

  @Override
  public Boolean process(Map.Entry<String, LockRecord> entry) {
    @Nullable LockRecord current = entry.getValue();
    boolean ours = current != null && current.isHeldBy(holder, token);
    long now = cluster().getClusterTime(); // The entry may move to a member with another clock.
    boolean allowed = ours || (kind == Kind.TAKE && (current == null || isFree(current, now)));
    if (allowed) {
      write(entry, kind == Kind.FREE ? null : new LockRecord(holder, token, now + expiryMillis));
    }
    return allowed;
  }

  private boolean isFree(LockRecord current, long now) {
    return current.isExpired(now) || !isMember(current.holder());
  }

  private boolean isMember(UUID uuid) {
    return cluster().getMembers().stream().anyMatch(m -> m.getUuid().equals(uuid));
  }

  private Cluster cluster() {
    if (hazelcast == null) {
      throw new IllegalStateException("Hazelcast did not inject itself");
    }
    return hazelcast.getCluster();
  }

  @SuppressWarnings("NullAway") // null removes the entry
  private void write(Map.Entry<String, LockRecord> entry, @Nullable LockRecord record) {
    entry.setValue(record);
    backup = new LockCopy(record);
  }

  @Override
  public @Nullable EntryProcessor<String, LockRecord, Boolean> getBackupProcessor() {
    return backup;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    hazelcast = instance;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeByte(kind.wire);
    Uuids.write(out, holder);
    out.writeLong(token);
    out.writeLong(expiryMillis);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    kind = Kind.of(in.readByte());
    holder = Uuids.read(in);
    token = in.readLong();
    expiryMillis = in.readLong();
  }

  @Override
  public int getFactoryId() {
    return LockTypes.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return LockTypes.STEP;
  }
}
