package skein.codecs;

/** The bytes of a state, and what the state itself takes in memory. */
public final class EncodedInstance {
  private final byte[] bytes;
  private final long heapBytes;

  /**
   * @param bytes as {@link InstanceCodec} writes them; must not be changed
   * @param heapBytes about what the state takes on the heap
   */
  public EncodedInstance(byte[] bytes, long heapBytes) {
    this.bytes = bytes;
    this.heapBytes = heapBytes;
  }

  /** Not a copy. */
  public byte[] bytes() {
    return bytes;
  }

  /** About what the state takes on the heap, each of its values an object of its own. */
  public long heapBytes() {
    return heapBytes;
  }
}
