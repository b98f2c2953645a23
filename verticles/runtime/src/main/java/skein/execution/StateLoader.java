package skein.execution;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.burst.Past;
import skein.codecs.AlterationJson;
import skein.decisions.Payloads;
import skein.graph.Graph;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Alteration;
import skein.model.ErrorCode;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.WorkflowInstance;
import skein.storage.InstanceStates.Snapshot;
import skein.storage.NamedState;

/** Finds what a command is decided on. Confined to one event loop. */
final class StateLoader {
  private final EventLoop loop;
  private final ExecutionDependencies dependencies;
  private final InstanceCache copies;
  private final FirstReply firstReply;

  StateLoader(EventLoop loop, ExecutionDependencies dependencies, InstanceCache copies) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.copies = copies;
    this.firstReply = new FirstReply(loop, dependencies);
  }

  sealed interface Found {}

  /** It was done before, and was answered so. */
  record Done(Reply reply) implements Found {}

  /**
   * What it is decided on.
   *
   * @param state null when there is no such instance
   * @param graph of the instance's definition, or of the one that is to be started; null: none
   * @param copy the state comes from memory and may be out of date
   */
  record Loaded(@Nullable NamedState state, @Nullable Graph graph, boolean copy) implements Found {
    @Nullable WorkflowInstance instance() {
      return state == null ? null : state.instance();
    }
  }

  /**
   * What only some commands are decided on beside a state.
   *
   * @param targets the versions that alterations move the instance to, by their numbers
   * @param past what a fork begins with; null for other commands
   */
  record Supplement(Map<Integer, Graph> targets, @Nullable Past past) {
    private static final Supplement NONE = new Supplement(Map.of(), null);
  }

  Future<Found> load(Work work, Attempt attempt) {
    loop.check();
    var command = work.command();
    var id = command.instanceId();
    if (attempt.checksHistory() && !isCertainlyNew(work, attempt)) {
      return loop.bring(dependencies.instances().snapshot(id, work.commandId()))
          .compose(snapshot -> found(work, snapshot));
    }
    if (makesInstance(command) && attempt.number() == 1) {
      // A new id is most likely free: the commit finds out, without a question before it.
      return with(command, null, true);
    }
    var copy = attempt.fromMemory() ? copies.get(id) : null;
    return copy != null
        ? with(command, copy, true)
        : loop.bring(dependencies.instances().state(id))
            .compose(state -> with(command, state, false));
  }

  /**
   * Whether the copy in memory tells that the command is not in its history, so that no question to
   * the database has to. If another node has executed it since, the copy is out of date, and the
   * commit finds that out.
   */
  private boolean isCertainlyNew(Work work, Attempt attempt) {
    return attempt.fromMemory() && copies.hasWithout(work.command().instanceId(), work.commandId());
  }

  /** Whether the first attempt takes the id of its instance for free. */
  static boolean makesInstance(Command command) {
    return command instanceof Command.Start || command instanceof Command.Fork;
  }

  /** The content of a snapshot of the database. */
  Future<Found> found(Work work, Snapshot snapshot) {
    loop.check();
    return snapshot.executed() == null
        ? with(work.command(), snapshot.state(), false)
        : firstReply.of(work, snapshot.executed(), snapshot.state()).map(Done::new);
  }

  private Future<Found> with(Command command, @Nullable NamedState state, boolean copy) {
    return graph(command, state == null ? null : state.instance())
        .map(graph -> new Loaded(state, graph, copy));
  }

  /** The graph that a command needs; null when it needs none or the definition was deleted. */
  Future<@Nullable Graph> graph(Command command, @Nullable WorkflowInstance current) {
    loop.check();
    Future<@Nullable Graph> found =
        switch (command) {
          case Command.Start start -> {
            var versionId = start.versionId();
            yield versionId == null
                ? published(start.definitionId())
                : dependencies.definitions().version(versionId);
          }
          case Command.Fork fork -> dependencies.definitions().version(fork.versionId());
          case Command.Fire(var timer)
              when timer.kind() == Timer.Kind.ScheduleStart
                  && Payloads.optional(timer, "versionId") != null ->
              dependencies.definitions().version(Payloads.text(timer, "versionId"));
          case Command.Fire(var timer)
              when timer.kind() == Timer.Kind.Child
                  || timer.kind() == Timer.Kind.Trigger
                  || timer.kind() == Timer.Kind.ScheduleStart ->
              published(Payloads.text(timer, "definitionId"))
                  .recover(e ->
                      e instanceof SkeinException refused && isAboutTheDefinition(refused.code())
                          ? Future.succeededFuture(null)
                          : Future.failedFuture(e));
          case Command.Resume _,
              Command.Fire _,
              Command.Cancel _,
              Command.ChangeDue _,
              Command.Alter _,
              Command.Task _ ->
              current == null
                  ? Future.<@Nullable Graph>succeededFuture(null)
                  : dependencies.definitions().version(current.definition().versionId());
          case Command.MintToken _, Command.RevokeToken _, Command.Delete _ ->
              Future.<@Nullable Graph>succeededFuture(null);
        };
    return loop.bring(found);
  }

  private Future<@Nullable Graph> published(String definitionId) {
    return dependencies.definitions().published(definitionId).<@Nullable Graph>map(graph -> graph);
  }

  private static boolean isAboutTheDefinition(ErrorCode code) {
    return code == ErrorCode.DEFINITION_NOT_PUBLISHED
        || code == ErrorCode.DEFINITION_NOT_FOUND
        || code == ErrorCode.DEFINITION_INVALID;
  }

  /** The journal that a fork begins with, or the versions of a migration; nothing for others. */
  Future<Supplement> supplement(Command command, @Nullable WorkflowInstance instance) {
    loop.check();
    return switch (command) {
      case Command.Fork fork -> past(fork).map(past -> new Supplement(Map.of(), past));
      case Command.Alter alter -> targets(alter.alterations(), instance);
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.Alter ->
          targets(AlterationJson.stored(Payloads.value(timer, "alterations")), instance);
      default -> Future.succeededFuture(Supplement.NONE);
    };
  }

  private Future<Past> past(Command.Fork fork) {
    // One more, which tells whether the burst ends there.
    return loop.bring(
            dependencies.rows().journals().first(fork.sourceId(), (int) fork.sequence() + 1))
        .recover(e -> Future.failedFuture(tooLarge(fork, e)))
        .compose(entries ->
            endsBurst(fork, entries)
                .map(ends -> new Past(fork.sourceId(), fork.sequence(), entries, ends)));
  }

  /** A fork cannot do with fewer entries. */
  private static Throwable tooLarge(Command.Fork fork, Throwable e) {
    return e instanceof SkeinException refusal && refusal.code() == ErrorCode.TOO_LARGE
        ? new SkeinException(
            ErrorCode.PAST_STATE_UNKNOWN,
            "The journal of "
                + fork.sourceId()
                + " up to entry "
                + fork.sequence()
                + " is larger than a node reads: choose an earlier burst")
        : e;
  }

  /** Bursts differ in their instants, unless a clock stood still. */
  private Future<Boolean> endsBurst(Command.Fork fork, List<JournalEntry> entries) {
    int last = (int) fork.sequence();
    boolean differs =
        last < 1
            || entries.size() <= last
            || !entries.get(last).at().equals(entries.get(last - 1).at());
    return differs
        ? Future.succeededFuture(true)
        : loop.bring(
            dependencies.rows().journals().beginsBurst(fork.sourceId(), fork.sequence() + 1));
  }

  private Future<Supplement> targets(
      List<Alteration> alterations, @Nullable WorkflowInstance instance) {
    if (instance == null || alterations.isEmpty()) {
      return Future.succeededFuture(Supplement.NONE);
    }
    var numbers = new ArrayList<Integer>();
    for (var alteration : alterations) {
      if (alteration instanceof Alteration.Migrate(var number, _)) {
        numbers.add(number);
      }
    }
    var id = instance.definition().definitionId();
    return StateLoader.<Graph>oneByOne(
            numbers, number -> loop.bring(dependencies.definitions().version(id, number)))
        .map(targets -> new Supplement(targets, null));
  }

  /**
   * What is found for each of these numbers: one is asked for after the other, and none twice,
   * since a caller may name as many as a request has room for.
   */
  static <T> Future<Map<Integer, T>> oneByOne(
      List<Integer> numbers, Function<Integer, Future<@Nullable T>> read) {
    var found = new HashMap<Integer, T>();
    Future<Void> done = Future.succeededFuture();
    for (var number : new LinkedHashSet<>(numbers)) {
      done =
          done.compose(_ -> read.apply(number))
              .map(one -> {
                if (one != null) {
                  found.put(number, one);
                }
                return null;
              });
    }
    return done.map(_ -> found);
  }
}
