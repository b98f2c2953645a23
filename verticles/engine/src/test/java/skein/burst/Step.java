package skein.burst;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a workflow that is drawn by chance, before it is written as a definition. */
sealed interface Step {
  /** How the id of a wait begins whose scope may time out during it. */
  String SLOW = "slow";

  int ATTEMPTS = 5;

  String id();

  /** Where a value comes from. */
  sealed interface Value {
    record Fixed(Object value) implements Value {}

    /** Of a variable, by its id or by its name. */
    record Of(String idOrName) implements Value {}

    /** A list, written as the text of an {@code Object} expression. */
    record Items(List<String> items) implements Value {}

    /** JavaScript that puts a letter to the text of a variable. */
    record Longer(String name) implements Value {}
  }

  /** Ids and names of variables never equal one another. */
  record Declared(String id, String name, Object value) {}

  /**
   * A step in a container, with what may stand beside it.
   *
   * @param handler runs when the step fails
   * @param undo undoes the step once it is complete
   * @param attempts more than 1: the step is tried so often
   * @param timeout of a time that comes only while a slow wait waits
   */
  record Member(
      Step step, @Nullable Line handler, @Nullable Line undo, int attempts, boolean timeout) {
    static Member plain(Step step) {
      return new Member(step, null, null, 1, false);
    }
  }

  record Line(String id, Value text) implements Step {}

  record Assign(String id, String variable, boolean byId, Value value) implements Step {}

  /** {@code into}: the id of the variable that gets what the event brings: the id of the wait. */
  record Wait(String id, boolean delay, @Nullable String into) implements Step {}

  record Fail(String id) implements Step {}

  /** Fails until that instant. */
  record Flaky(String id, Instant until) implements Step {}

  record Leave(String id) implements Step {}

  record Block(String id, Kind kind, List<Declared> variables, List<Member> members)
      implements Step {
    enum Kind {
      SEQUENCE,
      PARALLEL,
      FORK
    }
  }

  /** Branches that each wait for an event first; the first one to be served wins. */
  record Race(String id, List<Block> branches) implements Step {}

  record Choice(String id, Value condition, @Nullable Step yes, @Nullable Step no)
      implements Step {}

  record Cases(
      String id, boolean all, List<Value> conditions, List<Step> steps, @Nullable Step otherwise)
      implements Step {}

  record While(String id, Value condition, Step body) implements Step {}

  record Count(String id, int from, int to, int by, boolean inclusive, Step body) implements Step {}

  record Each(String id, List<String> items, boolean parallel, Step body) implements Step {}

  /** Any flowchart without a way back. Nodes are numbered, ways lead to higher numbers. */
  record Dag(String id, List<Node> nodes, List<Way> ways) implements Step {
    /** {@code decision}: the answer of a decision; {@code join}: the mode of a join. */
    record Node(
        String id, @Nullable Step step, @Nullable Boolean decision, @Nullable String join) {}

    record Way(int from, String port, int to) {}
  }

  /**
   * A flowchart of stages between joins that goes back to its beginning while a condition holds.
   *
   * @param turn steps before the condition is looked at
   */
  record Rounds(String id, List<Stage> stages, List<Assign> turn, Value condition) implements Step {
    /** {@code race}: each step waits for an event first, and one is enough. */
    record Stage(List<Step> steps, boolean race, String join) {}
  }
}
