package skein.codecs;

/** A kind of a sealed family that nothing writes: the tests write one of each. */
final class Unwritten {
  private Unwritten() {}

  static IllegalArgumentException kind(Object value) {
    return new IllegalArgumentException("Nothing writes " + value.getClass().getName());
  }
}
