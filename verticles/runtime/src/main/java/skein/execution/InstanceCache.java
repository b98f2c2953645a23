package skein.execution;

import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.codecs.BadBytesException;
import skein.codecs.EncodedInstance;
import skein.codecs.InstanceCodec;
import skein.loop.EventLoop;
import skein.model.InstanceId;
import skein.storage.NamedState;
import skein.storage.Proposal;

/**
 * The states this lane committed last, as many as there is room for. A copy may be out of date: the
 * commit finds that out, and a refusal is never based on a copy alone. Confined to one event loop.
 *
 * <p>A state takes several times its bytes in memory, and decoding it takes a fraction of the time
 * of reading it from the database. So where there is no room for all states, of those that were not
 * used for longest the bytes alone are kept, as the commit has written them.
 */
final class InstanceCache {
  /** One state takes such a part of the room at most: it does not push out all others. */
  static final int PART_MIN = 64;

  /** Of the room, such a part is for states that need not be decoded, however many there are. */
  static final int DECODED_PART = 4;

  /** About what the bytes of a state take in memory beside themselves, with their key. */
  static final int PACKED_BYTES = 256;

  /** {@code written}: this very state. */
  private record Kept(NamedState state, EncodedInstance written, CommandHistory history) {
    long heapBytes() {
      return written.heapBytes() + written.bytes().length + history.heapBytes();
    }
  }

  /** All of a {@link NamedState}: its bytes are without its revision and its id. */
  private record Packed(
      EncodedInstance written, long revision, @Nullable UUID id, CommandHistory history) {
    static Packed of(Kept kept) {
      var state = kept.state();
      return new Packed(kept.written(), state.instance().revision(), state.id(), kept.history());
    }

    long heapBytes() {
      return PACKED_BYTES + (long) written.bytes().length + history.heapBytes();
    }

    NamedState state() {
      return new NamedState(InstanceCodec.decode(written.bytes(), revision), id);
    }
  }

  private final EventLoop loop;
  private final ExecutionOptions.Copies bounds;
  private final LinkedHashMap<InstanceId, Kept> decoded = new LinkedHashMap<>(16, 0.75f, true);
  private final LinkedHashMap<InstanceId, Packed> packed = new LinkedHashMap<>();
  private long decodedHeapBytes;
  private long packedHeapBytes;

  InstanceCache(EventLoop loop, ExecutionOptions.Copies bounds) {
    this.loop = loop;
    this.bounds = bounds;
  }

  @Nullable NamedState get(InstanceId id) {
    loop.check();
    var kept = decoded.get(id);
    if (kept != null) {
      return kept.state();
    }
    var bytes = packed.get(id);
    try {
      return bytes == null ? null : bytes.state();
    } catch (BadBytesException _) {
      remove(id);
      return null; // It is read from the database, which then has them too: that fails and says so.
    }
  }

  /** Whether there is a copy that a command certainly is no part of: see {@link CommandHistory}. */
  boolean hasWithout(InstanceId id, UUID command) {
    loop.check();
    var kept = decoded.get(id);
    if (kept != null) {
      return kept.history().lacks(command);
    }
    var bytes = packed.get(id);
    return bytes != null && bytes.history().lacks(command);
  }

  /**
   * Keeps what may be needed again: a finished instance will not be. A large state is read again.
   *
   * @param committed makes the state
   * @param written the same state as it was committed
   */
  void put(Proposal committed, EncodedInstance written) {
    loop.check();
    var state = committed.state();
    var instance = state.instance();
    if (instance.status().finished()) {
      remove(instance.id());
      return;
    }
    var kept = new Kept(state, written, history(committed));
    remove(instance.id());
    if (kept.heapBytes() > bounds.heapBytesMax() / PART_MIN) {
      return;
    }
    decoded.put(instance.id(), kept);
    decodedHeapBytes += kept.heapBytes();
    while (decoded.size() + packed.size() > bounds.instancesMax()) {
      removeOldest();
    }
    while (decodedHeapBytes + packedHeapBytes > bounds.heapBytesMax()) {
      makeRoom();
    }
  }

  private CommandHistory history(Proposal committed) {
    var command = committed.transition().commitId();
    if (committed.startsFrom(null)) {
      return CommandHistory.of(command);
    }
    var id = committed.state().instance().id();
    var kept = decoded.get(id);
    if (kept != null) {
      return committed.startsFrom(kept.state())
          ? kept.history().plus(command)
          : CommandHistory.UNKNOWN;
    }
    var bytes = packed.get(id);
    return bytes != null && isBuiltOn(committed, bytes)
        ? bytes.history().plus(command)
        : CommandHistory.UNKNOWN;
  }

  private static boolean isBuiltOn(Proposal committed, Packed before) {
    return committed.transition().expectedRevision() == before.revision()
        && Objects.equals(committed.builtOn(), before.id());
  }

  private void removeOldest() {
    var oldest = packed.isEmpty() ? decoded : packed;
    remove(oldest.keySet().iterator().next());
  }

  /** Packs a state where too many are decoded, else gives one up. */
  private void makeRoom() {
    if (decodedHeapBytes <= bounds.heapBytesMax() / DECODED_PART) {
      removeOldest();
      return;
    }
    var oldest = decoded.values().iterator().next();
    var id = oldest.state().instance().id();
    remove(id);
    var smaller = Packed.of(oldest);
    if (smaller.heapBytes() < oldest.heapBytes()) {
      packed.put(id, smaller);
      packedHeapBytes += smaller.heapBytes();
    }
  }

  void remove(InstanceId id) {
    loop.check();
    var kept = decoded.remove(id);
    if (kept != null) {
      decodedHeapBytes -= kept.heapBytes();
      return; // It is in one of them at most.
    }
    var bytes = packed.remove(id);
    if (bytes != null) {
      packedHeapBytes -= bytes.heapBytes();
    }
  }

  void clear() {
    loop.check();
    decoded.clear();
    packed.clear();
    decodedHeapBytes = 0;
    packedHeapBytes = 0;
  }
}
