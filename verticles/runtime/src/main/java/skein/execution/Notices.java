package skein.execution;

import java.util.List;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Timer;

/** Notices after a commit. All of them may be lost: the rows are the truth. */
public interface Notices {
  /** A task waits for its completion. */
  void taskRequested(InstanceId id, Effect.TaskRequested task);

  /** A job waits for a worker; {@code type}: what it is leased by. */
  void jobWaiting(String type);

  /** Timers that fall due soon. */
  void timersMade(List<Timer> soon);
}
