package skein.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import skein.execution.SimulatedNode;

/**
 * What is done to a cluster and what befalls it, drawn from a seed. Instants are microseconds from
 * the beginning.
 *
 * @param seed of everything else that is drawn while the plan is carried out
 */
record Plan(
    long seed,
    int nodes,
    int lanes,
    boolean locks,
    SimulatedNode.Settings settings,
    List<String> definitions,
    List<Item> items,
    List<Fault> faults) {

  /** Of one statement; one of them for each seed: the usual, one proposal, and some. */
  private static final List<Long> BATCH_BYTES_MAX = List.of(8L << 20, 1L, 2_000L);

  /** Of one definition or tenant; one of them for each seed. */
  private static final List<Integer> INSTANCES_MAX = List.of(0, 1, 0, 2);

  enum Op {
    START,
    RESUME,
    RESUME_ONLY,
    PUBLISH,
    TASK,
    COMPLETE_TASK,
    MINT,
    USE_TOKEN,
    REVOKE,
    CHANGE_DUE,
    ALTER,
    /** What waits at a bookmark ends without it. */
    SKIP,
    /** Another instance begins where this one was after one of its bursts. */
    FORK,
    CANCEL,
    RECREATE,
    /** An instance of another cluster is added as it was there. */
    IMPORT
  }

  /**
   * Something that a caller asks for.
   *
   * @param node whose HTTP it uses, if that is there
   * @param instance a number
   * @param choice between bookmarks, names, and so on
   * @param copies so many callers ask for the same; with a key they do so under that key
   */
  record Item(
      int number,
      long at,
      Op op,
      int node,
      int instance,
      int choice,
      boolean keyed,
      int copies,
      long spread) {
    String mark() {
      return "m" + number;
    }
  }

  enum Trouble {
    /** Some messages between nodes are lost. */
    LOSS,
    /** Some messages between nodes take their time, and overtake one another. */
    DELAY,
    /** A node neither hears the others nor is heard. */
    SPLIT,
    /** One node does not hear one other. */
    ONE_WAY,
    KILL,
    FREEZE,
    /** A node sees other members than the others do. */
    VIEWS,
    /** The database cannot be reached. */
    AWAY,
    SLOW,
    /** Answers of commits stay away; the commits do or do not, or come late. */
    LIMBO,
    /** The same of all other statements. */
    LOST_READS
  }

  record Fault(int number, Trouble trouble, long at, long duration, int node, int percent) {
    boolean isOn(long micros) {
      return at <= micros && micros < at + duration;
    }
  }

  /** When the last fault is over. */
  long end() {
    long end = 0;
    for (var item : items) {
      end = Math.max(end, item.at() + item.copies() * item.spread());
    }
    for (var fault : faults) {
      end = Math.max(end, fault.at() + fault.duration());
    }
    return end;
  }

  /** Whether a node is of a version whose lanes take each order in a message of its own. */
  boolean isOlder(int start) {
    return Math.floorMod(seed, 5) == start;
  }

  Plan without(Set<Integer> items, Set<Integer> faults, long nextSeed) {
    return new Plan(
        nextSeed,
        nodes,
        lanes,
        locks,
        settings,
        definitions,
        this.items.stream().filter(item -> !items.contains(item.number())).toList(),
        this.faults.stream().filter(fault -> !faults.contains(fault.number())).toList());
  }

  static Plan draw(long seed) {
    var random = new SplittableRandom(seed);
    int nodes = oneOf(random, 1, 2, 2, 3, 3);
    var settings =
        new SimulatedNode.Settings(
            oneOf(random, 1, 4, 100, 100),
            oneOf(random, 1, 100, 100),
            oneOf(random, 2, 20, 100),
            BATCH_BYTES_MAX.get(Math.floorMod(seed, BATCH_BYTES_MAX.size())),
            oneOf(random, 1, 2, 8),
            oneOf(random, 2, 3, 5),
            oneOf(random, 0, 0, 50),
            random.nextInt(6) == 0,
            seed % 8 == 0,
            INSTANCES_MAX.get(Math.floorMod(seed, INSTANCES_MAX.size())),
            Math.floorMod(seed, 32) >= 20 && Math.floorMod(seed, 8) >= 4);
    var definitions = new ArrayList<String>();
    int instances = 1 + random.nextInt(3);
    for (int i = 0; i < instances; i++) {
      definitions.add(Workflows.NAMES.get(random.nextInt(Workflows.NAMES.size())));
    }
    if (settings.instancesMax() > 0 && Math.floorMod(seed, 8) >= 4) {
      // Several of one, so that their limit is met.
      boolean inWaves = Math.floorMod(seed, 16) >= 12;
      var name = inWaves ? Workflows.WAVES : definitions.getFirst();
      definitions.replaceAll(_ -> name);
      if (settings.limitsTenants()) {
        for (int i = 0; i < instances; i++) {
          definitions.set(i, Workflows.OF_TENANT.get(i));
        }
      }
    }
    if (Math.floorMod(seed, 16) == 2) {
      var name = Math.floorMod(seed, 32) == 2 ? Workflows.BULK : Workflows.BULK_AGAIN;
      definitions.replaceAll(_ -> name);
    }
    var faults = drawFaults(random, nodes);
    long course = random.nextLong();
    int lanes = 1 + random.nextInt(3);
    boolean locks = random.nextBoolean();
    var items = drawItems(random, definitions, faults);
    if (Math.floorMod(seed, 9) == 4) {
      nodes = Math.max(2, nodes);
      addOvertaken(random, nodes, definitions, items, faults);
    }
    if (Math.floorMod(seed, 11) == 7) {
      nodes = Math.max(2, nodes);
      addRevived(random, definitions, items, faults);
    }
    if (Math.floorMod(seed, 5) == 3) {
      var imports = new SplittableRandom(~seed);
      addImports(imports, items, faults);
      addTooMany(imports, items, settings.instancesMax());
    }
    return new Plan(course, nodes, lanes, locks, settings, definitions, items, faults);
  }

  /** As many as there may be of one definition, and then one that goes on after its fault. */
  private static void addTooMany(SplittableRandom random, List<Item> items, int max) {
    for (int i = 0; i <= max && max > 0; i++) {
      long at = i < max ? random.nextLong(60_000) : 150_000 + random.nextLong(100_000);
      int choice = i < max ? Imports.WENT_ON : Imports.FAULTED;
      items.add(new Item(items.size(), at, Op.IMPORT, 0, 0, choice, false, 1, 0));
    }
  }

  /** Some by several callers at nearly the same time, often while a fault is on. */
  private static void addImports(SplittableRandom random, List<Item> items, List<Fault> faults) {
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      long at = random.nextLong(300_000);
      if (!faults.isEmpty() && random.nextBoolean()) {
        var fault = faults.get(random.nextInt(faults.size()));
        at = Math.max(0, fault.at() - 3_000 + random.nextLong(fault.duration()));
      }
      items.add(
          new Item(
              items.size(),
              at,
              Op.IMPORT,
              random.nextInt(3),
              0,
              random.nextInt(100),
              false,
              oneOf(random, 1, 1, 2, 3),
              random.nextLong(random.nextBoolean() ? 3_000 : 300_000)));
    }
  }

  /**
   * Commands that do something each time they are decided, of an instance that goes on waiting, are
   * so long on their way that they are sent again before they arrive.
   */
  private static void addOvertaken(
      SplittableRandom random,
      int nodes,
      List<String> definitions,
      List<Item> items,
      List<Fault> faults) {
    int instance = random.nextInt(definitions.size());
    definitions.set(instance, Workflows.ROW);
    int percent = 30 + random.nextInt(50);
    faults.add(new Fault(faults.size(), Trouble.DELAY, 0, 6_000_000, 0, percent));
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      long at = 20_000 + random.nextLong(1_000_000);
      items.add(
          new Item(
              items.size(),
              at,
              Op.RESUME_ONLY,
              random.nextInt(3),
              instance,
              random.nextInt(100),
              false,
              1,
              0));
    }
    if (random.nextInt(3) == 0) {
      addOrphaned(random, nodes, instance, items, faults);
    }
  }

  /** Who has claimed a key dies, and others take it over while the command is on its way. */
  private static void addOrphaned(
      SplittableRandom random, int nodes, int instance, List<Item> items, List<Fault> faults) {
    long at = 100_000 + random.nextLong(500_000);
    int node = random.nextInt(nodes);
    long spread = 200_000 + random.nextLong(500_000);
    items.add(
        new Item(items.size(), at, Op.ALTER, node, instance, random.nextInt(100), true, 3, spread));
    long death = at + 1_000 + random.nextLong(8_000);
    faults.add(new Fault(faults.size(), Trouble.KILL, death, 800_000, node, 0));
  }

  /** Commands are so long on their way that their instance has faulted and goes on meanwhile. */
  private static void addRevived(
      SplittableRandom random, List<String> definitions, List<Item> items, List<Fault> faults) {
    int instance = random.nextInt(definitions.size());
    definitions.set(instance, Workflows.FAULTS);
    int percent = 30 + random.nextInt(50);
    faults.add(new Fault(faults.size(), Trouble.DELAY, 0, 6_000_000, 0, percent));
    for (int i = 0; i < 10; i++) {
      boolean revives = i % 5 == 0;
      items.add(
          new Item(
              items.size(),
              revives ? 400_000 + random.nextLong(3_000_000) : 8_000 + random.nextLong(400_000),
              revives ? Op.SKIP : OF_BOOKMARKS.get(random.nextInt(OF_BOOKMARKS.size())),
              random.nextInt(3),
              instance,
              random.nextInt(100),
              false,
              1,
              0));
    }
  }

  private static int oneOf(SplittableRandom random, int... values) {
    return values[random.nextInt(values.length)];
  }

  private static List<Fault> drawFaults(SplittableRandom random, int nodes) {
    var faults = new ArrayList<Fault>();
    int count = oneOf(random, 0, 1, 2, 3, 4);
    for (int i = 0; i < count; i++) {
      var trouble =
          switch (random.nextInt(6)) {
            case 0 -> Trouble.LIMBO;
            case 1 -> Trouble.LOST_READS;
            default -> Trouble.values()[random.nextInt(Trouble.values().length)];
          };
      long duration = 5_000 + random.nextLong(random.nextBoolean() ? 100_000 : 2_500_000);
      int percent = 20 + random.nextInt(80);
      faults.add(
          new Fault(
              i, trouble, random.nextLong(300_000), duration, random.nextInt(nodes), percent));
    }
    if (random.nextInt(5) == 0) {
      addTwoOwners(random, nodes, faults);
    }
    return faults;
  }

  /** Commands are slow, are sent again, and arrive at another node than the first time. */
  private static void addTwoOwners(SplittableRandom random, int nodes, List<Fault> faults) {
    long at = random.nextLong(100_000);
    int node = random.nextInt(nodes);
    for (var trouble : List.of(Trouble.SLOW, Trouble.VIEWS)) {
      int percent = trouble == Trouble.SLOW ? 20 + random.nextInt(40) : random.nextInt(100);
      long begin = trouble == Trouble.SLOW ? at : at + random.nextLong(600_000);
      faults.add(new Fault(faults.size(), trouble, begin, 1_500_000, node, percent));
    }
  }

  private static final List<Op> OPS =
      List.of(
          Op.RESUME,
          Op.RESUME,
          Op.RESUME,
          Op.RESUME,
          Op.RESUME,
          Op.RESUME_ONLY,
          Op.RESUME_ONLY,
          Op.PUBLISH,
          Op.PUBLISH,
          Op.PUBLISH,
          Op.TASK,
          Op.TASK,
          Op.COMPLETE_TASK,
          Op.COMPLETE_TASK,
          Op.MINT,
          Op.MINT,
          Op.USE_TOKEN,
          Op.USE_TOKEN,
          Op.REVOKE,
          Op.ALTER,
          Op.ALTER,
          Op.CANCEL,
          Op.RECREATE);

  /** Those that do something each time they are decided. */
  private static final List<Op> ONCE =
      List.of(Op.ALTER, Op.ALTER, Op.MINT, Op.TASK, Op.REVOKE, Op.RESUME_ONLY, Op.RESUME_ONLY);

  /** Those that a fault refuses, and accepts again once its instance goes on. */
  private static final List<Op> OF_BOOKMARKS =
      List.of(Op.RESUME, Op.MINT, Op.REVOKE, Op.CHANGE_DUE);

  /** What is asked for of those whose children may fault; in place of anything else, a skip. */
  private static final Set<Op> OF_PARENTS =
      Set.of(Op.RESUME, Op.PUBLISH, Op.FORK, Op.CANCEL, Op.SKIP);

  /** Volleys: several at nearly the same time, of one instance, often while a fault is on. */
  private static List<Item> drawItems(
      SplittableRandom random, List<String> definitions, List<Fault> faults) {
    var items = new ArrayList<Item>();
    for (int i = 0; i < definitions.size(); i++) {
      boolean keyed = random.nextInt(5) == 0;
      int copies = keyed ? 1 + random.nextInt(3) : 1;
      items.add(
          new Item(
              items.size(),
              random.nextLong(random.nextInt(4) == 0 ? 200_000 : 5_000),
              Op.START,
              random.nextInt(3),
              i,
              random.nextInt(100),
              keyed,
              copies,
              random.nextLong(20_000)));
    }
    int volleys = 1 + random.nextInt(5);
    for (int v = 0; v < volleys; v++) {
      long begin = 6_000 + random.nextLong(400_000);
      if (!faults.isEmpty() && random.nextInt(4) > 0) {
        var fault = faults.get(random.nextInt(faults.size()));
        begin = Math.max(6_000, fault.at() - 3_000 + random.nextLong(fault.duration()));
      }
      int instance = random.nextInt(definitions.size());
      int size = 1 + random.nextInt(6);
      long width = oneOf(random, 500, 3_000, 30_000);
      int same = random.nextInt(4) == 0 ? random.nextInt(100) : -1;
      var style = random.nextInt(6);
      if (style < 2) {
        // All bookmarks of an instance at once, or one event by several.
        var op = style == 0 ? Op.RESUME : Op.PUBLISH;
        int node = random.nextInt(3);
        for (int i = 0; i < 2 + size / 2; i++) {
          int choice = style == 0 ? i : 1 + instance + 15 * i;
          items.add(
              new Item(
                  items.size(),
                  begin + random.nextLong(500),
                  op,
                  style == 0 ? node : i,
                  instance,
                  choice,
                  false,
                  1,
                  0));
        }
        continue;
      }
      for (int i = 0; i < size; i++) {
        var op =
            style == 2
                ? ONCE.get(random.nextInt(ONCE.size()))
                : OPS.get(random.nextInt(OPS.size()));
        if ((op == Op.TASK || op == Op.COMPLETE_TASK)
            && !Workflows.hasTasks(definitions.get(instance))) {
          op = Op.RESUME;
        }
        if (style != 2 && (op == Op.REVOKE || op == Op.MINT) && items.size() % 2 == 0) {
          op = Op.CHANGE_DUE;
        }
        if (style != 2 && op == Op.RESUME && items.size() % 4 == 3) {
          op = items.size() % 8 == 3 ? Op.FORK : Op.SKIP;
        }
        if (op == Op.RECREATE && Workflows.startsOthers(definitions.get(instance))) {
          op = Op.RESUME; // The children of the first would be taken for those of the second.
        }
        if (Workflows.awaitsFragile(definitions.get(instance)) && !OF_PARENTS.contains(op)) {
          op = Op.SKIP;
        }
        boolean keyed = op != Op.MINT && op != Op.RECREATE && random.nextInt(5) == 0;
        items.add(
            new Item(
                items.size(),
                begin + random.nextLong(width),
                op,
                random.nextInt(3),
                instance,
                same >= 0 ? same : random.nextInt(100),
                keyed,
                keyed ? 1 + random.nextInt(3) : 1,
                random.nextLong(random.nextBoolean() ? 3_000 : 300_000)));
      }
    }
    return items;
  }
}
