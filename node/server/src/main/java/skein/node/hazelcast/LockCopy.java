package skein.node.hazelcast;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes into the backup what the owner decided; a backup decides nothing by its own clock. */
final class LockCopy
    implements EntryProcessor<String, LockRecord, Boolean>, IdentifiedDataSerializable {
  private @Nullable LockRecord record;

  /** To be filled by {@link #readData}. */
  LockCopy() {}

  LockCopy(@Nullable LockRecord record) {
    this.record = record;
  }

  @Override
  @SuppressWarnings("NullAway") // null removes the entry
  public Boolean process(Map.Entry<String, LockRecord> entry) {
    entry.setValue(record);
    return true;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeObject(record);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    record = in.readObject();
  }

  @Override
  public int getFactoryId() {
    return LockTypes.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return LockTypes.COPY;
  }
}
