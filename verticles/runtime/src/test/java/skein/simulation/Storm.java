package skein.simulation;

import io.vertx.pgclient.PgException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BiConsumer;
import skein.loop.Simulator;
import skein.model.SkeinException;
import skein.simulation.Coverage.Met;
import skein.simulation.Plan.Fault;
import skein.storage.SimulatedDatabase;
import skein.storage.SimulatedDatabase.Course;

/** What befalls statements on their way to the database, in it, and back. */
final class Storm implements SimulatedDatabase.Weather {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long TIMEOUT = 1_000 * MILLI;

  private final Simulator simulator;
  private final SplittableRandom random;
  private final List<Fault> faults;
  private final BiConsumer<List<UUID>, Met> met;
  private boolean calm;
  private long lastEffect;

  Storm(Simulator simulator, long seed, List<Fault> faults, BiConsumer<List<UUID>, Met> met) {
    this.simulator = simulator;
    this.random = new SplittableRandom(seed);
    this.faults = faults;
    this.met = met;
  }

  void calmDown() {
    calm = true;
  }

  /** Until when statements that were sent may take effect. */
  long lastEffect() {
    return lastEffect;
  }

  @Override
  public Course next(String node, List<UUID> commands) {
    var course = course(commands);
    lastEffect = Math.max(lastEffect, simulator.now() + course.executed());
    return course;
  }

  private Course course(List<UUID> commands) {
    boolean commit = !commands.isEmpty();
    long micros = simulator.now() / MICRO;
    long executed = 100 * MICRO + random.nextLong(commit ? 1_500 * MICRO : 600 * MICRO);
    long back = 50 * MICRO + random.nextLong(300 * MICRO);
    if (calm) {
      return new Course(executed, executed + back, null);
    }
    for (var fault : faults) {
      switch (fault.trouble()) {
        case AWAY -> {
          if (fault.isOn(micros)) {
            return refused(commit, "The database is away");
          }
          if (fault.at() > micros && (fault.at() - micros) * MICRO < executed + back) {
            return broken(commit, random.nextBoolean() ? executed : -1, executed + back);
          }
        }
        case SLOW -> {
          if (fault.isOn(micros)) {
            executed += random.nextLong(20L * fault.percent() * MILLI);
          }
        }
        case LIMBO -> {
          if (commit && fault.isOn(micros) && random.nextInt(100) < fault.percent()) {
            return limbo(commands, executed, back);
          }
        }
        case LOST_READS -> {
          if (!commit && fault.isOn(micros) && random.nextInt(100) < fault.percent() / 2) {
            return limbo(commands, executed, back);
          }
        }
        default -> {}
      }
    }
    return executed + back > TIMEOUT
        ? broken(commit, executed, TIMEOUT)
        : new Course(executed, executed + back, null);
  }

  private Course limbo(List<UUID> commands, long executed, long back) {
    boolean commit = !commands.isEmpty();
    // A connection that breaks is noticed at once; one that only falls silent, in the end.
    long noticed = random.nextBoolean() ? executed + back : TIMEOUT;
    return switch (random.nextInt(commit ? 7 : 5)) {
      case 0, 1 -> {
        met.accept(commands, Met.COMMIT_LOST);
        yield broken(commit, -1, noticed);
      }
      case 2 -> {
        met.accept(commands, Met.ANSWER_LOST);
        yield broken(commit, executed, noticed);
      }
      case 3, 4, 5 -> {
        met.accept(commands, Met.COMMIT_LATE);
        long later = random.nextLong(random.nextBoolean() ? 30 * MILLI : 2 * TIMEOUT);
        yield broken(commit, noticed + later, noticed);
      }
      default -> {
        met.accept(commands, Met.DEADLOCK);
        var deadlock = new PgException("deadlock detected", "ERROR", "40P01", null);
        yield new Course(-1, executed + back, deadlock);
      }
    };
  }

  private Course refused(boolean commit, String why) {
    long after = 200 * MICRO + random.nextLong(20 * MILLI);
    return new Course(
        -1,
        after,
        commit
            ? SkeinException.storageUnavailable("commit", new IllegalStateException(why))
            : new IllegalStateException(why));
  }

  private static Course broken(boolean commit, long executed, long noticed) {
    var why = "no answer";
    return new Course(
        executed,
        noticed,
        commit ? SimulatedDatabase.unanswered(why) : new IllegalStateException(why));
  }
}
