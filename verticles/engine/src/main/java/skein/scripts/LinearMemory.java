package skein.scripts;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.ConstantEvaluators;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.types.ActiveDataSegment;
import com.dylibso.chicory.wasm.types.DataSegment;
import com.dylibso.chicory.wasm.types.PassiveDataSegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A module's memory as one array, which remembers which blocks were written since it was kept, and
 * puts those back. While it has grown by much it lies in one of {@link LargeArrays}.
 */
final class LinearMemory implements Memory {
  private static final int BLOCK_SHIFT = 12;
  private static final int BLOCK = 1 << BLOCK_SHIFT;

  /**
   * A write is marked where it begins, and the longest one reaches this far into the next block.
   */
  private static final int SPILL = 7;

  private static final int BLOCKS_PER_PAGE = PAGE_SIZE >> BLOCK_SHIFT;

  /** More than that beside what is kept takes a large array. */
  private static final int SPARE = 4 << 20;

  private final int initialPages;
  private final int pagesMax;
  private final byte[] written;
  private final LargeArrays large;
  private byte[] bytes;

  /** That in which the memory lay before it took a large one; null: it has none. */
  private byte @Nullable [] small;

  private int pages;
  private byte[] kept = new byte[0];
  private int keptPages;
  private DataSegment[] segments = new DataSegment[0];

  LinearMemory(int initialPages, int pagesMax) {
    this(initialPages, pagesMax, LargeArrays.of(pagesMax * PAGE_SIZE));
  }

  /** {@code large}: of arrays for all pages. */
  LinearMemory(int initialPages, int pagesMax, LargeArrays large) {
    this.initialPages = initialPages;
    this.pagesMax = pagesMax;
    this.pages = initialPages;
    this.bytes = new byte[initialPages * PAGE_SIZE];
    this.written = new byte[((pagesMax * PAGE_SIZE) >> BLOCK_SHIFT) + 1];
    this.large = large;
  }

  /** The memory that {@link #restore} puts back. */
  void keep() {
    kept = Arrays.copyOf(bytes, pages * PAGE_SIZE);
    keptPages = pages;
    Arrays.fill(written, (byte) 0);
    if (small != null) {
      Arrays.fill(bytes, (byte) 0);
      leaveLarge(kept.clone());
    }
  }

  /** What {@link #keep} kept last; must not be written to. */
  byte[] kept() {
    return kept;
  }

  /** Puts back what this or another memory has kept at some time. */
  void restore(byte[] image) {
    if (small != null) {
      Arrays.fill(bytes, (byte) 0);
      leaveLarge(small);
    }
    kept = image;
    keptPages = image.length / PAGE_SIZE;
    pages = keptPages;
    bytes = image.clone();
    Arrays.fill(written, (byte) 0);
  }

  void restore() {
    var own = small == null ? bytes : small;
    for (var block = 0; block < pages * BLOCKS_PER_PAGE; block++) {
      if (written[block] != 0) {
        written[block] = 0;
        restore(own, block << BLOCK_SHIFT);
        if (small != null) {
          clear(bytes, block << BLOCK_SHIFT);
        }
      }
    }
    pages = keptPages;
    if (small != null) {
      Arrays.fill(bytes, 0, small.length, (byte) 0); // It was copied from there.
      leaveLarge(small);
    }
  }

  /** The memory behind the kept part is zero, as new memory is. */
  private void restore(byte[] array, int start) {
    var end = Math.min(start + BLOCK + SPILL, array.length);
    var keptEnd = Math.min(end, kept.length);
    if (start < keptEnd) {
      System.arraycopy(kept, start, array, start, keptEnd - start);
    }
    if (start < end) {
      Arrays.fill(array, Math.max(start, keptEnd), end, (byte) 0);
    }
  }

  private static void clear(byte[] array, int start) {
    Arrays.fill(array, start, Math.min(start + BLOCK + SPILL, array.length), (byte) 0);
  }

  /** All of {@link #bytes} is zero. */
  private void leaveLarge(byte[] own) {
    large.giveBack(bytes);
    bytes = own;
    small = null;
  }

  private void mark(int address, int length) {
    if (length > 0) {
      Arrays.fill(
          written, address >>> BLOCK_SHIFT, ((address + length - 1) >>> BLOCK_SHIFT) + 1, (byte) 1);
    }
  }

  /** Bytes that {@link #restore()} puts back at most. */
  int keptBytes() {
    return kept.length;
  }

  @Override
  public int pages() {
    return pages;
  }

  /**
   * Grows the array by more than is asked for, so that growing page by page does not copy it each
   * time.
   */
  @Override
  public int grow(int by) {
    if (by < 0 || pages + by > pagesMax) {
      return -1;
    }
    var before = pages;
    int needed = (pages + by) * PAGE_SIZE;
    if (needed > bytes.length) {
      int few = Math.min(kept.length + SPARE, large.length());
      if (needed <= few) {
        bytes = Arrays.copyOf(bytes, Math.min(few, Math.max(needed, 2 * bytes.length)));
      } else {
        enterLarge();
      }
    }
    pages += by;
    return before;
  }

  private void enterLarge() {
    try {
      var array = large.take();
      System.arraycopy(bytes, 0, array, 0, bytes.length);
      small = bytes;
      bytes = array;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChicoryInterruptedException(e);
    }
  }

  @Override
  public int initialPages() {
    return initialPages;
  }

  @Override
  public int maximumPages() {
    return pagesMax;
  }

  @Override
  public boolean shared() {
    return false;
  }

  @Override
  @SuppressWarnings("removal")
  public Object lock(int address) {
    throw new UnsupportedOperationException();
  }

  @Override
  @SuppressWarnings("removal")
  public int waitOn(int address, int expected, long timeout) {
    throw new UnsupportedOperationException();
  }

  @Override
  @SuppressWarnings("removal")
  public int waitOn(int address, long expected, long timeout) {
    throw new UnsupportedOperationException();
  }

  @Override
  @SuppressWarnings("removal")
  public int notify(int address, int threadsMax) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void initialize(Instance instance, DataSegment[] given) {
    segments = given.clone();
    for (var segment : segments) {
      if (segment instanceof ActiveDataSegment active) {
        var at = ConstantEvaluators.computeConstantValue(instance, active.offsetInstructions())[0];
        write((int) at, active.data(), 0, active.data().length);
      }
    }
  }

  @Override
  public void initPassiveSegment(int segment, int to, int from, int length) {
    write(to, segments[segment].data(), from, length);
  }

  @Override
  public void drop(int segment) {
    segments[segment] = PassiveDataSegment.EMPTY;
  }

  @Override
  public void zero() {
    fill((byte) 0, 0, pages * PAGE_SIZE);
  }

  @Override
  public void fill(byte value, int from, int to) {
    try {
      Arrays.fill(bytes, from, to, value);
      mark(from, to - from);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw LittleEndian.outOfBounds(e);
    }
  }

  @Override
  public void copy(int to, int from, int length) {
    write(to, bytes, from, length);
  }

  @Override
  public void write(int address, byte[] data, int offset, int length) {
    try {
      System.arraycopy(data, offset, bytes, address, length);
      mark(address, length);
    } catch (IndexOutOfBoundsException e) {
      throw LittleEndian.outOfBounds(e);
    }
  }

  @Override
  public byte[] readBytes(int address, int length) {
    return LittleEndian.copy(bytes, address, length);
  }

  @Override
  public byte read(int address) {
    return LittleEndian.readByte(bytes, address);
  }

  @Override
  public int readInt(int address) {
    return LittleEndian.readInt(bytes, address);
  }

  @Override
  public long readLong(int address) {
    return LittleEndian.readLong(bytes, address);
  }

  @Override
  public short readShort(int address) {
    return LittleEndian.readShort(bytes, address);
  }

  @Override
  public long readU16(int address) {
    return Short.toUnsignedLong(readShort(address));
  }

  @Override
  public long readF32(int address) {
    return readInt(address);
  }

  @Override
  public float readFloat(int address) {
    return LittleEndian.readFloat(bytes, address);
  }

  @Override
  public double readDouble(int address) {
    return LittleEndian.readDouble(bytes, address);
  }

  @Override
  public long readF64(int address) {
    return readLong(address);
  }

  @Override
  public void writeByte(int address, byte value) {
    LittleEndian.writeByte(bytes, address, value);
    written[address >>> BLOCK_SHIFT] = 1;
  }

  @Override
  public void writeShort(int address, short value) {
    LittleEndian.writeShort(bytes, address, value);
    written[address >>> BLOCK_SHIFT] = 1;
  }

  @Override
  public void writeI32(int address, int value) {
    LittleEndian.writeInt(bytes, address, value);
    written[address >>> BLOCK_SHIFT] = 1;
  }

  @Override
  public void writeLong(int address, long value) {
    LittleEndian.writeLong(bytes, address, value);
    written[address >>> BLOCK_SHIFT] = 1;
  }

  @Override
  public void writeF32(int address, float value) {
    LittleEndian.writeFloat(bytes, address, value);
    written[address >>> BLOCK_SHIFT] = 1;
  }

  @Override
  public void writeF64(int address, double value) {
    LittleEndian.writeDouble(bytes, address, value);
    written[address >>> BLOCK_SHIFT] = 1;
  }
}
