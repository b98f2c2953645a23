package skein.invariants;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.metrics.ScannerMetrics;
import skein.storage.PassStore;
import skein.storage.PassStore.Claim;
import skein.storage.Suspect;
import skein.storage.SuspectPage;
import skein.storage.ViolationStore;

/**
 * One walk through everything. A procedure on a thread of its own that waits for the database;
 * stops between two pages on request.
 */
final class Pass {
  private static final Logger log = LoggerFactory.getLogger(Pass.class);

  /** Recorded of one invariant in one pass; more make no difference to who reads them. */
  static final int FINDINGS_MAX = 1_000;

  private final ScannerDependencies dependencies;
  private final Claim claim;
  private final BooleanSupplier mayGoOn;
  private final PassStore store;
  private final ViolationStore violations;
  private final Map<String, Long> instances = new TreeMap<>();
  private final Map<String, Long> timers = new TreeMap<>();
  private long found;
  private long repaired;
  private long unattended;
  private long heardNanos;

  /** {@code mayGoOn}: whether this node keeps scanning. */
  Pass(ScannerDependencies dependencies, Claim claim, BooleanSupplier mayGoOn) {
    this.dependencies = dependencies;
    this.claim = claim;
    this.mayGoOn = mayGoOn;
    this.store = new PassStore(dependencies.database(), PassStore.Kind.SCANNER);
    this.violations = new ViolationStore(dependencies.database());
  }

  /** False when it was interrupted, or another node has taken it over. */
  boolean run() {
    long start = System.nanoTime();
    heardNanos = start;
    for (var check : dependencies.checks()) {
      if (!walk(check)) {
        return false;
      }
    }
    violations.end(claim.startedAt(), dependencies.options().keep()).await();
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    var open = violations.open().await();
    long postponed = take(timers, "postponed");
    var overdue = Map.of("unattended", unattended, "postponed", postponed);
    dependencies.metrics().opens(open);
    dependencies.metrics().passed(new ScannerMetrics.Seen(overdue, millis));
    return store.finish(claim.number(), result(millis)).await();
  }

  /** Lets itself be heard a few times before the others take it for dead. */
  private boolean goOn() {
    if (!mayGoOn.getAsBoolean()) {
      return false;
    }
    long now = System.nanoTime();
    if (now - heardNanos < dependencies.options().terms().silence().toNanos() / 4) {
      return true;
    }
    heardNanos = now;
    return store.goOn(claim.number()).await();
  }

  private static long take(Map<String, Long> counts, String key) {
    var value = counts.remove(key);
    return value == null ? 0 : value;
  }

  private Map<String, @Nullable Object> result(long millis) {
    var result = new LinkedHashMap<String, @Nullable Object>();
    result.put("durationMs", millis);
    result.put("found", found);
    result.put("repaired", repaired);
    result.put("instances", Map.copyOf(instances));
    result.put("timers", Map.copyOf(timers));
    return result;
  }

  private boolean walk(Check check) {
    String after = "";
    int recorded = 0;
    while (after != null && recorded < FINDINGS_MAX) {
      if (!goOn()) {
        return false;
      }
      var page = check.page(after, dependencies.options().pace().pageSize()).await();
      count(check.invariant(), page);
      if (!page.suspects().isEmpty()) {
        recorded += judge(check, page.suspects());
      }
      after = page.next();
      if (after != null && !claim.requested()) {
        rest(dependencies.options().pace().pause());
      }
    }
    return true;
  }

  private void count(Invariant invariant, SuspectPage page) {
    if (invariant == Invariant.INSTANCE_WITHOUT_WORK) {
      page.counts().forEach((status, n) -> instances.merge(status, n, Long::sum));
    }
    if (invariant == Invariant.ORPHAN_TIMER) {
      page.counts().forEach((kind, n) -> timers.merge(kind, n, Long::sum));
    }
  }

  /** A suspect row that has not changed after a while is a violation. */
  private int judge(Check check, List<Suspect> suspects) {
    rest(dependencies.options().lookAgain());
    var before = new TreeMap<String, Long>();
    suspects.forEach(suspect -> before.put(suspect.id(), suspect.revision()));
    int count = 0;
    for (var suspect : check.again(suspects).await()) {
      var revision = before.get(suspect.id());
      if (revision != null && (revision == suspect.revision() || revision == 0) && goOn()) {
        report(check, suspect);
        count++;
      }
    }
    return count;
  }

  private void report(Check check, Suspect suspect) {
    var name = check.invariant().wireName();
    found++;
    if (check.invariant() == Invariant.OVERDUE_TIMER && suspect.detail().endsWith("unattended")) {
      unattended++;
    }
    var known = violations.record(name, suspect.id(), suspect.detail()).await();
    if (known.isZero()) {
      dependencies.metrics().found(name);
      log.atWarn()
          .addKeyValue("invariant", name)
          .addKeyValue("subject", suspect.id())
          .addKeyValue("detail", suspect.detail())
          .log("invariant.violated");
    }
    if (dependencies.options().repair() && check.repair(suspect, known).await()) {
      violations.repaired(name, suspect.id()).await();
      repaired++;
      dependencies.metrics().repaired(name);
      log.atInfo()
          .addKeyValue("invariant", name)
          .addKeyValue("subject", suspect.id())
          .log("invariant.repaired");
    }
  }

  private static void rest(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while scanning", e);
    }
  }
}
