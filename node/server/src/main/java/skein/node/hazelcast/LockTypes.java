package skein.node.hazelcast;

import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** Numbers of the classes that travel between members; they are wire format. */
final class LockTypes implements DataSerializableFactory {
  static final int FACTORY_ID = 7001;
  static final int RECORD = 1;
  static final int STEP = 2;
  static final int COPY = 3;

  @Override
  public IdentifiedDataSerializable create(int typeId) {
    return switch (typeId) {
      case RECORD -> new LockRecord();
      case STEP -> new LockStep();
      case COPY -> new LockCopy();
      default -> throw new IllegalArgumentException("No lock type " + typeId);
    };
  }
}
