package skein.scripts;

import com.dylibso.chicory.runtime.WasmRuntimeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads and writes numbers in an array as WebAssembly lays them out. What lies outside the array is
 * a failure of the module.
 */
final class LittleEndian {
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);

  private LittleEndian() {}

  private static VarHandle view(Class<?> type) {
    return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
  }

  static WasmRuntimeException outOfBounds(RuntimeException cause) {
    return new WasmRuntimeException("out of bounds memory access", cause);
  }

  static byte[] copy(byte[] bytes, int address, int length) {
    try {
      Objects.checkFromIndexSize(address, length, bytes.length);
      return Arrays.copyOfRange(bytes, address, address + length);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static byte readByte(byte[] bytes, int address) {
    try {
      return bytes[address];
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static short readShort(byte[] bytes, int address) {
    try {
      return (short) SHORTS.get(bytes, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static int readInt(byte[] bytes, int address) {
    try {
      return (int) INTS.get(bytes, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static long readLong(byte[] bytes, int address) {
    try {
      return (long) LONGS.get(bytes, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static float readFloat(byte[] bytes, int address) {
    try {
      return (float) FLOATS.get(bytes, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static double readDouble(byte[] bytes, int address) {
    try {
      return (double) DOUBLES.get(bytes, address);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static void writeByte(byte[] bytes, int address, byte value) {
    try {
      bytes[address] = value;
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static void writeShort(byte[] bytes, int address, short value) {
    try {
      SHORTS.set(bytes, address, value);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static void writeInt(byte[] bytes, int address, int value) {
    try {
      INTS.set(bytes, address, value);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static void writeLong(byte[] bytes, int address, long value) {
    try {
      LONGS.set(bytes, address, value);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static void writeFloat(byte[] bytes, int address, float value) {
    try {
      FLOATS.set(bytes, address, value);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }

  static void writeDouble(byte[] bytes, int address, double value) {
    try {
      DOUBLES.set(bytes, address, value);
    } catch (IndexOutOfBoundsException e) {
      throw outOfBounds(e);
    }
  }
}
