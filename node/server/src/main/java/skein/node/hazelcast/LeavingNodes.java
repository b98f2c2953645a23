package skein.node.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.topic.ITopic;
import com.hazelcast.topic.Message;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes have said that they leave, for good: so that nodes that all leave at once need not
 * hand over to each other. A node that is not notified, or too late, hands over in vain.
 * Thread-safe.
 */
final class LeavingNodes {
  private static final String TOPIC = "skein.leavers";
  private static final String SEPARATOR = " ";

  enum Step {
    LEAVING,
    /** Keeps what it has to its end, since no other node stays. */
    KEEPING
  }

  private final HazelcastInstance hazelcast;
  private final ITopic<String> topic;
  private final Map<String, Step> steps = new ConcurrentHashMap<>();

  LeavingNodes(HazelcastInstance hazelcast) {
    this.hazelcast = hazelcast;
    this.topic = hazelcast.getTopic(TOPIC);
    topic.addMessageListener(this::told);
  }

  private void told(Message<String> message) {
    var parts = Objects.requireNonNull(message.getMessageObject()).split(SEPARATOR, 2);
    var here =
        hazelcast.getCluster().getMembers().stream()
            .map(LeavingNodes::idOf)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    steps.keySet().retainAll(here);
    if (parts.length == 2 && here.contains(parts[1])) {
      for (var step : Step.values()) {
        if (step.name().equals(parts[0])) {
          steps.merge(parts[1], step, (a, b) -> a.compareTo(b) > 0 ? a : b);
        }
      }
    }
  }

  /** Tells all, without waiting for them. */
  void say(String nodeId, Step step) {
    try {
      var _ = topic.publishAsync(step.name() + SEPARATOR + nodeId);
    } catch (HazelcastException | IllegalStateException _) {
      // the others then do not know it
    }
  }

  boolean isLeaving(Member member) {
    return stepOf(member) != null;
  }

  boolean isKeeping(Member member) {
    return stepOf(member) == Step.KEEPING;
  }

  private @Nullable Step stepOf(Member member) {
    var id = idOf(member);
    return id == null ? null : steps.get(id);
  }

  private static @Nullable String idOf(Member member) {
    return member.getAttribute(MemberConfig.NODE_ID);
  }
}
