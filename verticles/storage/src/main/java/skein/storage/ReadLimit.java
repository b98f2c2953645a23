package skein.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * The limit of one request on data that workflows wrote. The database adds up the sizes, and
 * returns nothing beyond the limit: rows alone bound no memory where each may have a megabyte.
 *
 * @param bytesMax as text, all rows of one statement together
 */
record ReadLimit(int bytesMax) {
  private static final int SHARE_OF_HEAP = 64;

  /** A result takes several times its size until it is sent. */
  static final ReadLimit OF_HEAP =
      new ReadLimit(
          Math.clamp(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, 4 << 20, 64 << 20));

  /**
   * A statement whose column {@code text} is null beyond the limit.
   *
   * @param rows selects {@code text}, and the columns that are named here
   * @param order one of the columns, unique
   * @param more columns beside them that are selected, each with a comma before it
   * @param parameter the number of {@link #bytesMax}
   */
  static String limited(String rows, String order, String more, int parameter) {
    return """
    select case when %4$s then text end as text%3$s
      from (%1$s offset 0) sized
     order by %2$s
    """
        .formatted(rows, order, more, fits("text", order, parameter));
  }

  /**
   * Whether a row is within the limit with all before it; the first one always is, so that a caller
   * that asks for one after the other gets all.
   */
  static String fits(String text, String order, int parameter) {
    return """
    (sum(octet_length(%1$s)) over (order by %2$s) <= $%3$d::int
     or row_number() over (order by %2$s) = 1)\
    """
        .formatted(text, order, parameter);
  }

  /**
   * A text that {@link #limited} selected.
   *
   * @param what was asked for
   * @param instead how to ask for less
   * @throws SkeinException {@code TOO_LARGE}
   */
  String within(@Nullable String text, String what, String instead) {
    if (text == null) {
      throw new SkeinException(
          ErrorCode.TOO_LARGE,
          "%s has more than %,d bytes, which is what one request may read: %s"
              .formatted(what, bytesMax, instead),
          List.of(),
          null);
    }
    return text;
  }
}
