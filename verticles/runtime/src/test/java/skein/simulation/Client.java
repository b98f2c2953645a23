package skein.simulation;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import skein.activities.Stimuli;
import skein.bus.Refusals;
import skein.codecs.ResumeToken;
import skein.ingress.Ingress;
import skein.ingress.Keys;
import skein.ingress.Once;
import skein.messages.Command;
import skein.messages.Command.TaskAction;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.Alteration;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.StimulusHash;
import skein.model.WorkflowStatus;
import skein.simulation.Plan.Item;
import skein.simulation.Plan.Op;
import skein.storage.SimulatedTables;

/** Callers of the faces of nodes, who note what they are answered. */
final class Client {
  private static final List<String> EVENTS = List.of("a", "b", "c", "d", "e");

  /** What was resumed in vain is resumed again after so long. */
  private static final long DRIVE_NANOS = 2_000_000_000L;

  /** Children that may fault are resumed in so many turns, each of so long. */
  private static final int TURNS = 8;

  private static final long TURN_NANOS = 200_000_000L;

  /** A link is used so long after it was sent. */
  private static final long LINK_NANOS = 5_000_000L;

  private static final String INSTANCE = "instance";

  /** Beyond the numbers of all instances that are started. */
  private static final int FORKS = 1_000_000;

  private static final String LINK_ACTIVITY = "Skein.GenerateBookmarkTriggerUrl";

  private final Run run;
  private final SimulatedTables tables;
  private final List<String> definitions;
  private final Imports imports;
  private final List<Call> calls = new ArrayList<>();
  private final List<String> tokens = new ArrayList<>();
  private final Map<Integer, BookmarkId> aims = new HashMap<>();
  private final Map<Integer, Skipped> skips = new HashMap<>();
  private final Map<Integer, Command.Fork> forks = new LinkedHashMap<>();
  private final Set<String> driven = new HashSet<>();

  /** A request and its outcome. */
  static final class Call {
    final Item item;
    final String node;
    final long began;

    /** Of what it names; null: it names none. */
    final BookmarkId bookmark;

    long ended = -1;

    /** Null while there is none, and when the node died with the caller's connection. */
    Reply reply;

    /** The claim under which it was executed; null: without one. */
    Once.Claimed claim;

    boolean cutOff;

    Call(Item item, String node, long began, BookmarkId bookmark) {
      this.item = item;
      this.node = node;
      this.began = began;
      this.bookmark = bookmark;
    }

    ErrorCode refusal() {
      return reply instanceof Reply.Refused refused ? refused.code() : null;
    }

    boolean isSuccess() {
      return reply != null && refusal() == null;
    }

    /** Answered in a way that leaves no doubt. */
    boolean isDefinite() {
      return isSuccess()
          || (refusal() != null
              && refusal() != ErrorCode.OUTCOME_UNKNOWN
              && refusal() != ErrorCode.TIMEOUT);
    }

    @Override
    public String toString() {
      return item.mark()
          + " "
          + item.op()
          + (bookmark == null ? "" : " " + bookmark)
          + " at "
          + node;
    }
  }

  Client(Run run, SimulatedTables tables, List<String> definitions, Imports imports) {
    this.run = run;
    this.tables = tables;
    this.definitions = definitions;
    this.imports = imports;
  }

  List<Call> calls() {
    return calls;
  }

  static InstanceId instance(int number) {
    return new InstanceId(INSTANCE + number);
  }

  /** Asks the node, or another one where it is not there. */
  void ask(Item item, int copy) {
    var member = run.member(item.node() + copy);
    if (member == null) {
      run.simulator().after(50_000_000, () -> ask(item, copy));
      return;
    }
    member.http().execute(() -> ask(item, member));
  }

  private void ask(Item item, Member member) {
    var bookmark = aim(item);
    var call = new Call(item, member.place().self().id(), run.simulator().now(), bookmark);
    calls.add(call);
    member.calls().add(call);
    run.simulator().note(() -> "asked: " + call + (item.keyed() ? " with a key" : ""));
    var answered =
        item.op() == Op.IMPORT
            ? imports.restore(call, member)
            : item.keyed() ? keyed(call, member) : perform(call, member.node().ingress());
    answered
        .otherwise(Refusals::of)
        .onComplete(result -> {
          call.reply = result.result();
          call.ended = run.simulator().now();
          member.calls().remove(call);
          run.simulator().note(() -> "answered: " + call + ": " + shown(call.reply));
          run.simulator().mix(call.refusal() == null ? 1 : call.refusal().name().hashCode());
          if (call.reply instanceof Reply.TokenMinted minted) {
            tokens.add(minted.token());
            run.simulator().after(item.spread() * 100, () -> ask(using(item), 0));
          }
          if (item.op() == Op.RECREATE && call.isSuccess()) {
            recreate(item, member);
          }
          if (item.op() == Op.IMPORT && call.isSuccess() && imports.file(item).isFaulted()) {
            revive(item);
          }
        });
  }

  /** Who is given a token uses it. */
  private Item using(Item mint) {
    return new Item(
        run.newNumber(),
        0,
        Op.USE_TOKEN,
        mint.node() + 1,
        mint.instance(),
        tokens.size() - 1,
        false,
        1,
        0);
  }

  /** A workflow has sent a link; its receiver uses it. */
  void sent(String token) {
    var id = ResumeToken.bookmark(token).instanceId();
    if (!tables.wasGranted(StimulusHash.sha256(token))) {
      tables.problems().add("Instance " + id + ": a link was sent that no commit has made");
    }
    tokens.add(token);
    int number = Integer.parseInt(id.value().substring(INSTANCE.length()));
    var use =
        new Item(run.newNumber(), 0, Op.USE_TOKEN, number, number, tokens.size() - 1, false, 1, 0);
    run.simulator().after(LINK_NANOS, () -> ask(use, 0));
  }

  private void recreate(Item item, Member member) {
    var again =
        new Item(
            run.newNumber(), 0, Op.START, item.node(), item.instance(), item.choice(), false, 1, 0);
    ask(again, member);
  }

  /** What was faulted where it was exported goes on here. */
  private void revive(Item imported) {
    var file = imports.file(imported);
    var id = file.instance().id();
    var item = new Item(run.newNumber(), 0, Op.SKIP, imported.node() + 1, 0, 0, false, 1, 0);
    imports.follows(item, file);
    aims.put(item.number(), new BookmarkId(id, 1));
    skips.put(item.number(), new Skipped(id, Alteration.Target.activity(Workflows.FAULT)));
    run.simulator().after(imported.spread() * 100, () -> ask(item, 0));
  }

  static String shown(Reply reply) {
    return switch (reply) {
      case Reply.Done done -> "r" + done.revision() + " " + done.status();
      case Reply.Refused refused -> refused.code() + " " + refused.detail();
      default -> String.valueOf(reply);
    };
  }

  private static String key(Item item) {
    return "key of " + item.mark();
  }

  /** As the face of the bus does it. */
  private Future<Reply> keyed(Call call, Member member) {
    var keys = member.node().keys();
    return keys.claim(key(call.item), call.item.mark())
        .compose(verdict ->
            switch (verdict) {
              case Keys.Verdict.Execute(var claim) -> {
                call.claim = claim;
                yield execute(call, keys, claim, member.node().ingress().once(claim));
              }
              case Keys.Verdict.Continue(var claim, var from) ->
                  execute(call, keys, claim, member.node().ingress().once(from));
              case Keys.Verdict.Committed(var reply) ->
                  reply instanceof Reply.Done
                      ? perform(call, member.node().ingress().once(new Once.Again(reply)))
                      : Future.succeededFuture(reply);
              case Keys.Verdict.Answered _ ->
                  Future.failedFuture(new IllegalStateException("Answered as HTTP"));
            });
  }

  private Future<Reply> execute(Call call, Keys keys, Once.Claimed claim, Ingress ingress) {
    return perform(call, ingress).otherwise(Refusals::of).compose(reply -> keys.end(claim, reply));
  }

  private Future<Reply> perform(Call call, Ingress ingress) {
    var item = call.item;
    var mark = item.mark();
    var id = instance(item.instance());
    var bookmark = call.bookmark;
    try {
      Future<? extends Reply> done =
          switch (item.op()) {
            case START ->
                ingress.start(
                    new Request.Start(
                        definitions.get(item.instance()),
                        Map.of("mark", mark),
                        null,
                        null,
                        id,
                        null,
                        item.choice() % 4 == 0));
            case RESUME ->
                ingress.resume(
                    new Request.Resume(bookmark.instanceId(), bookmark, Map.of("payload", mark)));
            case RESUME_ONLY ->
                ingress.resume(new Request.Resume(id, null, Map.of("payload", mark)));
            case PUBLISH ->
                ofTenant(ingress, item)
                    .publishEvent(
                        new Request.PublishEvent(
                            EVENTS.get(item.choice() % EVENTS.size()),
                            null,
                            item.choice() % 3 == 0 ? id : null,
                            mark),
                        item.choice() % 7 > 0);
            case TASK ->
                ingress.task(
                    bookmark.toString(),
                    action(item.choice()),
                    "u" + item.number() % 2,
                    List.of(),
                    mark);
            case COMPLETE_TASK ->
                ingress.completeTask(new Request.CompleteTask(bookmark.toString(), mark));
            case MINT -> ingress.mintToken(bookmark, null, mark);
            case USE_TOKEN ->
                ingress.resumeByToken(
                    new Request.ResumeByToken(token(item), Map.of("payload", mark), mark));
            case CHANGE_DUE -> ingress.changeDue(bookmark, due(item), mark);
            case REVOKE -> ingress.revokeToken(bookmark, mark);
            case ALTER ->
                ingress.alter(id, List.of(new Alteration.ModifyVariable("v", mark)), mark);
            case SKIP -> {
              var skip = skips.computeIfAbsent(item.number(), _ -> skip(item, bookmark));
              yield ingress.alter(skip.instance(), List.of(skip.alteration()), mark);
            }
            case FORK -> ingress.fork(forks.computeIfAbsent(item.number(), _ -> fork(item)));
            case CANCEL -> ingress.cancel(id);
            case RECREATE -> ingress.delete(id);
            case IMPORT -> throw new IllegalStateException("It goes by no ingress");
          };
      return done.map(reply -> reply);
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
  }

  private Ingress ofTenant(Ingress ingress, Item item) {
    return ingress.of(Workflows.tenantOf(definitions.get(item.instance())));
  }

  /** What is skipped; the same for all copies. */
  private record Skipped(InstanceId instance, Alteration alteration) {
    Skipped(InstanceId instance, Alteration.Target target) {
      this(instance, new Alteration.Skip(target, Map.of(), List.of(), "no more needed"));
    }
  }

  /** The fault of a child, if there is one; else what waits at the bookmark. */
  private Skipped skip(Item item, BookmarkId bookmark) {
    var faulted = new ArrayList<InstanceId>();
    tables
        .instances()
        .forEach((id, row) -> {
          if (isFaultedChild(row) && row.parentId().equals(instance(item.instance()))) {
            faulted.add(id);
          }
        });
    if (!faulted.isEmpty()) {
      var child = faulted.get(item.choice() % faulted.size());
      return new Skipped(child, Alteration.Target.activity(Workflows.FAULT));
    }
    if (definitions.get(item.instance()).equals(Workflows.FAULTS)) {
      return new Skipped(bookmark.instanceId(), Alteration.Target.activity(Workflows.FAULT));
    }
    var row = tables.bookmarks().get(bookmark.toString());
    int execution = row == null ? 1 + item.choice() % 4 : row.execution();
    return new Skipped(bookmark.instanceId(), Alteration.Target.execution(execution));
  }

  private static boolean isFaultedChild(SimulatedTables.InstanceRow row) {
    return row.parentId() != null
        && row.status() == WorkflowStatus.Faulted
        && row.decoded().definition().definitionId().equals(Workflows.FRAGILE);
  }

  /** After any burst that the instance has had by now, if it has had one. */
  private Command.Fork fork(Item item) {
    var source = instance(item.instance());
    var bursts =
        tables.journal().stream()
            .filter(row -> row.instanceId().equals(source) && !row.entries().isEmpty())
            .toList();
    long sequence =
        bursts.isEmpty()
            ? 1
            : bursts.get(item.choice() % bursts.size()).entries().getLast().sequence();
    return new Command.Fork(
        forkId(item),
        definitions.get(item.instance()) + "-v1",
        new StartRequest(Map.of(), Labels.NONE, null, null, null),
        source,
        sequence,
        Map.of("v", item.mark()),
        item.mark());
  }

  /** Some want an id that another one was asked for with. */
  private InstanceId forkId(Item item) {
    var asked = forks.values().iterator();
    return item.choice() % 3 == 0 && asked.hasNext()
        ? asked.next().instanceId()
        : instance(FORKS + item.number());
  }

  private static TaskAction action(int choice) {
    return switch (choice % 4) {
      case 0 -> new TaskAction.Assign(List.of("u0", "u1"), List.of());
      case 1 -> new TaskAction.Unclaim();
      default -> new TaskAction.Claim();
    };
  }

  private String token(Item item) {
    return tokens.isEmpty() ? "none" : tokens.get(item.choice() % tokens.size());
  }

  /** The bookmark that all copies of an item are about. */
  private BookmarkId aim(Item item) {
    return switch (item.op()) {
      case CHANGE_DUE -> aims.computeIfAbsent(item.number(), _ -> aimAtTimer(item));
      case RESUME, MINT, REVOKE, SKIP -> aims.computeIfAbsent(item.number(), _ -> aim(item, null));
      case TASK, COMPLETE_TASK ->
          aims.computeIfAbsent(
              item.number(),
              _ -> aim(item, usesRunTask(item) ? Stimuli.RUN_TASK : Stimuli.USER_TASK));
      default -> null;
    };
  }

  private static boolean usesRunTask(Item item) {
    return item.op() == Op.COMPLETE_TASK && item.choice() % 2 == 0;
  }

  /** One that the clock resumes, if there is any. */
  private BookmarkId aimAtTimer(Item item) {
    var id = instance(item.instance());
    var waiting =
        tables.bookmarks().keySet().stream()
            .filter(tables.timers()::containsKey)
            .map(BookmarkId::parse)
            .filter(bookmark -> bookmark.instanceId().equals(id))
            .toList();
    return waiting.isEmpty() ? aim(item, null) : waiting.get(item.choice() % waiting.size());
  }

  /** Before now, in a moment, or later than most timers. */
  private Instant due(Item item) {
    return Oracle.BEGIN.plusNanos(run.simulator().now()).plusMillis(item.choice() % 3 * 150L - 100);
  }

  private BookmarkId aim(Item item, String name) {
    var id = instance(item.instance());
    var open =
        tables.bookmarks().values().stream()
            .filter(row -> row.id().instanceId().equals(id) || isChild(row, item))
            .filter(row -> name == null || row.name().equals(name))
            .map(SimulatedTables.BookmarkRow::id)
            .toList();
    return open.isEmpty()
        ? new BookmarkId(id, 1 + item.choice() % 4)
        : open.get(item.choice() % open.size());
  }

  /** Where children may fault, they are what callers resume. */
  private boolean isChild(SimulatedTables.BookmarkRow bookmark, Item item) {
    var row = tables.instances().get(bookmark.id().instanceId());
    return Workflows.awaitsFragile(definitions.get(item.instance()))
        && row != null
        && instance(item.instance()).equals(row.parentId());
  }

  // Until everything has come to rest

  /** Whether the caller should ask again, since the outcome is unknown. */
  boolean askAgain() {
    boolean open = false;
    var items = new HashSet<Item>();
    calls.forEach(call -> {
      if (call.item.keyed()) {
        items.add(call.item);
      }
    });
    for (var item : calls.stream().map(call -> call.item).distinct().toList()) {
      if (items.contains(item)) {
        var own = calls.stream().filter(call -> call.item.equals(item)).toList();
        boolean waits = own.stream().anyMatch(call -> call.reply == null && !call.cutOff);
        boolean told =
            own.stream()
                .anyMatch(call ->
                    call.isSuccess() || (call.refusal() != null && Keys.isKept(call.refusal())));
        open |= waits || !told;
        if (!waits && !told) {
          ask(item, own.size());
        }
      }
    }
    return open;
  }

  /** Resumes whatever waits for an external caller. */
  void drive() {
    reviveChildren();
    for (var row : List.copyOf(tables.bookmarks().values())) {
      boolean isWaited =
          row.name().equals(Stimuli.EVENT)
              || row.name().equals(Stimuli.USER_TASK)
              || row.name().equals(Stimuli.RUN_TASK)
              || row.name().equals(LINK_ACTIVITY);
      long round = run.simulator().now() / DRIVE_NANOS;
      if (isWaited && isTurn(row.id()) && driven.add(row.id() + "@" + round)) {
        var item = new Item(run.newNumber(), 0, Op.RESUME, 0, -1, 0, false, 1, 0);
        aims.put(item.number(), row.id());
        var member = run.member((int) round);
        if (member != null) {
          member.http().execute(() -> askFor(row.id(), item, member, "u" + round % 2));
        }
      }
    }
  }

  /** Children that may fault do so one after another, so that some have ended twice before. */
  private boolean isTurn(BookmarkId id) {
    var row = tables.instances().get(id.instanceId());
    return row == null
        || row.revision() > 1
        || !row.decoded().definition().definitionId().equals(Workflows.FRAGILE)
        || Math.floorMod(id.toString().hashCode() - run.simulator().now() / TURN_NANOS, TURNS) == 0;
  }

  /** Has children go on that have faulted, each once. */
  private void reviveChildren() {
    tables
        .instances()
        .forEach((id, row) -> {
          if (isFaultedChild(row) && driven.add("revived " + id)) {
            var item = new Item(run.newNumber(), 0, Op.SKIP, 0, -1, 0, false, 1, 0);
            aims.put(item.number(), new BookmarkId(id, 1));
            skips.put(item.number(), new Skipped(id, Alteration.Target.activity(Workflows.FAULT)));
            var member = run.member(item.number());
            if (member != null) {
              member.http().execute(() -> ask(item, member));
            }
          }
        });
  }

  private void askFor(BookmarkId id, Item item, Member member, String user) {
    var call = new Call(item, member.place().self().id(), run.simulator().now(), id);
    calls.add(call);
    member.calls().add(call);
    var request =
        new Request.Resume(id.instanceId(), id, Map.of("payload", item.mark(), "user", user));
    run.simulator().note(() -> "driven: " + call);
    member
        .node()
        .ingress()
        .resume(request)
        .map(reply -> (Reply) reply)
        .otherwise(Refusals::of)
        .onComplete(result -> {
          call.reply = result.result();
          call.ended = run.simulator().now();
          member.calls().remove(call);
          run.simulator().note(() -> "answered: " + call + ": " + shown(call.reply));
        });
  }
}
