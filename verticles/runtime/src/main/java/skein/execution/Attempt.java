package skein.execution;

/**
 * How a command is tried.
 *
 * @param number 1 for the first; another commit that came first makes it one more
 * @param fromMemory the state may be a copy, which may be out of date; where the history has to be
 *     checked, a copy whose history is known
 * @param checksHistory the command may be in the history of the state: both are read at one moment
 * @param alone nothing else is decided on what it proposes, so that it does not share another's
 *     fate
 */
record Attempt(int number, boolean fromMemory, boolean checksHistory, boolean alone) {
  static Attempt first(Work work) {
    return new Attempt(1, !work.isRepeated(), work.mayBeInHistory(), false);
  }

  /** With the state of the database, since a cached copy must not cause a refusal. */
  Attempt fromDatabase() {
    return new Attempt(number, false, checksHistory, alone);
  }

  /** As {@link #fromDatabase}, asking too whether the command was done before. */
  Attempt checkingHistory() {
    return new Attempt(number, false, true, alone);
  }

  /** Another commit came first, or a guard did not hold. */
  Attempt afterLoss() {
    return new Attempt(number + 1, false, true, alone);
  }

  /** Others that it was sent with, or that it was built on, were not committed. */
  Attempt afterOthers() {
    return new Attempt(alone ? number + 1 : number, false, checksHistory, true);
  }
}
