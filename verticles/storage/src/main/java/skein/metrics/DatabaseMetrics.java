package skein.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a node's traffic with PostgreSQL. Thread-safe. */
public final class DatabaseMetrics {
  private final Durations statements = new Durations();
  private final LongAdder inFlight = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder exhausted = new LongAdder();
  private final Durations commits = new Durations();
  private final Distribution batches = new Distribution(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000);
  private final LongAdder waitingCommits = new LongAdder();
  private final LongAdder repeatedCommits = new LongAdder();

  /** Every statement but commits, with the wait for a connection. */
  public Durations statements() {
    return statements;
  }

  /** Sent or waiting for a connection. */
  public LongAdder inFlight() {
    return inFlight;
  }

  public LongAdder failures() {
    return failures;
  }

  /** Statements refused because too many waited for a connection. */
  public LongAdder exhausted() {
    return exhausted;
  }

  /** One batch, its repeats included. */
  public Durations commits() {
    return commits;
  }

  /** Transitions in one commit. */
  public Distribution batches() {
    return batches;
  }

  /** So many of those that waited are sent in one commit; 0: there is none. */
  public void took(int transitions) {
    if (transitions > 0) {
      waitingCommits.add(-transitions);
      batches.add(transitions);
    }
  }

  /** Transitions that wait to be sent. */
  public LongAdder waitingCommits() {
    return waitingCommits;
  }

  /** Batches sent again because the database did not answer. */
  public LongAdder repeatedCommits() {
    return repeatedCommits;
  }
}
