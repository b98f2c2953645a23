package skein.model;

/**
 * Errors and warnings about a definition. Names are stable: programs distinguish findings by them.
 */
public enum FindingCode {
  /** It cannot be read as a definition at all. */
  INVALID_DOCUMENT,
  NO_ROOT,
  MISSING_TYPE,
  /** No node knows the activity type. */
  UNKNOWN_TYPE,
  /** An activity of Elsa that is left out. */
  UNSUPPORTED_TYPE,
  /** Other nodes know the activity type, the one that answers does not. */
  TYPE_ELSEWHERE,
  /** A workflow that is used or started does not exist, or is not published. */
  UNKNOWN_WORKFLOW,
  RECURSIVE_WORKFLOW,
  LIMIT_EXCEEDED,
  INVALID_ACTIVITY_ID,
  /** A defect of a variable or an input of a workflow or a container. */
  INVALID_DECLARATION,
  INVALID_EXPRESSION,
  INVALID_FORM,
  /** An error that only the type of the activity can name. */
  INVALID_ACTIVITY,
  /** A retry, a timeout or another of the custom properties for failures. */
  INVALID_POLICY,
  INVALID_TRIGGER,
  /**
   * A connection, {@code onFault} or {@code compensatedBy} names an activity that does not exist.
   */
  UNKNOWN_ACTIVITY,
  /** A member of an activity that its type does not have, which is ignored. */
  UNKNOWN_INPUT,
  /** A connection leaves by an outcome that its activity does not have. */
  UNKNOWN_PORT,
  /** A literal that cannot be converted to the type of its input. */
  WRONG_TYPE,
  UNKNOWN_VARIABLE,
  /** A secret that the node does not have. */
  UNKNOWN_SECRET,
  /** Nothing leads to the activity. */
  UNREACHABLE,
  /** An activity continues after a failure by an outcome that leads nowhere. */
  UNHANDLED_FAILURE
}
