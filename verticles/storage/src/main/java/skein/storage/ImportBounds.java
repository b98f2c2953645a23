package skein.storage;

import org.jspecify.annotations.Nullable;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;

/** Bounds how many instances imports add. Thread-safe. */
public interface ImportBounds {
  /** Any number. */
  ImportBounds NONE =
      new ImportBounds() {
        @Override
        public @Nullable SkeinException refusal(WorkflowInstance instance) {
          return null;
        }

        @Override
        public void notAdded(WorkflowInstance instance) {}
      };

  /**
   * Counts an instance that is to be added now.
   *
   * @param instance with the tenant for which it is restored
   * @return why it must not be added, as {@code TOO_MANY_INSTANCES} or {@code TOO_MANY_REQUESTS};
   *     it is not counted then; null: it may be added
   */
  @Nullable SkeinException refusal(WorkflowInstance instance);

  /** An instance that was counted was not added, as far as is known. */
  void notAdded(WorkflowInstance instance);
}
