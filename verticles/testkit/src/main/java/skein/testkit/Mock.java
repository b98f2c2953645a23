package skein.testkit;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stands for an activity or for work outside. Called by the thread of the test. */
@FunctionalInterface
public interface Mock {
  /**
   * @param inputs of the activity by name, evaluated; or the request of the work
   */
  MockAnswer answer(Map<String, @Nullable Object> inputs);
}
