package skein.http;

/** How the audit log learns of what a route changes. */
sealed interface AuditRule {
  /**
   * The route is audited: a line before the change, completed with its outcome after it.
   *
   * @param action of the line; its first word is what is changed
   * @param urgent the change may repair a database that does not answer, so it is made without a
   *     line, too
   */
  record Line(String action, boolean urgent) implements AuditRule {}

  /** The route is not audited, for one of these reasons. */
  enum NoLine implements AuditRule {
    /** It changes nothing, whatever its method; no answer is kept for a repetition. */
    READS,
    /** It changes an instance by a commit that writes the line itself. */
    COMMITTED,
    /**
     * The ordinary work: the journal has each start and resume. A line for each would be one more
     * write for every one of them.
     */
    JOURNALED,
    /** Its handler writes the lines, and not one for each guess, which would fill the database. */
    BY_HANDLER,
    /** It changes connections of a node, and nothing that is stored. */
    NOT_STORED
  }

  static AuditRule line(String action) {
    return new Line(action, false);
  }

  static AuditRule urgent(String action) {
    return new Line(action, true);
  }
}
