package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import skein.node.bench.DatabaseCounters.Counted;
import skein.node.dev.CannotStartException;

/** All that a scenario needs: a cluster, callers, and what reads the figures. */
final class Stage implements AutoCloseable {
  /** Sessions report their figures with their next work, at most once a second. */
  private static final Duration UNTOLD = Duration.ofMillis(1_100);

  private static final int NUDGES = 64;
  private static final int NUDGERS = 16;

  private final BenchOptions options;
  private final BenchCluster cluster;
  private final Progress progress;
  private final Sql sql;
  private final DatabaseCounters database;
  private final Api api;
  private final Generator generator;
  private final Limit limit;
  private Meter meter;

  Stage(BenchOptions options, BenchCluster cluster, Progress progress) {
    this.options = options;
    this.cluster = cluster;
    this.progress = progress;
    this.sql = new Sql(cluster.database());
    this.database = new DatabaseCounters(sql);
    var access = cluster.access();
    this.api = new Api(cluster.urls().getFirst(), access);
    this.generator = new Generator(cluster.urls(), access);
    this.limit = new Limit(sql, options.load().limit());
    this.meter = new Meter(cluster, database);
    api.publish(Definitions.threeSteps());
  }

  BenchOptions options() {
    return options;
  }

  BenchCluster cluster() {
    return cluster;
  }

  Sql sql() {
    return sql;
  }

  Api api() {
    return api;
  }

  Generator generator() {
    return generator;
  }

  Meter meter() {
    return meter;
  }

  void say(String step) {
    progress.say(step);
  }

  void sayNowAndThen(String step) {
    progress.sayNowAndThen(step);
  }

  /** Ids that no other run has given out, from now on in time. */
  Ids ids() {
    return new Ids(
        Instant.now(), Duration.ofNanos(100_000), ThreadLocalRandom.current().nextLong());
  }

  Limit.Figure limit() {
    say("measuring the limit of the database");
    return limit.measure();
  }

  /** So that none falls into what is measured, as far as that can be helped. */
  void checkpoint() {
    try {
      sql.run("checkpoint");
    } catch (CannotStartException e) {
      say("no checkpoint: " + e.getMessage()); // this user may not: the next one may fall into it
    }
  }

  /** The database's counters with all that was done until now, and a few operations more. */
  Counted counted() {
    Pause.of(UNTOLD);
    generator.run(Fixed.starts(NUDGES), NUDGERS, Duration.ofSeconds(10));
    return meter.counted();
  }

  /** Whether the database knows when each transaction was committed. */
  boolean hasCommitTimes() {
    return "on".equals(database.settings().getString("track_commit_timestamp"));
  }

  /** How long it took; connections and figures are those of the new nodes from here on. */
  Duration restartNodes() {
    meter.close();
    var time = cluster.restartNodes();
    meter = new Meter(cluster, database);
    return time;
  }

  /** What this ran on, to compare figures. */
  JsonObject surroundings() {
    var versions = options.target().versions();
    var settings = new JsonObject();
    options.target().own().settings().forEach(settings::put);
    return new JsonObject()
        .put("cores", Runtime.getRuntime().availableProcessors())
        .put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"))
        .put("java", Runtime.version().toString())
        .put("skein", versions.skein())
        .put("heapOfNodes", cluster.isOwn() ? options.target().own().heap() : null)
        .put("secured", cluster.isOwn() ? options.target().own().secured() : null)
        .put("settingsOfNodes", settings)
        .put("postgresql", database.version())
        .put("postgresqlSettings", database.settings());
  }

  @Override
  public void close() {
    generator.close();
    api.close();
    meter.close();
    sql.close();
  }
}
