package skein.simulation;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import skein.cluster.Order;
import skein.messages.Command;
import skein.model.Alteration;
import skein.model.Timer;

/** How often which kind of command met which kind of fault. */
final class Coverage {
  private final Map<String, Map<Met, LongAdder>> counts = new TreeMap<>();

  /** What a command can meet. */
  enum Met {
    LOSS,
    DELAY,
    SPLIT,
    ONE_WAY,
    KILL,
    FREEZE,
    VIEWS,
    AWAY,
    SLOW,
    /** From here on it is a commit of the command that meets it. */
    COMMIT_LOST,
    ANSWER_LOST,
    COMMIT_LATE,
    DEADLOCK,
    FAILOVER,
    /** It was sent in a message of many orders. */
    TOGETHER,
    /** Such a message was lost, or its answer. */
    TOGETHER_LOST;

    /** What those are that do much the same. */
    String group() {
      return switch (this) {
        case LOSS, DELAY, SPLIT, ONE_WAY -> "network";
        case KILL, FREEZE -> "node";
        case AWAY, SLOW -> "database";
        case COMMIT_LOST, ANSWER_LOST, COMMIT_LATE, DEADLOCK -> "commit";
        case VIEWS -> "views";
        case FAILOVER -> "failover";
        case TOGETHER, TOGETHER_LOST -> "together";
      };
    }

    boolean isOfCommits() {
      return compareTo(COMMIT_LOST) >= 0 && compareTo(FAILOVER) < 0;
    }
  }

  /** Kinds that are carried out without a commit of theirs. */
  private static final Set<String> WITHOUT_COMMIT =
      Set.of("Delete", "Fire Event", "Fire CancelChildren");

  static final List<String> KINDS =
      List.of(
          "Start",
          "Resume",
          "Resume the only one",
          "Resume by task",
          "Resume by token",
          "Resume by work",
          "Task",
          "MintToken",
          "RevokeToken",
          "ChangeDue",
          "Alter",
          "Skip",
          "Fork",
          "Cancel",
          "Delete",
          "Fire Bookmark",
          "Fire Start",
          "Fire Resume",
          "Fire Event",
          "Fire Child",
          "Fire ChildDone",
          "Fire CancelChildren",
          "With a key");

  static String kind(Command command) {
    return switch (command) {
      case Command.Start _ -> "Start";
      case Command.Resume resume ->
          switch (resume.via()) {
            case Command.Via.Task _ -> "Resume by task";
            case Command.Via.Token _ -> "Resume by token";
            case Command.Via.Work _ -> "Resume by work";
            default -> resume.bookmarkId() == null ? "Resume the only one" : "Resume";
          };
      case Command.Fire(Timer timer) -> "Fire " + timer.kind();
      case Command.Task _ -> "Task";
      case Command.MintToken _ -> "MintToken";
      case Command.RevokeToken _ -> "RevokeToken";
      case Command.ChangeDue _ -> "ChangeDue";
      case Command.Alter alter ->
          alter.alterations().getFirst() instanceof Alteration.Skip ? "Skip" : "Alter";
      case Command.Fork _ -> "Fork";
      case Command.Cancel _ -> "Cancel";
      case Command.Delete _ -> "Delete";
    };
  }

  void met(Order order, Met met) {
    add(kind(order.command()), met);
    if (order.key() != null) {
      add("With a key", met);
    }
  }

  private synchronized void add(String kind, Met met) {
    counts
        .computeIfAbsent(kind, _ -> new TreeMap<>())
        .computeIfAbsent(met, _ -> new LongAdder())
        .increment();
  }

  void add(Coverage other) {
    other.counts.forEach((kind, row) ->
        row.forEach((met, count) -> {
          synchronized (this) {
            counts
                .computeIfAbsent(kind, _ -> new TreeMap<>())
                .computeIfAbsent(met, _ -> new LongAdder())
                .add(count.sum());
          }
        }));
  }

  private long count(String kind, Met met) {
    var count = counts.getOrDefault(kind, Map.of()).get(met);
    return count == null ? 0 : count.sum();
  }

  private static boolean isPossible(String kind, Met met) {
    return !met.isOfCommits() || !WITHOUT_COMMIT.contains(kind);
  }

  /** As {@link #missing}, of whole groups of faults. */
  Set<String> missingGroups() {
    var met = new LinkedHashSet<String>();
    var possible = new LinkedHashSet<String>();
    for (var kind : KINDS) {
      for (var each : Met.values()) {
        var cell = kind + " / " + each.group();
        if (isPossible(kind, each)) {
          possible.add(cell);
        }
        if (count(kind, each) > 0) {
          met.add(cell);
        }
      }
    }
    possible.removeAll(met);
    return possible;
  }

  /** What could meet and has not. */
  Set<String> missing() {
    var missing = new LinkedHashSet<String>();
    for (var kind : KINDS) {
      for (var met : Met.values()) {
        if (isPossible(kind, met) && count(kind, met) == 0) {
          missing.add(kind + " / " + met);
        }
      }
    }
    return missing;
  }

  String table() {
    var text = new StringBuilder("%-20s".formatted(""));
    for (var met : Met.values()) {
      text.append("%14s".formatted(met));
    }
    Stream.concat(KINDS.stream(), counts.keySet().stream().filter(k -> !KINDS.contains(k)))
        .forEach(kind -> {
          text.append("%n%-20s".formatted(kind));
          for (var met : Met.values()) {
            text.append("%14s".formatted(isPossible(kind, met) ? count(kind, met) : "-"));
          }
        });
    return text.toString();
  }
}
