package skein.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.metrics.RetentionMetrics.Kind;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.PassStore;
import skein.storage.PassStore.Claim;
import skein.storage.RetentionStore;
import skein.storage.RetentionStore.Aged;
import skein.storage.RetentionStore.Candidate;

/**
 * Deletes all rows that are older than their retention time. A procedure on a thread of its own
 * that waits for the database, a slice at a time; stops between two slices on request, and what it
 * has deleted by then is deleted.
 */
final class RetentionPass {
  private static final Logger log = LoggerFactory.getLogger(RetentionPass.class);

  private final RetentionDependencies dependencies;
  private final RetentionOptions options;
  private final Claim claim;
  private final BooleanSupplier mayGoOn;
  private final PassStore passes;
  private final Map<String, Long> instances = new TreeMap<>();
  private final Map<String, Long> rest = new TreeMap<>();
  private long skipped;

  /** {@code mayGoOn}: whether this node continues. */
  RetentionPass(RetentionDependencies dependencies, Claim claim, BooleanSupplier mayGoOn) {
    this.dependencies = dependencies;
    this.options = dependencies.options();
    this.claim = claim;
    this.mayGoOn = mayGoOn;
    this.passes = new PassStore(dependencies.database(), PassStore.Kind.RETENTION);
    for (var kind : Kind.values()) {
      rest.put(kind.label(), 0L);
    }
  }

  /** False when it was interrupted, or another node has taken it over. */
  boolean run() {
    long start = System.nanoTime();
    try (var store =
        RetentionStore.open(dependencies.database(), options.slice().timeout()).await()) {
      if (!deleteInstances(store) || !deleteRest(store)) {
        return false;
      }
    }
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    dependencies.metrics().passed(millis);
    log.atInfo()
        .addKeyValue("instances", instances.values().stream().mapToLong(Long::longValue).sum())
        .addKeyValue("skipped", skipped)
        .addKeyValue("durationMs", millis)
        .log("retention.passed");
    return passes.finish(claim.number(), result(millis)).await();
  }

  private Map<String, @Nullable Object> result(long millis) {
    var result = new LinkedHashMap<String, @Nullable Object>();
    result.put("durationMs", millis);
    result.put("instances", new TreeMap<>(instances));
    result.put("skipped", skipped);
    result.put("deleted", new TreeMap<>(rest));
    return result;
  }

  /** Lets itself be heard. */
  private boolean goOn() {
    return mayGoOn.getAsBoolean() && passes.goOn(claim.number()).await();
  }

  private boolean deleteInstances(RetentionStore store) {
    var rules = options.rules();
    var shortest = rules.shortest();
    Instant after = RetentionStore.BEGINNING;
    while (true) {
      if (!goOn()) {
        return false;
      }
      var page = store.walk(after, shortest, options.slice().rowsMax()).await();
      if (page.isEmpty()) {
        return true;
      }
      after = page.getLast().createdAt();
      var slices = slices(page.stream().filter(rules::isOver).toList());
      for (var slice : slices) {
        if (!goOn()) {
          return false;
        }
        delete(store, slice);
        pause();
      }
      if (slices.isEmpty()) {
        pause();
      }
    }
  }

  /** As many in each as have rows for one transaction; one at least. */
  private List<List<Candidate>> slices(List<Candidate> over) {
    var slices = new ArrayList<List<Candidate>>();
    long rows = 0;
    for (var instance : over) {
      rows += instance.rows();
      if (slices.isEmpty() || rows > options.slice().rowsMax()) {
        slices.add(new ArrayList<>());
        rows = instance.rows();
      }
      slices.getLast().add(instance);
    }
    return slices;
  }

  /** One that cannot be deleted in time must not keep the others. */
  private void delete(RetentionStore store, List<Candidate> slice) {
    try {
      var gone = store.delete(slice).await();
      for (var instance : slice) {
        if (gone.contains(instance.id())) {
          instances.merge(instance.status().name(), 1L, Long::sum);
          dependencies.metrics().deleted(instance.status());
        }
      }
    } catch (SkeinException e) {
      if (e.code() != ErrorCode.STORAGE_UNAVAILABLE || !store.isUsable()) {
        throw e;
      }
      if (slice.size() == 1) {
        skip(slice.getFirst(), e);
      } else {
        slice.forEach(instance -> delete(store, List.of(instance)));
      }
    }
  }

  private void skip(Candidate instance, SkeinException cause) {
    skipped++;
    dependencies.metrics().skipped().increment();
    log.atWarn()
        .addKeyValue("instanceId", instance.id())
        .addKeyValue("rows", instance.rows())
        .addKeyValue("cause", cause.getMessage())
        .log("retention.skipped");
  }

  private boolean deleteRest(RetentionStore store) {
    int max = options.slice().rowsMax();
    var audit = options.auditKeep();
    var plans = options.alterationsKeep();
    return slices(Kind.AUDIT_LINES, () -> store.delete(Aged.AUDIT, audit, max).await())
        && slices(Kind.ALTERATIONS, () -> store.delete(Aged.ALTERATION_JOBS, plans, max).await())
        && slices(Kind.ALTERATIONS, () -> store.delete(Aged.ALTERATION_PLANS, plans, max).await())
        && dropDays(store);
  }

  /** Again and again, until a slice is not full. */
  private boolean slices(Kind kind, IntSupplier slice) {
    while (true) {
      if (!goOn()) {
        return false;
      }
      int count = slice.getAsInt();
      deleted(kind, count);
      if (count < options.slice().rowsMax()) {
        return true;
      }
      pause();
    }
  }

  private void deleted(Kind kind, long count) {
    rest.merge(kind.label(), count, Long::sum);
    dependencies.metrics().deleted(kind, count);
  }

  private boolean dropDays(RetentionStore store) {
    for (var day : store.smallDays().await()) {
      if (!goOn()) {
        return false;
      }
      if (store.dropDay(day, options.slice().lockTimeout()).await()) {
        deleted(Kind.JOURNAL_DAYS, 1);
        log.atInfo().addKeyValue("day", day).log("journal.partition_dropped");
      }
      pause();
    }
    return true;
  }

  private void pause() {
    try {
      Thread.sleep(options.slice().pause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while deleting what is old", e);
    }
  }
}
