package skein.expressions;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The functions of the host that the prelude of scripts calls, by their ordinal here. Arguments and
 * answers are texts.
 */
enum HostFunction {
  /**
   * A name such as {@code getCount}: {@code i} or {@code o} and a value, or {@code v} and a
   * variable.
   */
  ACCESSOR,
  /** The same where the name is that of a function, so that it means no output. */
  ACCESSOR_BUT_OUTPUT,
  /** A name or id: the variable's number, a colon and its value. */
  VARIABLE,
  VARIABLE_NAMES,
  INPUTS,
  INPUT,
  OUTPUT,
  LAST_RESULT,
  WORKFLOW,
  CORRELATION_ID,
  INSTANCE_NAME,
  SET_CORRELATION_ID,
  SET_INSTANCE_NAME,
  SET_OUTCOMES,
  GUID,
  SHORT_GUID,
  PARSE_GUID,
  /** Bytes are a list of numbers or Base64. */
  BYTES,
  BYTES_OF_TEXT,
  TEXT_OF_BYTES,
  BASE64_OF_BYTES,
  BASE64_OF_TEXT,
  CONFIGURED,
  EVENT_LINK,
  BOOKMARK_LINK,
  RANDOM,
  /** A limit that the prelude looks after: it ends the evaluation. */
  EXCEEDED;

  private static final HostFunction[] ALL = values();

  static HostFunction of(int number) {
    return ALL[number];
  }

  /** The constants by which the prelude calls them. */
  static String constants() {
    return IntStream.range(0, ALL.length)
        .mapToObj(number -> ALL[number].name() + " = " + number)
        .collect(Collectors.joining(", ", "const ", ";\n"));
  }
}
