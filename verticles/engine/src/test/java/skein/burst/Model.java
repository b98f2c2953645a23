package skein.burst;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.burst.Step.Value;

/**
 * Says what a drawn workflow does, by recursion over its steps instead of by an agenda. Branches
 * run one after another here, so their order means nothing.
 */
final class Model {
  final List<String> lines = new ArrayList<>();

  /** Ids of the activities that have completed, with repetitions. */
  final List<String> completed = new ArrayList<>();

  final Map<String, Object> finalVariables = new LinkedHashMap<>();
  boolean faulted;

  private final Map<String, Integer> failures;
  private final Map<String, Queue<String>> served = new HashMap<>();
  private final List<String> servedInOrder;

  /** The variables of one container; the loop variables of one turn. */
  private record Frame(@Nullable Frame outer, Map<String, Object> byId, Map<String, String> ids) {
    static Frame in(@Nullable Frame outer, List<Step.Declared> declared) {
      var frame = new Frame(outer, new LinkedHashMap<>(), new HashMap<>());
      declared.forEach(v -> frame.put(v.id(), v.name(), v.value()));
      return frame;
    }

    static Frame turn(Frame outer, String item) {
      var frame = in(outer, List.of());
      frame.put("$item", "CurrentValue", item);
      return frame;
    }

    private void put(String id, String name, Object value) {
      byId.put(id, value);
      ids.put(name, id);
    }

    private Map<String, Object> holding(String idOrName) {
      for (var at = this; at != null; at = at.outer) {
        if (at.byId.containsKey(idOrName) || at.ids.containsKey(idOrName)) {
          return at.byId;
        }
      }
      throw new IllegalStateException("The model knows no variable " + idOrName);
    }

    private String id(String idOrName) {
      for (var at = this; at != null; at = at.outer) {
        if (at.byId.containsKey(idOrName)) {
          return idOrName;
        }
        if (at.ids.containsKey(idOrName)) {
          return String.valueOf(at.ids.get(idOrName));
        }
      }
      return idOrName;
    }

    Object get(String idOrName) {
      return Objects.requireNonNull(holding(idOrName).get(id(idOrName)), idOrName);
    }

    void set(String idOrName, Object value) {
      holding(idOrName).put(id(idOrName), value);
    }
  }

  /** A step has failed for good; {@code done}: ids of what undoes what it had completed. */
  private static final class Failed extends RuntimeException {
    final transient List<Step.Line> done;

    Failed(List<Step.Line> done) {
      super(null, null, false, false);
      this.done = done;
    }
  }

  private static final class Left extends RuntimeException {
    final transient List<Step.Line> done;

    Left(List<Step.Line> done) {
      super(null, null, false, false);
      this.done = done;
    }
  }

  /**
   * @param failures by activity id: how often an attempt of it has failed
   * @param served ids of the activities whose waits were served, in order
   */
  Model(Map<String, Integer> failures, List<String> served) {
    this.failures = failures;
    this.servedInOrder = served;
  }

  void run(Step.Block root) {
    var frame = Frame.in(null, root.variables());
    try {
      members(root.id(), root.members(), frame);
      completed.add(root.id());
    } catch (Failed e) {
      undo(e.done);
      faulted = true;
    }
    finalVariables.putAll(frame.byId);
  }

  /** Returns what would undo what the step has completed, in order. */
  private List<Step.Line> run(Step step, Frame frame) {
    var done =
        switch (step) {
          case Step.Line(_, var text) -> {
            lines.add(String.valueOf(value(text, frame)));
            yield List.<Step.Line>of();
          }
          case Step.Assign(_, var variable, _, var value) -> {
            frame.set(variable, value(value, frame));
            yield List.<Step.Line>of();
          }
          case Step.Wait(var id, _, var into) -> {
            if (into != null) {
              frame.set(into, id);
            }
            yield List.<Step.Line>of();
          }
          case Step.Fail _ -> throw new Failed(List.of());
          case Step.Flaky _ -> List.<Step.Line>of();
          case Step.Leave(var id) -> {
            completed.add(id);
            throw new Left(List.of());
          }
          case Step.Block block -> block(block, frame);
          case Step.Race(_, var branches) -> run(winner(step.id(), branches), frame);
          case Step.Choice(_, var condition, var yes, var no) ->
              maybe(Boolean.TRUE.equals(value(condition, frame)) ? yes : no, frame, step);
          case Step.Cases cases -> cases(cases, frame);
          case Step.While(_, var condition, var body) -> whileHolds(condition, body, frame);
          case Step.Count count -> turns(numbers(count), count.body(), frame);
          case Step.Each(_, var items, _, var body) -> turns(items, body, frame);
          case Step.Dag dag -> dag(dag, frame);
          case Step.Rounds rounds -> rounds(rounds, frame);
        };
    completed.add(step.id());
    return done;
  }

  private static Object value(Value value, Frame frame) {
    return switch (value) {
      case Value.Fixed(var fixed) -> fixed;
      case Value.Of(var idOrName) -> frame.get(idOrName);
      case Value.Items(var items) -> items;
      case Value.Longer(var name) -> frame.get(name) + "x";
    };
  }

  private List<Step.Line> block(Step.Block block, Frame outer) {
    return members(block.id(), block.members(), Frame.in(outer, block.variables()));
  }

  private List<Step.Line> members(String blockId, List<Step.Member> members, Frame frame) {
    var done = new ArrayList<Step.Line>();
    for (var member : members) {
      try {
        var inner = attempts(member, frame);
        done.addAll(member.undo() == null ? inner : List.of(member.undo()));
      } catch (Failed e) {
        if (member.handler() == null) {
          done.addAll(e.done);
          throw new Failed(done);
        }
        undo(e.done);
        run(member.handler(), frame);
      } catch (Left e) {
        done.addAll(e.done);
        completed.add(blockId);
        throw new Left(done);
      }
    }
    return done;
  }

  /** Each attempt begins again; what the one before it had completed has yet to be undone. */
  private List<Step.Line> attempts(Step.Member member, Frame frame) {
    var done = new ArrayList<Step.Line>();
    int failed = failures.getOrDefault(member.step().id(), 0);
    for (var i = 0; i < failed && member.step() instanceof Step.Block block; i++) {
      var before = block.members().stream().takeWhile(m -> !m.step().id().startsWith(Step.SLOW));
      done.addAll(members(block.id(), before.toList(), Frame.in(frame, block.variables())));
    }
    try {
      done.addAll(run(member.step(), frame));
      return done;
    } catch (Failed e) {
      done.addAll(e.done);
      throw new Failed(done);
    } catch (Left e) {
      done.addAll(e.done);
      throw new Left(done);
    }
  }

  private void undo(List<Step.Line> done) {
    for (var line : done.reversed()) {
      run(line, Frame.in(null, List.of()));
    }
  }

  private List<Step.Line> maybe(@Nullable Step step, Frame frame, Step within) {
    if (step == null) {
      return List.of();
    }
    try {
      return run(step, frame);
    } catch (Left e) {
      completed.add(within.id());
      throw e;
    }
  }

  private Step.Block winner(String raceId, List<Step.Block> branches) {
    var byWait = new LinkedHashMap<String, Step.Block>();
    branches.forEach(branch -> byWait.put(branch.members().getFirst().step().id(), branch));
    var queue =
        served.computeIfAbsent(
            raceId,
            _ -> new ArrayDeque<>(servedInOrder.stream().filter(byWait::containsKey).toList()));
    var winner = byWait.get(String.valueOf(queue.poll()));
    if (winner == null) {
      throw new IllegalStateException("No branch has won the race " + raceId);
    }
    return winner;
  }

  private List<Step.Line> cases(Step.Cases cases, Frame frame) {
    var done = new ArrayList<Step.Line>();
    var matched = false;
    for (var i = 0; i < cases.steps().size(); i++) {
      if (Boolean.TRUE.equals(value(cases.conditions().get(i), frame))
          && (cases.all() || !matched)) {
        matched = true;
        done.addAll(run(cases.steps().get(i), frame));
      }
    }
    return matched ? done : maybe(cases.otherwise(), frame, cases);
  }

  private List<Step.Line> whileHolds(Value condition, Step body, Frame frame) {
    var done = new ArrayList<Step.Line>();
    while (Boolean.TRUE.equals(value(condition, frame))) {
      if (!turn(body, frame, done)) {
        break;
      }
    }
    return done;
  }

  /** False when it was left by a break. */
  private boolean turn(Step body, Frame frame, List<Step.Line> done) {
    try {
      done.addAll(run(body, frame));
      return true;
    } catch (Left e) {
      done.addAll(e.done);
      return false;
    } catch (Failed e) {
      done.addAll(e.done);
      throw new Failed(done);
    }
  }

  private List<Step.Line> turns(List<String> items, Step body, Frame frame) {
    var done = new ArrayList<Step.Line>();
    for (var item : items) {
      if (!turn(body, Frame.turn(frame, item), done)) {
        break;
      }
    }
    return done;
  }

  private static List<String> numbers(Step.Count count) {
    var numbers = new ArrayList<String>();
    int sign = Integer.signum(count.by());
    for (int n = count.from();
        sign * (count.to() - n) >= (count.inclusive() ? 0 : 1);
        n += count.by()) {
      numbers.add(Integer.toString(n));
    }
    return numbers;
  }

  private List<Step.Line> dag(Step.Dag dag, Frame frame) {
    var done = new ArrayList<Step.Line>();
    var run = new HashSet<>(Collections.singleton(0));
    var known = new HashSet<>(Collections.singleton(0));
    for (var i = 0; i < dag.nodes().size(); i++) {
      var into = new ArrayList<Step.Dag.Way>();
      for (var way : dag.ways()) {
        if (way.to() == i && known.contains(way.from())) {
          into.add(way);
        }
      }
      var node = dag.nodes().get(i);
      if (!into.isEmpty()) {
        known.add(i);
        var followed = into.stream().filter(way -> follows(dag, way, run)).count();
        if ("WaitAll".equals(node.join()) ? followed == into.size() : followed > 0) {
          run.add(i);
        }
      }
      if (run.contains(i)) {
        if (node.step() == null) {
          completed.add(node.id());
        } else {
          done.addAll(run(node.step(), frame));
        }
      }
    }
    return done;
  }

  private static boolean follows(Step.Dag dag, Step.Dag.Way way, Set<Integer> run) {
    var answer = dag.nodes().get(way.from()).decision();
    var outcome = answer == null ? "Done" : answer ? "True" : "False";
    return run.contains(way.from()) && outcome.equals(way.port());
  }

  private List<Step.Line> rounds(Step.Rounds rounds, Frame frame) {
    var done = new ArrayList<Step.Line>();
    do {
      for (var i = 0; i < rounds.stages().size(); i++) {
        completed.add(rounds.id() + "j" + i);
        stage(rounds, i, frame, done);
      }
      completed.add(rounds.id() + "end");
      rounds.turn().forEach(assign -> run(assign, frame));
      completed.add(rounds.id() + "again");
    } while (Boolean.TRUE.equals(value(rounds.condition(), frame)));
    return done;
  }

  private void stage(Step.Rounds rounds, int index, Frame frame, List<Step.Line> done) {
    var stage = rounds.stages().get(index);
    if (stage.race()) {
      var branches = stage.steps().stream().map(Step.Block.class::cast).toList();
      done.addAll(run(winner(rounds.id() + index, branches), frame));
      return;
    }
    for (var step : stage.steps()) {
      turn(step, frame, done);
    }
  }
}
