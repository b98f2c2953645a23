package skein.activities;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An activity that, marked with {@code canStartWorkflow}, lets a stimulus start an instance. */
public interface TriggerActivity extends Activity {

  /**
   * What the definition waits for at this activity; evaluated when it is published.
   *
   * @throws FaultException when it cannot be determined; the message is for the publisher
   */
  List<TriggerSpec> triggers(Inputs inputs);

  /** The stimulus of a start in the shape that {@link #resume} gets as its input. */
  default Map<String, @Nullable Object> startInput(@Nullable Object stimulus) {
    return Map.of();
  }
}
