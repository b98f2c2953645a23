package skein.messages;

import org.jspecify.annotations.Nullable;

/** Every event-bus address. The names are part of the wire format. */
public final class Addresses {
  /** {@link Request}s, as records or as JSON objects; any node answers. */
  public static final String START = "skein.start";

  public static final String RESUME = "skein.resume";
  public static final String EVENT = "skein.event";
  public static final String TASK = "skein.task";
  public static final String CANCEL = "skein.cancel";
  public static final String QUERY = "skein.query";
  public static final String JOURNAL = "skein.journal";

  /**
   * JSON notices of tasks that wait to be done, published to all: {@code {v, workflowInstanceId,
   * taskId, taskName, payload}}.
   */
  public static final String TASKS = "skein.tasks";

  /** Types of jobs that wait for workers, as a JSON array; published to all. */
  public static final String JOBS = "skein.jobs";

  /**
   * The id of a node that takes part in the scheduler from now on, or no longer, or has given up
   * leases; published to all. A hint: the database has the facts.
   */
  public static final String SCHEDULER = "skein.scheduler";

  /** Header of a request: executed once, however often it is sent with this value. */
  public static final String IDEMPOTENCY_KEY = "idempotency-key";

  /** Header of a request: its sender, as they claim, for the audit log. */
  public static final String ACTOR = "actor";

  /** Header of a request: its credentials, {@code Bearer <token>} or {@code ApiKey <key>}. */
  public static final String AUTHORIZATION = "authorization";

  private static final String EXECUTION_OF = "skein.execution.";
  private static final String ORDERS_OF = "skein.orders.";
  private static final String ANSWERS_OF = "skein.answers.";
  private static final String NODE_OF = "skein.node.";
  private static final String DEFINITIONS_OF = "skein.definitions.";
  private static final String LINKS_OF = "skein.links.";
  private static final String PINGS_OF = "skein.ping.";
  private static final String INQUIRIES_OF = "skein.inquiry.";

  private Addresses() {}

  /** {@link ClusterEvent.TimersMade}, to the leader of one shard of so many. */
  public static String timers(int shard, int shards) {
    return "skein.timers." + shard + "." + shards;
  }

  /** {@link Command}s for the instances of one lane of one node. */
  public static String execution(String nodeId, int lane) {
    return EXECUTION_OF + nodeId + "." + lane;
  }

  /** Many {@link Command}s in one message, for the instances of one lane of one node. */
  public static String orders(String nodeId, int lane) {
    return ORDERS_OF + nodeId + "." + lane;
  }

  /** For one node: {@link Reply}s, many in one message, to what it sent to {@link #orders}. */
  public static String answers(String nodeId) {
    return ANSWERS_OF + nodeId;
  }

  /** Actions of a node on itself: the name of an action, answered with JSON. */
  public static String node(String nodeId) {
    return NODE_OF + nodeId;
  }

  /** {@link ClusterEvent.DefinitionsChanged}, to one node, which acknowledges. */
  public static String definitions(String nodeId) {
    return DEFINITIONS_OF + nodeId;
  }

  /** For one node, about the nodes that another one hears: JSON, several times a second. */
  public static String links(String nodeId) {
    return LINKS_OF + nodeId;
  }

  /** For one node, which answers at once, without content. */
  public static String ping(String nodeId) {
    return PINGS_OF + nodeId;
  }

  /** A question to one node about a topic: JSON, answered with JSON. */
  public static String inquiry(String topic, String nodeId) {
    return INQUIRIES_OF + topic + "." + nodeId;
  }

  /** The id of the only node that listens to an address; null where there may be others. */
  public static @Nullable String nodeOf(String address) {
    if (address.startsWith(EXECUTION_OF)) {
      return withoutLane(address, EXECUTION_OF);
    }
    if (address.startsWith(ORDERS_OF)) {
      return withoutLane(address, ORDERS_OF);
    }
    if (address.startsWith(ANSWERS_OF)) {
      return address.substring(ANSWERS_OF.length());
    }
    if (address.startsWith(NODE_OF)) {
      return address.substring(NODE_OF.length());
    }
    if (address.startsWith(LINKS_OF)) {
      return address.substring(LINKS_OF.length());
    }
    if (address.startsWith(PINGS_OF)) {
      return address.substring(PINGS_OF.length());
    }
    if (address.startsWith(INQUIRIES_OF)) {
      return address.substring(address.lastIndexOf('.') + 1);
    }
    return address.startsWith(DEFINITIONS_OF) ? address.substring(DEFINITIONS_OF.length()) : null;
  }

  private static @Nullable String withoutLane(String address, String prefix) {
    int lane = address.lastIndexOf('.');
    return lane < prefix.length() ? null : address.substring(prefix.length(), lane);
  }
}
