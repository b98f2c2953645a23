package skein.messages;

import java.util.List;
import skein.model.Timer;

/** Notices between nodes, beside work on instances. */
public sealed interface ClusterEvent {

  /** Definitions changed: drop what is cached of them, then acknowledge. Empty list: of all. */
  record DefinitionsChanged(List<String> definitionIds) implements ClusterEvent {}

  /** A node has dropped what it had cached. */
  record Acknowledged(String nodeId) implements ClusterEvent {}

  /** Timers that were committed and fall due within the leader's horizon. */
  record TimersMade(List<Timer> timers) implements ClusterEvent {}
}
