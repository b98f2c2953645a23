package skein.node.elsa;

/** Why something of Elsa's is not taken. Names are stable: programs read them. */
public enum Reason {
  /** A workflow that a module of Elsa brings. */
  SYSTEM_WORKFLOW,
  /** A workflow that is not stored as JSON: one of C#, for example. */
  NOT_JSON,
  /** It belongs to another tenant than the one that is asked for. */
  OTHER_TENANT,
  /** Its stored form is not what Elsa writes. */
  UNREADABLE,
  /** It has an activity of a type that the cluster does not know or does not support. */
  UNKNOWN_ACTIVITY,
  /** The cluster would refuse to publish it. */
  DEFINITION_INVALID,
  /** Elsa may still execute it, and so would the cluster. */
  ELSA_MAY_RUN,
  /** An earlier version has to be published for a moment and may start instances in it. */
  CLUSTER_NOT_PAUSED,
  /** The cluster has something else under the same id. */
  DIFFERS,
  /** Elsa was executing it, or had begun to. */
  INSTANCE_AT_WORK,
  /** Its state is compressed in a way that cannot be read here. */
  STATE_COMPRESSED,
  /** Elsa's table of bookmarks and the state of the instance contradict each other. */
  BOOKMARKS_DISAGREE,
  /** It waits for something that nothing in the cluster would bring. */
  BOOKMARK_UNSUPPORTED,
  /** Its state has something without a counterpart; the detail names the member. */
  STATE_UNSUPPORTED,
  /** The version of its definition is not taken. */
  DEFINITION_NOT_TAKEN,
  /** The instance that waits for its end is not taken. */
  PARENT_NOT_TAKEN,
  /** An instance whose end it waits for is not taken. */
  CHILD_NOT_TAKEN,
  /** A label that no definition has that is taken. */
  LABEL_UNUSED,
  /** The cluster has refused it; the detail has the code. */
  REFUSED
}
