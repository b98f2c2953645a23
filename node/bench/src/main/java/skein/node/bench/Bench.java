package skein.node.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import skein.node.bench.BenchOptions.Target;
import skein.node.dev.CannotStartException;

/**
 * Measures scenarios one after the other, each on a new cluster with an empty database unless one
 * was named. Closing it, from any thread, ends what it has started.
 */
public final class Bench implements AutoCloseable {
  private static final String STOPPED = "Stopped before the end";

  /** Set by the launcher: where it stands in a checkout. */
  private static final String HOME = "skein.home";

  private final BenchOptions options;
  private final Progress progress;
  private final Deque<Runnable> closing = new ConcurrentLinkedDeque<>();
  private volatile boolean stopped;

  public Bench(BenchOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Throws {@link CannotStartException} when something outside is in the way. */
  public Report run() {
    var other = options.compareTo();
    try {
      return other == null ? measurements() : comparisons(other);
    } catch (RuntimeException e) {
      throw stopped ? new CannotStartException(STOPPED, e) : e;
    } finally {
      progress.done();
    }
  }

  private Report measurements() {
    var results = new ArrayList<Result>();
    for (var name : options.scenarios()) {
      results.addAll(measure(name));
    }
    return new Measurements(results);
  }

  private List<Result> measure(ScenarioName name) {
    progress.say("starting a cluster for " + name.label());
    var cluster = new BenchCluster(options.target(), folder(name.label()), null);
    closedWithThis(cluster::close);
    try (cluster) {
      cluster.start(postgresSettings(name));
      try (var stage = new Stage(options, cluster, progress)) {
        return switch (scenario(name)) {
          case ClosedScenario closed -> new ClosedLoop(stage, closed).measure();
          case OpenScenario open -> open.measure(stage);
        };
      }
    }
  }

  private Report comparisons(String other) {
    var home = Path.of(home());
    var results = new ArrayList<Comparison>();
    try (var own = new OtherBuild(home, home.toString());
        var build = new OtherBuild(home, other)) {
      closedWithThis(build::close);
      closedWithThis(own::close);
      progress.say("building " + other);
      var here = own.launcher(); // first: it may build the jar that this runs from
      var there = build.launcher();
      for (var name : options.scenarios()) {
        results.addAll(compare(name, here, there));
      }
    }
    return new Comparisons(results);
  }

  private static String home() {
    var home = System.getProperty(HOME);
    if (home == null) {
      throw new CannotStartException(
          "--compare measures what launchers start: run node/skein bench in a checkout");
    }
    return home;
  }

  private List<Comparison> compare(ScenarioName name, Path ourLauncher, Path theirLauncher) {
    progress.say("starting two clusters for " + name.label());
    try (var here = started(name, options.target(), name.label(), ourLauncher);
        var there =
            started(name, options.target().atFreePorts(), name.label() + "-there", theirLauncher);
        var ourStage = new Stage(options, here, progress);
        var theirStage = new Stage(options, there, progress)) {
      return new ComparedLoops(
              new ClosedLoop(ourStage, closedScenario(name)),
              new ClosedLoop(theirStage, closedScenario(name)),
              options.load(),
              String.valueOf(options.compareTo()))
          .measure();
    }
  }

  private BenchCluster started(ScenarioName name, Target target, String label, Path launcher) {
    var cluster = new BenchCluster(target, folder(label), launcher);
    closedWithThis(cluster::close);
    try {
      cluster.start(postgresSettings(name));
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void closedWithThis(Runnable close) {
    closing.push(close);
    if (stopped) {
      throw new CannotStartException(STOPPED);
    }
  }

  private static ClosedScenario closedScenario(ScenarioName name) {
    if (scenario(name) instanceof ClosedScenario closed) {
      return closed;
    }
    throw new IllegalArgumentException(name + " cannot be compared");
  }

  private static Scenario scenario(ScenarioName name) {
    return switch (name) {
      case START -> new StartScenario();
      case STEPS -> new StepsScenario();
      case RESUME -> new ResumeScenario();
      case EVENT -> new EventScenario();
      case FAN_OUT -> new FanOutScenario();
      case TIMERS -> new TimersScenario();
      case CATCH_UP -> new CatchUpScenario();
      case HOT -> new HotScenario();
      case CHILDREN -> new ChildrenScenario();
      case LIST -> new ListScenario();
      case HTTP -> new HttpScenario();
      case SOAK -> new SoakScenario();
    };
  }

  /** Big enough that neither its memory nor a checkpoint is what is measured. */
  private static Map<String, String> postgresSettings(ScenarioName name) {
    var settings = new LinkedHashMap<String, String>();
    settings.put("shared_buffers", "2GB");
    settings.put("max_wal_size", "8GB");
    settings.put("checkpoint_timeout", "30min");
    if (name == ScenarioName.TIMERS || name == ScenarioName.CATCH_UP) {
      settings.put("track_commit_timestamp", "on");
    }
    return settings;
  }

  private Path folder(String label) {
    var data = options.target().own().data();
    var own = "skein-bench-" + label;
    try {
      return data == null && options.target().database() == null
          ? Files.createTempDirectory(own + "-")
          : Objects.requireNonNullElse(data, Path.of("")).resolve(own);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stopped = true;
    RuntimeException first = null;
    for (var close : closing) {
      try {
        close.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
