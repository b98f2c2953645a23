/**
 * The nouns of the engine: definitions, instances, bookmarks, timers, and the transition that one
 * burst makes of an instance.
 *
 * <p>Everything here is immutable data in plain Java; nothing reads a clock, does I/O or imports a
 * library. A JSON value is an {@code Object}: {@code null}, {@code Boolean}, {@code Long}, {@code
 * Double}, {@code java.math.BigDecimal}, {@code java.math.BigInteger}, {@code String}, {@code List}
 * or {@code Map} with string keys in document order.
 *
 * <p>Start reading at {@link skein.model.WorkflowInstance}, then {@link skein.model.Transition}.
 */
@NullMarked
package skein.model;

import org.jspecify.annotations.NullMarked;
