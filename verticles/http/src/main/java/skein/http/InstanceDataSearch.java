package skein.http;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.SkeinException;
import skein.storage.InstanceScan.Portion;
import skein.storage.InstanceScan.Position;
import skein.storage.InstanceScan.Scanned;

/**
 * Looks through the states of instances for a value, for one request, until there are enough
 * matches or a bound is reached. Confined to the context of the request, but for comparing, one
 * portion at a time.
 */
final class InstanceDataSearch {
  /** Reads what follows a row; null: from the first. */
  interface Portions {
    Future<Portion> next(@Nullable Position after);
  }

  /** Reads a version of a definition; null when it was deleted. */
  interface Versions extends Function<String, Future<@Nullable Graph>> {}

  /** Compares what was read, away from the event loop. */
  @FunctionalInterface
  interface Comparing {
    Future<Boolean> run(Callable<Boolean> work);
  }

  /** The summary of an instance that has the value, as the API shows it, and where. */
  record Match(Map<String, @Nullable Object> summary, InstanceData.Place place) {}

  /**
   * What was found.
   *
   * @param searched instances whose data were compared
   * @param unreadable instances whose data this node cannot read, as of a newer version
   * @param next where the search goes on; null: all were searched
   */
  record Result(List<Match> matches, long searched, long unreadable, @Nullable Position next) {
    Result {
      matches = List.copyOf(matches);
    }
  }

  private final InstanceData wanted;
  private final Portions portions;
  private final Versions versions;
  private final Comparing comparing;
  private final int take;
  private final SearchBounds bounds;
  private final InstantSource clock;
  private final Map<String, @Nullable Graph> graphs = new HashMap<>();
  private final List<Match> matches = new ArrayList<>();
  private @Nullable Position last;
  private long searched;
  private long unreadable;

  /** {@code take}: matches that are enough; 1 or more. */
  InstanceDataSearch(
      InstanceData wanted,
      Portions portions,
      Versions versions,
      Comparing comparing,
      int take,
      SearchBounds bounds,
      InstantSource clock) {
    this.wanted = wanted;
    this.portions = portions;
    this.versions = versions;
    this.comparing = comparing;
    this.take = take;
    this.bounds = bounds;
    this.clock = clock;
  }

  /**
   * {@code after}: where an earlier search ended; null: from the newest instance. To be called
   * once.
   */
  Future<Result> run(@Nullable Position after) {
    return read(after, clock.instant().plus(bounds.timeMax()));
  }

  private Future<Result> read(@Nullable Position after, Instant until) {
    return portions
        .next(after)
        .compose(portion ->
            graphs(portion)
                .compose(_ -> comparing.run(() -> search(portion, until)))
                .compose(isComplete -> {
                  if (isComplete) {
                    return Future.succeededFuture(result(null));
                  }
                  return matches.size() >= take || isOver(until)
                      ? Future.succeededFuture(result(last))
                      : read(last, until);
                }));
  }

  private boolean isOver(Instant until) {
    return searched + unreadable >= bounds.instancesMax() || !clock.instant().isBefore(until);
  }

  private Result result(@Nullable Position next) {
    return new Result(matches, searched, unreadable, next);
  }

  private Future<Void> graphs(Portion portion) {
    var missing = new LinkedHashSet<String>();
    for (var row : portion.wanted()) {
      var instance = row.instance();
      if (instance != null && !graphs.containsKey(instance.definition().versionId())) {
        missing.add(instance.definition().versionId());
      }
    }
    var reading = missing.stream().map(this::graph).toList();
    return reading.isEmpty() ? Future.succeededFuture() : Future.join(reading).mapEmpty();
  }

  /**
   * A version that is refused for good, as one that cannot be compiled any more, is as one that is
   * gone. What fails for now says nothing about it: without its names variables would not be found.
   */
  private Future<?> graph(String version) {
    return versions
        .apply(version)
        .recover(e ->
            e instanceof SkeinException refused && !refused.code().isTransient()
                ? Future.succeededFuture(null)
                : Future.failedFuture(e))
        .onSuccess(graph -> graphs.put(version, graph));
  }

  /** Whether no row is left; if not, {@code last} is the one behind which to go on. */
  private boolean search(Portion portion, Instant until) {
    var rows = portion.wanted();
    last = portion.end();
    for (int i = 0; i < rows.size(); i++) {
      look(rows.get(i));
      boolean isEnough = matches.size() >= take || !clock.instant().isBefore(until);
      if (isEnough && i + 1 < rows.size()) {
        last = rows.get(i).position();
        break;
      }
    }
    return last == null;
  }

  private void look(Scanned row) {
    var instance = row.instance();
    if (instance == null) {
      unreadable++;
      return;
    }
    searched++;
    var place = wanted.find(instance, graphs.get(instance.definition().versionId()));
    if (place != null) {
      matches.add(new Match(InstanceJson.summary(instance), place));
    }
  }
}
