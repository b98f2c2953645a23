package skein.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import skein.burst.Step.Block;
import skein.burst.Step.Block.Kind;
import skein.burst.Step.Declared;
import skein.burst.Step.Line;
import skein.burst.Step.Member;
import skein.burst.Step.Value;

/**
 * Draws workflows whose result does not depend on the order in which branches happen to run: a
 * branch writes only variables that it declares itself.
 */
final class Draw {
  private final Random random;
  private final boolean tokens;
  private int left;
  private int ids;
  private boolean branches;

  /**
   * A workflow.
   *
   * @param ordered nothing in it runs beside something else
   */
  record Drawn(Block root, boolean tokens, boolean ordered) {}

  /**
   * What may be drawn somewhere.
   *
   * @param own variables of text that may be written here
   * @param seen variables of text that may be read here
   * @param flags variables of truth values
   * @param mayFail nothing beside it runs up to what handles the failure
   * @param mayLeave a break would leave a loop
   * @param once is executed at most once at a time
   * @param single is executed at most once at all
   */
  private record At(
      List<Declared> own,
      List<Declared> seen,
      List<String> flags,
      boolean mayFail,
      boolean mayLeave,
      boolean once,
      boolean single,
      int depth) {
    At deeper() {
      return new At(own, seen, flags, mayFail, false, once, single, depth + 1);
    }

    At branch(boolean manyTimes) {
      return new At(
          List.of(),
          seen,
          flags,
          false,
          false,
          once && !manyTimes,
          single && !manyTimes,
          depth + 1);
    }

    At loop() {
      return new At(own, seen, flags, mayFail, true, once, false, depth + 1);
    }

    At chart() {
      return new At(own, seen, flags, mayFail, false, once, false, depth + 1);
    }

    At again() {
      return new At(own, seen, flags, mayFail, mayLeave, once, false, depth);
    }

    At failing(boolean may) {
      return new At(own, seen, flags, may, mayLeave, once, single, depth);
    }

    At leaving(boolean may) {
      return new At(own, seen, flags, mayFail, may, once, single, depth);
    }
  }

  private Draw(long seed, int size) {
    this.random = new Random(seed);
    this.tokens = random.nextInt(3) == 0;
    this.left = size;
  }

  /** The same workflow for the same seed and size. */
  static Drawn workflow(long seed, int size) {
    var draw = new Draw(seed, size);
    var nothing = new At(List.of(), List.of(), List.of(), false, false, true, true, 0);
    var root = draw.sequence(nothing.failing(draw.random.nextInt(4) == 0), List.of());
    return new Drawn(root, draw.tokens, !draw.branches);
  }

  private String id(String kind) {
    return kind + ++ids;
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** A container with variables of its own, some of which have names that are taken outside. */
  private Block sequence(At at, List<Member> before) {
    var declared = new ArrayList<Declared>();
    for (var name : List.of("a", "b", "c")) {
      if (oneIn(2)) {
        var id = id("v");
        declared.add(new Declared(id, name, "default of " + id));
      }
    }
    var own = new ArrayList<>(at.own);
    own.removeIf(v -> declared.stream().anyMatch(d -> d.name().equals(v.name()) && oneIn(2)));
    own.addAll(declared);
    var seen = new ArrayList<>(at.seen);
    seen.addAll(declared);
    var in = new At(own, seen, at.flags, at.mayFail, at.mayLeave, at.once, at.single, at.depth);
    var members = new ArrayList<>(before);
    do {
      members.add(member(in));
    } while (left > 0 && random.nextInt(4) > 0);
    if (at.mayLeave && oneIn(4)) {
      members.add(Member.plain(leaving(in)));
    }
    return new Block(id("seq"), Kind.SEQUENCE, declared, members);
  }

  private Step leaving(At at) {
    var leave = new Step.Leave(id("leave"));
    return new Step.Choice(id("if"), condition(at), leave, null);
  }

  private Member member(At at) {
    var handled = oneIn(6);
    if (at.single && oneIn(12)) {
      return retried(at);
    }
    if (oneIn(25)) {
      return flaky();
    }
    var step = step(at.failing(at.mayFail || handled));
    var handler = handled ? line("handler") : null;
    var undo = oneIn(4) ? line("undo") : null;
    return new Member(step, handler, undo, 1, oneIn(10));
  }

  private Line line(String kind) {
    var id = id(kind);
    return new Line(id, new Value.Fixed(id));
  }

  /** The scope waits for what may take too long, and is then tried again. */
  private Member retried(At at) {
    var inner = at.failing(false).leaving(false).again();
    var block = sequence(inner, List.of());
    var members = new ArrayList<>(block.members());
    members.add(Member.plain(new Step.Wait(id(Step.SLOW), false, null)));
    if (oneIn(2)) {
      members.add(Member.plain(line("after")));
    }
    var scope = new Block(block.id(), Kind.SEQUENCE, block.variables(), members);
    return new Member(scope, null, oneIn(4) ? line("undo") : null, Step.ATTEMPTS, true);
  }

  private Member flaky() {
    var until = Workflows.NOW.plusSeconds(random.nextInt(4) * 1_800L);
    return new Member(new Step.Flaky(id("flaky"), until), null, null, Step.ATTEMPTS, oneIn(2));
  }

  private Step step(At at) {
    left--;
    if (left <= 0 || at.depth > 5 || oneIn(2)) {
      return leaf(at);
    }
    return switch (random.nextInt(tokens ? 11 : 13)) {
      case 0 -> sequence(at.deeper().leaving(at.mayLeave), List.of());
      case 1 -> parallel(at);
      case 2 -> at.once ? race() : parallel(at);
      case 3 -> new Step.Choice(id("if"), condition(at), step(at.deeper()), maybe(at));
      case 4 -> cases(at);
      case 5 -> whileLoop(at);
      case 6 -> count(at);
      case 7 -> new Step.Each(id("each"), items(), false, sequence(at.loop(), List.of()));
      case 8 -> many(at);
      case 9, 10 -> rounds(at);
      default -> dag(at);
    };
  }

  private @Nullable Step maybe(At at) {
    return oneIn(2) ? null : step(at.deeper());
  }

  private Step leaf(At at) {
    return switch (random.nextInt(at.mayFail ? 7 : 6)) {
      case 0, 1 -> new Line(id("line"), text(at));
      case 2, 3 -> at.own.isEmpty() ? line("line") : assign(at);
      case 4 -> wait(at, oneIn(2));
      case 5 -> line("line");
      default -> new Step.Fail(id("fail"));
    };
  }

  private Step assign(At at) {
    var target = one(at.own);
    var byId = oneIn(2) || !nearest(at, target);
    var value = oneIn(12) && nearest(at, target) ? new Value.Longer(target.name()) : text(at);
    return new Step.Assign(id("set"), byId ? target.id() : target.name(), byId, value);
  }

  private static boolean nearest(At at, Declared variable) {
    for (var seen : at.seen.reversed()) {
      if (seen.name().equals(variable.name())) {
        return seen.equals(variable);
      }
    }
    return false;
  }

  private Value text(At at) {
    if (at.seen.isEmpty() || oneIn(2)) {
      return new Value.Fixed("text " + ++ids);
    }
    var variable = one(at.seen);
    return new Value.Of(nearest(at, variable) && oneIn(2) ? variable.name() : variable.id());
  }

  private Step.Wait wait(At at, boolean delay) {
    var into = delay || at.own.isEmpty() || oneIn(2) ? null : one(at.own).id();
    return new Step.Wait(id("wait"), delay, into);
  }

  private Value condition(At at) {
    return at.flags.isEmpty() || oneIn(3)
        ? new Value.Fixed(random.nextBoolean())
        : new Value.Of(one(at.flags));
  }

  private List<String> items() {
    var items = new ArrayList<String>();
    for (var i = random.nextInt(4); i > 0; i--) {
      items.add("item " + i);
    }
    return items;
  }

  private Step parallel(At at) {
    branches = true;
    var members = new ArrayList<Member>();
    for (var i = 1 + random.nextInt(3); i > 0; i--) {
      members.add(Member.plain(sequence(at.branch(false), List.of())));
    }
    var kind = oneIn(2) ? Kind.PARALLEL : Kind.FORK;
    return new Block(id("all"), kind, List.of(), members);
  }

  private Step many(At at) {
    branches = true;
    var shown = Member.plain(new Line(id("item"), new Value.Of("CurrentValue")));
    return new Step.Each(id("many"), items(), true, sequence(at.branch(true), List.of(shown)));
  }

  private Step race() {
    return new Step.Race(id("race"), racers());
  }

  /** Only the first step of each waits. */
  private List<Block> racers() {
    var racers = new ArrayList<Block>();
    for (var i = 2 + random.nextInt(2); i > 0; i--) {
      var members =
          List.of(Member.plain(new Step.Wait(id("wait"), false, null)), Member.plain(line("won")));
      racers.add(new Block(id("racer"), Kind.SEQUENCE, List.of(), members));
    }
    return racers;
  }

  private Step cases(At at) {
    var all = oneIn(2);
    branches |= all;
    var within = all ? at.branch(false) : at.deeper();
    var conditions = new ArrayList<Value>();
    var steps = new ArrayList<Step>();
    for (var i = 1 + random.nextInt(3); i > 0; i--) {
      conditions.add(condition(at));
      steps.add(sequence(within, List.of()));
    }
    return new Step.Cases(id("switch"), all, conditions, steps, maybe(at));
  }

  /** A register of truth values that is shifted once each turn. */
  private record Register(List<Declared> flags, List<Step.Assign> shift) {}

  private Register register() {
    var flags = new ArrayList<Declared>();
    var shift = new ArrayList<Step.Assign>();
    for (var i = random.nextInt(3); i >= 0; i--) {
      var id = id("r");
      flags.add(new Declared(id, "n" + id, i > 0));
    }
    for (var i = 1; i < flags.size(); i++) {
      var from = new Value.Of(flags.get(i).id());
      shift.add(new Step.Assign(id("shift"), flags.get(i - 1).id(), true, from));
    }
    return new Register(flags, shift);
  }

  private Step whileLoop(At at) {
    var register = register();
    var flags = new ArrayList<>(at.flags);
    register.flags.forEach(flag -> flags.add(flag.id()));
    var shift = register.shift.stream().map(Member::plain).toList();
    var in = new At(at.own, at.seen, flags, at.mayFail, true, at.once, false, at.depth + 2);
    var loop =
        new Step.While(
            id("while"), new Value.Of(register.flags.getFirst().id()), sequence(in, shift));
    return new Block(id("scope"), Kind.SEQUENCE, register.flags, List.of(Member.plain(loop)));
  }

  private Step count(At at) {
    int by = (1 + random.nextInt(2)) * (oneIn(2) ? 1 : -1);
    int from = random.nextInt(3);
    var shown = Member.plain(new Line(id("n"), new Value.Of("CurrentValue")));
    return new Step.Count(
        id("for"),
        from,
        from + by * random.nextInt(3) + random.nextInt(2),
        by,
        oneIn(2),
        sequence(at.loop(), List.of(shown)));
  }

  private Step rounds(At at) {
    var register = register();
    var stages = new ArrayList<Step.Rounds.Stage>();
    for (var i = 1 + random.nextInt(3); i > 0; i--) {
      stages.add(stage(at));
    }
    var chart =
        new Step.Rounds(
            id("rounds"), stages, register.shift, new Value.Of(register.flags.getFirst().id()));
    return new Block(id("scope"), Kind.SEQUENCE, register.flags, List.of(Member.plain(chart)));
  }

  private Step.Rounds.Stage stage(At at) {
    if (at.once && oneIn(4)) {
      return new Step.Rounds.Stage(List.copyOf(racers()), true, "WaitAny");
    }
    var mode = oneIn(2) ? "WaitAll" : "WaitAllActive";
    if (oneIn(2)) {
      return new Step.Rounds.Stage(List.of(step(at.chart())), false, mode);
    }
    branches = true;
    var steps = new ArrayList<Step>();
    var within = at.chart().branch(false);
    for (var i = 2 + random.nextInt(2); i > 0; i--) {
      steps.add(sequence(within, List.of()));
    }
    return new Step.Rounds.Stage(steps, false, mode);
  }

  private Step dag(At at) {
    branches = true;
    var nodes = new ArrayList<Step.Dag.Node>();
    var ways = new ArrayList<Step.Dag.Way>();
    int size = 2 + random.nextInt(6);
    for (var from = 0; from < size; from++) {
      var node = node(at);
      nodes.add(node);
      for (var to = from + 1; to < size; to++) {
        if (random.nextInt(5) < 2) {
          var port = node.decision() == null ? "Done" : random.nextBoolean() ? "True" : "False";
          ways.add(new Step.Dag.Way(from, port, to));
        }
      }
    }
    return new Step.Dag(id("dag"), nodes, ways);
  }

  private Step.Dag.Node node(At at) {
    return switch (random.nextInt(5)) {
      case 0 -> new Step.Dag.Node(id("decision"), null, random.nextBoolean(), null);
      case 1 -> new Step.Dag.Node(id("join"), null, null, oneIn(2) ? "WaitAll" : "WaitAllActive");
      default -> {
        var step = sequence(at.branch(false), List.of());
        yield new Step.Dag.Node(step.id(), step, null, null);
      }
    };
  }
}
