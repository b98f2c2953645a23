package skein.node.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.node.dev.CannotStartException;

/**
 * Measures one scenario after the other, each on a new cluster with an empty database unless one
 * was named. Closing it, from any thread, ends what it has started.
 */
public final class Bench implements AutoCloseable {
  private static final String STOPPED = "Stopped before the end";

  private final BenchOptions options;
  private final Progress progress;
  private volatile @Nullable BenchCluster running;
  private volatile boolean stopped;

  public Bench(BenchOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Throws {@link CannotStartException} when something outside is in the way. */
  public Report run() {
    var results = new ArrayList<Result>();
    try {
      for (var name : options.scenarios()) {
        results.addAll(measure(name));
      }
    } finally {
      progress.done();
    }
    return new Report(results);
  }

  private List<Result> measure(ScenarioName name) {
    progress.say("starting a cluster for " + name.label());
    var cluster = new BenchCluster(options.target(), folder(name));
    running = cluster;
    if (stopped) {
      throw new CannotStartException(STOPPED);
    }
    try (cluster) {
      cluster.start(postgresSettings(name));
      try (var stage = new Stage(options, cluster, progress)) {
        return scenario(name).measure(stage);
      }
    } catch (RuntimeException e) {
      throw stopped ? new CannotStartException(STOPPED, e) : e;
    }
  }

  private static Scenario scenario(ScenarioName name) {
    return switch (name) {
      case START -> new StartScenario();
      case RESUME -> new ResumeScenario();
      case EVENT -> new EventScenario();
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

  private Path folder(ScenarioName name) {
    var data = options.target().own().data();
    var own = "skein-bench-" + name.label();
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
    var cluster = running;
    if (cluster != null) {
      cluster.close();
    }
  }
}
