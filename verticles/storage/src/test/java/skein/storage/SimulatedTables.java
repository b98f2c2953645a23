package skein.storage;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.codecs.InstanceCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.ActivityExecution;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * The tables of PostgreSQL in memory. A chain is written by the rules of {@link CommitStatement},
 * and what must hold after each commit is looked at there and then.
 */
public final class SimulatedTables {
  private final Map<InstanceId, InstanceRow> instances = new LinkedHashMap<>();
  private final List<JournalRow> journal = new ArrayList<>();
  private final Map<InstanceId, List<JournalRow>> journals = new LinkedHashMap<>();
  private final Map<InstanceId, Integer> lives = new LinkedHashMap<>();
  private final Map<String, BookmarkRow> bookmarks = new TreeMap<>();
  private final Map<String, JobState> jobs = new TreeMap<>();
  private final Map<String, UUID> leases = new TreeMap<>();
  private final Map<String, TimerRow> timers = new LinkedHashMap<>();
  private final Map<String, KeyRow> keys = new LinkedHashMap<>();
  private final Set<BookmarkId> ofEngine = new HashSet<>();
  private final Set<String> tokenHashes = new HashSet<>();
  private final Set<UUID> stateIds = new HashSet<>();
  private final List<String> problems = new ArrayList<>();
  private boolean comparesRevisionAlone;
  private long simulatedLease;

  /** An instance as it is stored. */
  public record InstanceRow(
      WorkflowStatus status,
      long revision,
      UUID stateId,
      Buffer state,
      @Nullable InstanceId parentId,
      @Nullable String correlationId,
      @Nullable String activation) {
    /** Anew each time: nothing that is not in the bytes survives. */
    public WorkflowInstance decoded() {
      return InstanceCodec.decode(state.getBytes(), revision);
    }
  }

  /**
   * A row of the journal, also of an instance that was deleted since.
   *
   * @param life how many instances had the id before
   * @param builtOn the id of the state that it was decided on
   * @param written by the database's clock
   * @param ends of the bookmarks that are open then and expire
   * @param dues of the bookmarks that are open then and that the clock resumes
   * @param entries of the burst
   * @param executions of the state that it has made
   */
  public record JournalRow(
      InstanceId instanceId,
      int life,
      long revision,
      UUID commandId,
      UUID stateId,
      @Nullable UUID builtOn,
      String definitionId,
      WorkflowStatus status,
      @Nullable Buffer reply,
      Instant decided,
      Instant written,
      List<BookmarkId> made,
      List<BookmarkId> burnt,
      Map<BookmarkId, Instant> ends,
      Map<BookmarkId, Instant> dues,
      List<JournalEntry> entries,
      List<ActivityExecution> executions) {}

  /** A bookmark that is open. */
  public record BookmarkRow(
      BookmarkId id, String name, String hash, int execution, @Nullable String correlationId) {}

  /** A job that waits or is leased. */
  static final class JobState {
    final Bookmark bookmark;
    @Nullable UUID lease;

    JobState(Bookmark bookmark) {
      this.bookmark = bookmark;
    }
  }

  /** A timer, and how often it was postponed. */
  public record TimerRow(Timer timer, int attempts) {
    TimerRow dueAt(Instant at, int next) {
      return new TimerRow(
          new Timer(timer.id(), at, timer.instanceId(), timer.kind(), timer.payload()), next);
    }
  }

  static final class KeyRow {
    String fingerprint = "";
    UUID claim = new UUID(0, 0);
    String node = "";
    Instant claimedUntil = Instant.EPOCH;
    Instant expiresAt = Instant.EPOCH;
    @Nullable Buffer reply;
    boolean complete;
    @Nullable Integer status;
    @Nullable String head;
    @Nullable Buffer body;
  }

  /** A fault of the model that the oracle must find. */
  public void compareRevisionAlone() {
    comparesRevisionAlone = true;
  }

  /** What must never be, and was. */
  public List<String> problems() {
    return problems;
  }

  public Map<InstanceId, InstanceRow> instances() {
    return instances;
  }

  /** All that was ever committed, in its order. */
  public List<JournalRow> journal() {
    return journal;
  }

  public Map<String, BookmarkRow> bookmarks() {
    return bookmarks;
  }

  public Map<String, TimerRow> timers() {
    return timers;
  }

  /** Whether there ever was such a bookmark that only the engine resumes. */
  public boolean isOfEngine(BookmarkId id) {
    return ofEngine.contains(id);
  }

  /** Whether a commit has ever given a bookmark the token with this hash. */
  public boolean wasGranted(String tokenHash) {
    return tokenHashes.contains(tokenHash);
  }

  Map<String, JobState> jobs() {
    return jobs;
  }

  /** The last lease of a job, also of one that has ended; null: it was never leased. */
  public @Nullable UUID lastLease(BookmarkId id) {
    return leases.get(id.toString());
  }

  UUID leased(JobState job) {
    var lease = new UUID(leases.size() + 1L, simulatedLease++);
    job.lease = lease;
    leases.put(job.bookmark.id().toString(), lease);
    return lease;
  }

  Map<String, KeyRow> keys() {
    return keys;
  }

  /** Keys whose request has neither been answered nor given up. */
  public List<String> openKeys() {
    return keys.entrySet().stream()
        .filter(e -> e.getValue().reply == null && e.getValue().status == null)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether the instance is no more, or another one has its id. */
  public boolean isDeleted(JournalRow row) {
    return !instances.containsKey(row.instanceId())
        || lives.getOrDefault(row.instanceId(), 0) != row.life() + 1;
  }

  List<JournalRow> journalOf(InstanceId id) {
    return journals.getOrDefault(id, List.of());
  }

  // Commits

  boolean commit(Chain chain, Instant now) {
    if (!guardsHold(chain, now) || !fits(chain)) {
      return false;
    }
    write(chain, now);
    return true;
  }

  private static Map<BookmarkId, Instant> ends(List<Bookmark> open) {
    var ends = new HashMap<BookmarkId, Instant>();
    for (var bookmark : open) {
      var end = bookmark.expiresAt(open);
      if (end != null) {
        ends.put(bookmark.id(), end);
      }
    }
    return ends;
  }

  private static Map<BookmarkId, Instant> dues(List<Bookmark> open) {
    var dues = new HashMap<BookmarkId, Instant>();
    for (var bookmark : open) {
      if (bookmark.dueAt() != null) {
        dues.put(bookmark.id(), bookmark.dueAt());
      }
    }
    return dues;
  }

  private boolean guardsHold(Chain chain, Instant now) {
    for (var transition : chain.transitions()) {
      var guard = transition.guard();
      if ((guard.notBefore() != null && guard.notBefore().isAfter(now))
          || (guard.notAfter() != null && !guard.notAfter().isAfter(now))
          || (guard.consumes() != null && !timers.containsKey(guard.consumes()))) {
        return false;
      }
      var kept = transition.kept();
      if (kept != null && !holds(kept.key(), transition.commitId())) {
        return false;
      }
    }
    return true;
  }

  boolean holds(String key, UUID claim) {
    var row = keys.get(key);
    return row != null && row.claim.equals(claim) && row.reply == null && row.status == null;
  }

  private boolean fits(Chain chain) {
    var row = instances.get(chain.id());
    if (!chain.isNew()) {
      return row != null
          && row.revision() == chain.expectedRevision()
          && (comparesRevisionAlone || Objects.equals(row.stateId(), chain.builtOn()));
    }
    var only = chain.guard().activation();
    return row == null
        && (only == null
            || instances.values().stream()
                .noneMatch(other ->
                    only.key().equals(other.activation())
                        || (only.correlationId() != null
                            && only.correlationId().equals(other.correlationId())
                            && !other.status().finished())));
  }

  private void write(Chain chain, Instant now) {
    var id = chain.id();
    var before = instances.get(id);
    var next = chain.last();
    if (before == null) {
      lives.merge(id, 1, Integer::sum);
    }
    var only = chain.guard().activation();
    var activation = before != null ? before.activation() : only == null ? null : only.key();
    instances.put(
        id,
        new InstanceRow(
            next.status(),
            next.revision(),
            chain.stateId(),
            chain.state().copy(),
            next.labels().parentId(),
            next.labels().correlationId(),
            next.status().finished() ? null : activation));
    var built = before == null ? null : before.stateId();
    for (var proposal : chain.proposals()) {
      addJournal(proposal, now, built);
      built = proposal.stateId();
      var kept = proposal.transition().kept();
      if (kept != null) {
        answerKey(kept);
      }
    }
    // Within one statement rows that it makes are not there yet for what it removes.
    var timersBefore = Set.copyOf(timers.keySet());
    chain.timersMade().forEach(this::addTimer);
    chain.timersDone().stream().filter(timersBefore::contains).forEach(timers::remove);
    for (var made : chain.made()) {
      addBookmark(made.bookmark(), made.correlationId());
    }
    for (var burnt : chain.burnt()) {
      bookmarks.remove(burnt.toString());
      jobs.remove(burnt.toString());
    }
    compareBookmarks(id);
  }

  private void addJournal(Proposal proposal, Instant now, @Nullable UUID built) {
    var transition = proposal.transition();
    var id = proposal.id();
    if (!Objects.equals(built, proposal.builtOn())) {
      problems.add(
          "Instance "
              + id
              + ": revision "
              + transition.next().revision()
              + " was decided on state "
              + proposal.builtOn()
              + " and written on "
              + built);
    }
    if (!stateIds.add(proposal.stateId())) {
      problems.add("Instance " + id + ": two states have the id " + proposal.stateId());
    }
    var row =
        new JournalRow(
            id,
            lives.getOrDefault(id, 1) - 1,
            transition.next().revision(),
            transition.commitId(),
            proposal.stateId(),
            proposal.builtOn(),
            transition.next().definition().definitionId(),
            transition.next().status(),
            proposal.reply(),
            transition.next().timing().updatedAt(),
            now,
            transition.made().stream().map(Bookmark::id).toList(),
            transition.burnt(),
            ends(transition.next().bookmarks()),
            dues(transition.next().bookmarks()),
            transition.journal(),
            transition.next().executions());
    var rows = journals.computeIfAbsent(id, _ -> new ArrayList<>());
    long last = rows.isEmpty() ? 0 : rows.getLast().revision();
    if (row.revision() != last + 1) {
      problems.add("Instance " + id + ": revision " + row.revision() + " follows " + last);
    }
    if (rows.stream().anyMatch(r -> r.commandId().equals(row.commandId()))) {
      problems.add("Instance " + id + ": command " + row.commandId() + " was committed twice");
    }
    rows.add(row);
    journal.add(row);
    for (var made : transition.made()) {
      var token = made.token();
      if (token != null) {
        tokenHashes.add(token.hash());
      }
    }
  }

  private void answerKey(Transition.Kept kept) {
    var row = keys.get(kept.key());
    if (row != null) {
      row.reply = Buffer.buffer(kept.reply());
      row.complete = kept.complete();
    }
  }

  private void addBookmark(Bookmark made, @Nullable String correlationId) {
    if (made.ofEngine()) {
      ofEngine.add(made.id());
    }
    if (made.isJob()) {
      jobs.putIfAbsent(made.id().toString(), new JobState(made));
    }
    bookmarks.put(
        made.id().toString(),
        new BookmarkRow(made.id(), made.name(), made.hash(), made.execution(), correlationId));
  }

  /** What the state waits for is what the rows say, and no execution waits twice for the same. */
  private void compareBookmarks(InstanceId id) {
    var row = instances.get(id);
    if (row == null) {
      return;
    }
    var ofState = new HashSet<String>();
    row.decoded().bookmarks().forEach(bookmark -> ofState.add(bookmark.id().toString()));
    var ofRows = new HashSet<String>();
    var waits = new HashSet<String>();
    for (var bookmark : bookmarks.values()) {
      if (bookmark.id().instanceId().equals(id)) {
        ofRows.add(bookmark.id().toString());
        if (!waits.add(bookmark.execution() + " " + bookmark.hash())) {
          problems.add("Instance " + id + ": " + bookmark + " waits for what another one does");
        }
      }
    }
    if (!ofState.equals(ofRows)) {
      problems.add(
          "Instance "
              + id
              + ": revision "
              + row.revision()
              + " waits for "
              + ofState
              + ", its rows are "
              + ofRows);
    }
  }

  boolean delete(InstanceId id) {
    if (instances.remove(id) == null) {
      return false;
    }
    var gone = journals.remove(id);
    if (gone != null) {
      // A start that comes late makes the instance once more.
      gone.forEach(row -> stateIds.remove(row.stateId()));
    }
    bookmarks.values().removeIf(row -> row.id().instanceId().equals(id));
    jobs.values().removeIf(job -> job.bookmark.id().instanceId().equals(id));
    timers.values().removeIf(row -> isOf(row.timer(), id));
    return true;
  }

  private static boolean isOf(Timer timer, InstanceId id) {
    return timer.id().equals("start-" + id.value())
        || timer.id().equals("child-" + id.value())
        || (timer.instanceId().equals(id) && timer.id().startsWith(id.value() + "-"));
  }

  // Timers

  /** As a row keeps it: to the microsecond, the payload as text. */
  void addTimer(Timer timer) {
    var payload =
        timer.payload() == null
            ? null
            : JsonText.parse(JsonText.print(timer.payload()), JsonLimits.STORED);
    var due = timer.dueAt().truncatedTo(ChronoUnit.MICROS);
    var stored = new Timer(timer.id(), due, timer.instanceId(), timer.kind(), payload);
    timers.putIfAbsent(timer.id(), new TimerRow(stored, 0));
  }

  void extendDeadline(String id, Instant dueAt) {
    timers.computeIfPresent(id, (_, row) -> row.dueAt(dueAt, row.attempts()));
  }

  /** Due again after the delay, doubled with every failure. */
  void backOff(String id, Instant now, Duration delay, Duration longest) {
    timers.computeIfPresent(
        id,
        (_, row) -> {
          var doubled = delay.multipliedBy(1L << Math.min(row.attempts(), 20));
          var rest = doubled.compareTo(longest) > 0 ? longest : doubled;
          return row.dueAt(now.plus(rest), row.attempts() + 1);
        });
  }
}
