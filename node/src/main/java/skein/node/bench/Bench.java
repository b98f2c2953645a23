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
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Measures one scenario after the other, each on a new cluster with an empty database unless one
 * was named. Closing it, from any thread, ends what it has started.
 */
public final class Bench implements AutoCloseable {
  private final BenchOptions options;
  private final Progress progress;
  private final Deque<BenchCluster> clusters = new ConcurrentLinkedDeque<>();

  public Bench(BenchOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Throws {@link skein.node.dev.CannotStart} when something outside is in the way. */
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
    var cluster = BenchCluster.open(options.target(), folder(name), postgresSettings(name));
    clusters.push(cluster);
    try (var stage = new Stage(options, cluster, progress)) {
      return Scenario.of(name).measure(stage);
    } finally {
      close();
    }
  }

  /** Big enough that neither its memory nor a checkpoint is what is measured. */
  private static Map<String, String> postgresSettings(ScenarioName name) {
    var settings = new LinkedHashMap<String, String>();
    settings.put("shared_buffers", "512MB");
    settings.put("max_wal_size", "8GB");
    settings.put("checkpoint_timeout", "30min");
    if (name == ScenarioName.TIMERS) {
      settings.put("track_commit_timestamp", "on");
    }
    return settings;
  }

  private Path folder(ScenarioName name) {
    var data = options.target().data();
    var own = "skein-bench-" + name.label();
    try {
      return data == null ? Files.createTempDirectory(own + "-") : data.resolve(own);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    while (!clusters.isEmpty()) {
      var cluster = clusters.poll();
      if (cluster != null) {
        cluster.close();
      }
    }
  }
}
