package skein.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import skein.cluster.Order;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ActivityExecution;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.WorkflowStatus;
import skein.simulation.Client.Call;
import skein.simulation.Plan.Op;
import skein.storage.SimulatedDatabase;
import skein.storage.SimulatedTables;
import skein.storage.SimulatedTables.JournalRow;

/** Whether there is one history of each instance, and whether it explains every answer. */
final class Oracle {
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final SimulatedTables tables;
  private final List<Call> calls;
  private final Map<UUID, Order> orders;
  private final Imports imports;
  private final Map<String, List<JournalRow>> byMark = new HashMap<>();
  private final List<String> violations = new ArrayList<>();

  Oracle(SimulatedTables tables, List<Call> calls, Map<UUID, Order> orders, Imports imports) {
    this.tables = tables;
    this.calls = calls;
    this.orders = orders;
    this.imports = imports;
    for (var row : tables.journal()) {
      var mark = mark(row);
      if (mark != null) {
        byMark.computeIfAbsent(mark, _ -> new ArrayList<>()).add(row);
      }
    }
  }

  List<String> violations() {
    eachBookmarkOnce();
    noneAfterItsEnd();
    noneBeforeItIsDue();
    postponedOnesAreGone();
    eachStateIsItsHistory();
    forksBeginWhereTheirSourcesWere();
    importsBeginAsTheirFilesSay();
    journalsGoOn();
    calls.forEach(this::isExplained);
    repetitionsAgree();
    return violations;
  }

  /** What a caller has put into a command to find it again; null: nothing. */
  static String mark(Command command) {
    return switch (command) {
      case Command.Start start -> text(start.request().input().get("mark"));
      case Command.Resume resume ->
          resume.via() instanceof Command.Via.Token token
              ? token.actor()
              : resume.via() instanceof Command.Via.Task
                  ? text(resume.input().get("result"))
                  : resume.via() instanceof Command.Via.Work
                      ? JobWorkers.mark(resume)
                      : text(resume.input().get("payload"));
      case Command.Fire(Timer timer) ->
          timer.kind() == Timer.Kind.Resume
                  && timer.payload() instanceof Map<?, ?> map
                  && map.get("input") instanceof Map<?, ?> input
              ? text(input.get("payload"))
              : null;
      case Command.Task task -> task.actor();
      case Command.MintToken mint -> mint.actor();
      case Command.RevokeToken revoke -> revoke.actor();
      case Command.ChangeDue change -> change.actor();
      case Command.Alter alter -> alter.actor();
      case Command.Fork fork -> fork.actor();
      case Command.Cancel _, Command.Delete _ -> null;
    };
  }

  private static String text(Object value) {
    return value instanceof String text ? text : null;
  }

  private String mark(JournalRow row) {
    var order = orders.get(row.commandId());
    if (order != null) {
      return mark(order.command());
    }
    var imported = imports.call(row.commandId());
    return imported == null ? null : imported.item.mark();
  }

  private void violated(String what) {
    violations.add(what);
  }

  private void eachBookmarkOnce() {
    var burnt = new HashMap<String, JournalRow>();
    var last = new HashMap<InstanceId, WorkflowStatus>();
    for (var row : tables.journal()) {
      if (last.put(row.instanceId(), row.status()) == WorkflowStatus.Faulted
          && row.status() != WorkflowStatus.Faulted) {
        // A skip goes on with what was set aside when the instance faulted.
        burnt
            .values()
            .removeIf(other ->
                other.instanceId().equals(row.instanceId())
                    && other.status() == WorkflowStatus.Faulted);
      }
      for (var id : row.burnt()) {
        var before = burnt.put(row.life() + "/" + id, row);
        if (before != null) {
          violated(
              "Bookmark "
                  + id
                  + " was consumed by revision "
                  + before.revision()
                  + " and "
                  + row.revision());
        }
      }
    }
  }

  /** Who is outside, or an event, resumes no bookmark that has expired by the database's clock. */
  private void noneAfterItsEnd() {
    var ends = new HashMap<InstanceId, Map<BookmarkId, Instant>>();
    for (var row : tables.journal()) {
      var before = ends.put(row.instanceId(), row.ends());
      var order = orders.get(row.commandId());
      var resumed = order == null ? null : resumed(order.command());
      var end = before == null || resumed == null ? null : before.get(resumed);
      if (end != null && row.burnt().contains(resumed) && !row.written().isBefore(end)) {
        violated(
            "Bookmark " + resumed + " expired at " + end + " and was resumed at " + row.written());
      }
    }
  }

  /** A timer has its effect at the instant that the state says, or later. */
  private void noneBeforeItIsDue() {
    var dues = new HashMap<InstanceId, Map<BookmarkId, Instant>>();
    for (var row : tables.journal()) {
      var before = dues.put(row.instanceId(), row.dues());
      var order = orders.get(row.commandId());
      if (before == null
          || order == null
          || !(order.command() instanceof Command.Fire(Timer timer))
          || timer.kind() != Timer.Kind.Bookmark) {
        continue;
      }
      var due = before.get(BookmarkId.parse(timer.id()));
      if (due != null && row.written().isBefore(due)) {
        violated("Bookmark " + timer.id() + " was due at " + due + ", fired at " + row.written());
      }
    }
  }

  /** Another bookmark is in its place: a firing at the old instant finds nothing. */
  private void postponedOnesAreGone() {
    for (var row : tables.journal()) {
      var order = orders.get(row.commandId());
      if (order != null
          && order.command() instanceof Command.ChangeDue change
          && !row.burnt().contains(change.bookmarkId())) {
        violated("Bookmark " + change.bookmarkId() + " was postponed and is still there");
      }
    }
  }

  /** The bookmark that a command names; null: none. */
  private static BookmarkId resumed(Command command) {
    return switch (command) {
      case Command.Resume resume -> resume.bookmarkId();
      case Command.Task task when task.action() instanceof Command.TaskAction.Complete ->
          task.bookmarkId();
      case Command.Fire(Timer timer)
          when timer.kind() == Timer.Kind.Resume && timer.payload() instanceof Map<?, ?> map ->
          BookmarkId.parse(String.valueOf(map.get("bookmarkId")));
      default -> null;
    };
  }

  /** The row is what the last of its journal has made, and holds what its bursts have brought. */
  private void eachStateIsItsHistory() {
    var last = new LinkedHashMap<InstanceId, JournalRow>();
    var brought = new HashMap<InstanceId, Set<String>>();
    var ever = new HashMap<InstanceId, Set<String>>();
    for (var row : tables.journal()) {
      var before = last.put(row.instanceId(), row);
      if (before != null && before.life() != row.life()) {
        brought.remove(row.instanceId());
      }
      var own = brought.computeIfAbsent(row.instanceId(), _ -> new HashSet<>());
      own.add(String.valueOf(mark(row)));
      var order = orders.get(row.commandId());
      if (order != null && order.command() instanceof Command.Fork fork) {
        own.addAll(ever.getOrDefault(fork.sourceId(), Set.of()));
      }
      ever.computeIfAbsent(row.instanceId(), _ -> new HashSet<>()).addAll(own);
    }
    tables
        .instances()
        .forEach((id, stored) -> {
          var row = last.get(id);
          if (row == null
              || row.revision() != stored.revision()
              || !row.stateId().equals(stored.stateId())
              || row.status() != stored.status()) {
            violated("Instance " + id + " is not what its journal says");
            return;
          }
          var marks = new HashSet<String>();
          collect(stored.decoded().results(), marks);
          marks.removeAll(brought.getOrDefault(id, Set.of()));
          if (!marks.isEmpty()) {
            violated("Instance " + id + " holds what no burst of its journal brought: " + marks);
          }
        });
  }

  /**
   * With the executions that the source had, the values of their variables but for the one that the
   * caller replaces, and what containers remember; what they remember for the engine is their own.
   * What waited or was faulted there waits anew.
   */
  private void forksBeginWhereTheirSourcesWere() {
    for (var row : tables.journal()) {
      var order = orders.get(row.commandId());
      if (order == null || !(order.command() instanceof Command.Fork fork)) {
        continue;
      }
      boolean fits =
          sources(fork, row)
              .anyMatch(source -> shape(source.executions()).equals(shape(row.executions())));
      boolean waits = row.status() == WorkflowStatus.Suspended && !row.made().isEmpty();
      boolean faultsAgain =
          row.status() == WorkflowStatus.Faulted && row.definitionId().equals(Workflows.FAULTS);
      if (!waits && !faultsAgain) {
        violated("Instance " + row.instanceId() + " is a fork, and begins as " + row.status());
      }
      if (!fork.variables().equals(row.executions().getFirst().variables())
          && !Workflows.setsVariables(row.definitionId())) {
        violated(
            "Instance "
                + row.instanceId()
                + " begins with "
                + row.executions().getFirst().variables()
                + " in place of "
                + fork.variables());
      }
      if (!fits || row.revision() != 1) {
        violated(
            "Instance "
                + row.instanceId()
                + " begins with "
                + shape(row.executions())
                + ", and "
                + fork.sourceId()
                + " had "
                + sources(fork, row).map(source -> shape(source.executions())).toList()
                + " after entry "
                + fork.sequence());
      }
    }
  }

  /** The bursts that end with the entry; several when the source was deleted and started again. */
  private Stream<JournalRow> sources(Command.Fork fork, JournalRow begun) {
    return tables.journal().stream()
        .takeWhile(row -> !row.equals(begun))
        .filter(row -> row.instanceId().equals(fork.sourceId()) && !row.entries().isEmpty())
        .filter(row -> row.entries().getLast().sequence() == fork.sequence());
  }

  private static List<String> shape(List<ActivityExecution> executions) {
    return executions.stream()
        .map(execution -> {
          var variables = new TreeMap<String, Object>(execution.variables());
          variables.remove("v");
          boolean holds =
              executions.stream().anyMatch(other -> other.parent() == execution.number());
          var memory = new TreeMap<String, Object>();
          execution
              .memory()
              .forEach((key, value) -> {
                if (holds && !key.startsWith("$")) {
                  memory.put(key, value);
                }
              });
          return execution.number()
              + " in "
              + execution.parent()
              + " "
              + execution.nodeId()
              + " "
              + execution.tag()
              + " "
              + variables
              + " "
              + memory;
        })
        .toList();
  }

  /** The first commit of an instance makes it what its file says, at revision 1. */
  private void importsBeginAsTheirFilesSay() {
    for (var row : tables.journal()) {
      var call = imports.call(row.commandId());
      if (call == null) {
        continue;
      }
      var file = imports.file(call.item);
      var instance = file.instance();
      boolean fits =
          row.instanceId().equals(instance.id())
              && row.revision() == 1
              && row.status() == instance.status()
              && row.executions().equals(instance.executions())
              && row.made().equals(instance.bookmarks().stream().map(Bookmark::id).toList())
              && row.burnt().isEmpty()
              && row.entries().equals(file.journal());
      if (!fits) {
        violated(
            call
                + " made of "
                + instance.id()
                + " "
                + instance.status()
                + " with "
                + file.journal().size()
                + " entries: "
                + shown(List.of(row))
                + " "
                + row.status()
                + " with "
                + row.entries().size());
      }
    }
  }

  /** No two entries of an instance have one number, and later ones have higher numbers. */
  private void journalsGoOn() {
    var last = new HashMap<String, Long>();
    for (var row : tables.journal()) {
      for (var entry : row.entries()) {
        var before = last.put(row.instanceId() + " " + row.life(), entry.sequence());
        if (before != null && entry.sequence() <= before) {
          violated(
              "Instance "
                  + row.instanceId()
                  + ": entry "
                  + entry.sequence()
                  + " of revision "
                  + row.revision()
                  + " follows entry "
                  + before);
        }
      }
    }
  }

  private static void collect(Object value, Set<String> marks) {
    if (value instanceof Map<?, ?> map) {
      map.values().forEach(each -> collect(each, marks));
    } else if (value instanceof String text && text.matches("m[0-9]+")) {
      marks.add(text);
    }
  }

  /** Those of an import are its own, also where others have imported the same file. */
  private List<JournalRow> rows(Call call) {
    var rows = byMark.getOrDefault(call.item.mark(), List.of());
    return call.item.op() == Op.IMPORT
        ? rows.stream().filter(row -> imports.call(row.commandId()) == call).toList()
        : rows;
  }

  private void isExplained(Call call) {
    var rows = rows(call);
    var op = call.item.op();
    if (op == Op.PUBLISH) {
      isCounted(call, rows);
      return;
    }
    if (rows.size() > 1 && rows.stream().noneMatch(this::isDeleted)) {
      violated(call + " was done " + rows.size() + " times: " + shown(rows));
    }
    if (call.reply == null) {
      return;
    }
    if (call.refusal() == ErrorCode.INTERNAL) {
      violated(call + " was answered INTERNAL");
    }
    if (call.isSuccess()) {
      succeeded(call, rows);
    } else if (call.isDefinite()) {
      refused(call, rows);
    }
  }

  private void succeeded(Call call, List<JournalRow> rows) {
    var op = call.item.op();
    boolean mayChangeNothing = op == Op.CANCEL || op == Op.TASK || op == Op.RECREATE;
    if (rows.isEmpty()) {
      if (!mayChangeNothing) {
        violated(call + " was answered " + Client.shown(call.reply) + ", and nothing was done");
      }
      return;
    }
    if (!(call.reply instanceof Reply.Done done) || isDeleted(rows.getFirst())) {
      return;
    }
    var first = rows.getFirst();
    boolean told =
        tables.journal().stream()
            .anyMatch(row ->
                row.instanceId().equals(first.instanceId())
                    && row.life() == first.life()
                    && row.revision() == done.revision()
                    && row.status() == done.status());
    if (done.revision() < first.revision() || !told) {
      violated(
          call
              + " was answered "
              + Client.shown(done)
              + ", and made revision "
              + first.revision()
              + " "
              + first.status());
    }
    if (changedNothing(call)) {
      return;
    }
    boolean mayGoOn =
        op == Op.START
            || op == Op.FORK
            || op == Op.RESUME
            || op == Op.RESUME_ONLY
            || op == Op.USE_TOKEN;
    if (done.revision() != first.revision() && !mayGoOn) {
      violated(call + " was answered r" + done.revision() + ", and made r" + first.revision());
    }
  }

  private void refused(Call call, List<JournalRow> rows) {
    var code = call.refusal();
    boolean done =
        call.item.keyed()
            ? call.claim != null
                && rows.stream().anyMatch(row -> row.commandId().equals(call.claim.id()))
            : !rows.isEmpty();
    if (code == ErrorCode.IDEMPOTENCY_KEY_IN_USE) {
      return; // Another claimant answers, also for work under this claim.
    }
    if (done && !isAboutTheDeleted(call)) {
      violated(call + " was refused with " + code + ", and was done: " + shown(rows));
    }
    if (call.item.op() == Op.IMPORT && code == ErrorCode.INSTANCE_EXISTS && !wasThere(call)) {
      violated(call + " was refused with " + code + ", and there was none");
    }
    if (call.bookmark != null
        && (code == ErrorCode.ALREADY_RESUMED
            || code == ErrorCode.BOOKMARK_NOT_FOUND
            || code == ErrorCode.INSTANCE_NOT_FOUND)
        && call.claim == null
        && !call.item.keyed()
        && !tables.isOfEngine(call.bookmark)
        && wasOpen(call)) {
      violated(call + " was refused with " + code + ", and its bookmark was open all the time");
    }
  }

  /** The history of an instance that was deleted is unknown. */
  private boolean isDeleted(JournalRow row) {
    return tables.isDeleted(row);
  }

  /** Of its instance, or of one that had the same id. */
  private boolean isAboutTheDeleted(Call call) {
    var id =
        call.bookmark == null ? Client.instance(call.item.instance()) : call.bookmark.instanceId();
    return rows(call).stream().anyMatch(this::isDeleted)
        || tables.journal().stream().anyMatch(row -> row.instanceId().equals(id) && isDeleted(row));
  }

  /**
   * Before the answer, the instance with the id that an import wants; or another import of it was
   * under way at that node, which does not send two of one id together.
   */
  private boolean wasThere(Call call) {
    var id = imports.file(call.item).instance().id();
    var ended = BEGIN.plusNanos(call.ended);
    return tables.journal().stream()
            .anyMatch(row -> row.instanceId().equals(id) && !row.written().isAfter(ended))
        || calls.stream()
            .filter(other -> other != call && other.item.op() == Op.IMPORT)
            .filter(other -> other.node.equals(call.node) && other.began <= call.ended)
            .anyMatch(other -> imports.file(other.item).instance().id().equals(id));
  }

  /** From the question to the answer. */
  private boolean wasOpen(Call call) {
    var began = BEGIN.plusNanos(call.began);
    var ended = BEGIN.plusNanos(call.ended);
    boolean open = false;
    for (var row : tables.journal()) {
      if (!row.instanceId().equals(call.bookmark.instanceId())) {
        continue;
      }
      if (row.written().isAfter(ended)) {
        break;
      }
      if (row.made().contains(call.bookmark) && !row.written().isAfter(began)) {
        open = true;
      }
      if (row.burnt().contains(call.bookmark)) {
        open = false;
      }
    }
    // Of an instance that was deleted nothing is said here.
    return open
        && tables.journal().stream()
            .filter(row -> row.instanceId().equals(call.bookmark.instanceId()))
            .allMatch(row -> row.life() == 0)
        && tables.instances().containsKey(call.bookmark.instanceId());
  }

  private void isCounted(Call call, List<JournalRow> rows) {
    var receivers = new HashSet<String>();
    for (var row : rows) {
      if (orders.get(row.commandId()) != null
          && orders.get(row.commandId()).command() instanceof Command.Fire(Timer timer)
          && !receivers.add(row.life() + timer.id())) {
        violated(call + " resumed twice: " + timer.id());
      }
    }
    if (call.reply instanceof Reply.Delivered delivered && delivered.resumed() > rows.size()) {
      violated(
          call + " was told of " + delivered.resumed() + " resumed, and it were " + rows.size());
    }
    if (call.refusal() == ErrorCode.INTERNAL) {
      violated(call + " was answered INTERNAL");
    }
  }

  private void repetitionsAgree() {
    var answers = new LinkedHashMap<String, Call>();
    for (var call : calls) {
      if (!call.item.keyed()
          || call.item.op() == Op.PUBLISH
          || changedNothing(call)
          || !isFinal(call)
          || isAboutTheDeleted(call)) {
        continue;
      }
      var before = answers.putIfAbsent(call.item.mark(), call);
      if (before != null && !same(before.reply, call.reply)) {
        violated(
            call
                + " was answered "
                + Client.shown(before.reply)
                + ", and repeated "
                + Client.shown(call.reply));
      }
    }
  }

  /**
   * Under its own claim: the request had no effect, because another caller had done it who has the
   * key by now.
   */
  private boolean changedNothing(Call call) {
    return call.claim != null
        && (call.item.op() == Op.TASK || call.item.op() == Op.CANCEL)
        && rows(call).stream().noneMatch(row -> row.commandId().equals(call.claim.id()));
  }

  private static boolean isFinal(Call call) {
    return call.isSuccess()
        || (call.refusal() != null
            && call.refusal() != ErrorCode.IDEMPOTENCY_KEY_IN_USE
            && !call.refusal().isTransient());
  }

  private static boolean same(Reply one, Reply other) {
    if (one instanceof Reply.Done a && other instanceof Reply.Done b) {
      return a.revision() == b.revision() && a.status() == b.status();
    }
    if (one instanceof Reply.Refused a && other instanceof Reply.Refused b) {
      return a.code() == b.code();
    }
    return one.equals(other);
  }

  private static String shown(List<JournalRow> rows) {
    return rows.stream()
        .map(row ->
            row.instanceId()
                + " r"
                + row.revision()
                + " "
                + SimulatedDatabase.shortId(row.commandId()))
        .toList()
        .toString();
  }
}
