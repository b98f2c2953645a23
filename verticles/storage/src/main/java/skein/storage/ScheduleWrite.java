package skein.storage;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.Schedule;
import skein.model.Timer;

/**
 * A change of a schedule with the rows that go with it.
 *
 * @param ruled its rule, policies or target are others than before
 * @param notBefore nothing is written before this instant, by the database's clock
 * @param consumes the id of a timer that must still be there: what it brings is counted once
 */
public record ScheduleWrite(
    Schedule next,
    boolean ruled,
    @Nullable Instant notBefore,
    @Nullable String consumes,
    List<Timer> made,
    List<String> done) {
  public ScheduleWrite {
    made = List.copyOf(made);
    done = List.copyOf(done);
  }
}
