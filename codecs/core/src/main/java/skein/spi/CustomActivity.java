package skein.spi;

import java.time.Duration;
import java.util.List;

/**
 * A kind of step that definitions use by its type name. Name the class in {@code
 * META-INF/services/skein.spi.CustomActivity} of its jar; it needs a public constructor without
 * parameters. One object serves every definition and every thread.
 *
 * <p>Inputs and outputs are public records. The components are their names: {@code amount} is the
 * input {@code amount} in a definition. A component is a {@code String}, a number, a {@code
 * boolean} or its box, an enum, {@code Instant}, {@code Duration}, {@code UUID}, {@code
 * BigDecimal}, a record or {@code List} of these, {@code Map<String, Object>}, or {@code Object}
 * for any JSON value. A component that a definition does not set, and that has no {@link Default},
 * is null; for a primitive it is 0 or false.
 *
 * <p>Whatever {@link #run} and {@link #resumed} throw faults the activity.
 *
 * @param <I> its inputs
 * @param <O> its outputs
 */
public interface CustomActivity<I extends Record, O extends Record> {
  /** As definitions write it, with a prefix such as a company: {@code Acme.ChargeCard}. */
  String type();

  Class<I> inputs();

  Class<O> outputs();

  /** The outcomes that connections can follow. */
  default List<String> outcomes() {
    return List.of("Done");
  }

  /**
   * Begins. It must neither block nor do I/O: it may be called again for the same execution, and
   * its decision is committed afterwards or not at all.
   */
  Step<O> run(I inputs);

  /** Continues after {@link Step.WaitFor}, under the rules of {@link #run}. */
  default Step<O> resumed(I inputs, Step.Resumed resumed) {
    throw new IllegalStateException(type() + " does not wait");
  }

  /**
   * Does what {@link Step.Work} asks for: this one may block and do I/O. It is called on a virtual
   * thread of its own, which is interrupted at the deadline.
   *
   * <p>It runs at least once: again, with the same {@link WorkContext#idempotencyKey}, when the
   * node dies during it, and when it throws a {@link TryAgainException} and the definition allows
   * for another attempt. Any other exception faults the activity.
   */
  default Step.Done<O> work(I inputs, WorkContext context) throws Exception {
    throw new IllegalStateException(type() + " does no work");
  }

  /** The time limit of one call of {@link #work}. */
  default Duration workTimeout() {
    return Duration.ofMinutes(1);
  }
}
