package skein.storage;

import skein.model.WorkflowInstance;

/** Bounds how many instances imports add. Thread-safe. */
@FunctionalInterface
public interface ImportBounds {
  /** Any number. */
  ImportBounds NONE = _ -> Reservation.NONE;

  /**
   * Counts an instance that is to be added now.
   *
   * @param instance with the tenant for which it is restored
   * @throws skein.model.SkeinException it must not be added, with {@code TOO_MANY_INSTANCES} or
   *     {@code TOO_MANY_REQUESTS}; it is not counted then
   */
  Reservation reserve(WorkflowInstance instance);

  /** An instance that was counted before it was added. One of its methods is called, once. */
  @FunctionalInterface
  interface Reservation {
    /** One that was not counted. */
    Reservation NONE = () -> {};

    /** It was added. */
    default void added() {}

    /** It was not added, as far as is known. */
    void release();
  }
}
