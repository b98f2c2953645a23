package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;

/** The replies of a lane that wait for what work and children bring. Confined to one event loop. */
final class PendingReplies {
  private final EventLoop loop;
  private final Duration timeout;
  private final Map<String, PendingReply> byExpected = new HashMap<>();
  private final Map<UUID, Future<Reply>> byCommand = new HashMap<>();

  /** {@code timeout}: after it a caller is answered with what is known. */
  PendingReplies(EventLoop loop, Duration timeout) {
    this.loop = loop;
    this.timeout = timeout;
  }

  static String work(BookmarkId id) {
    return "work-" + id;
  }

  static String timer(String id) {
    return "timer-" + id;
  }

  static String child(InstanceId id) {
    return "child-" + id;
  }

  /** The one that expects this command's news, else a new one for the receiver of the reply. */
  PendingReply of(Command command, Promise<Reply> promise) {
    loop.check();
    var news = news(command);
    var waiting = news == null ? null : byExpected.get(news);
    return waiting == null ? new PendingReply(loop, command, promise) : waiting;
  }

  private static @Nullable String news(Command command) {
    return switch (command) {
      case Command.Resume resume
          when resume.via() instanceof Command.Via.Work && resume.bookmarkId() != null ->
          work(resume.bookmarkId());
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.Bookmark -> timer(timer.id());
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.ChildDone ->
          child(new InstanceId(timer.id().substring("done-".length())));
      default -> null;
    };
  }

  /** The answer to a command that is still at work here; null: there is none. */
  @Nullable Future<Reply> ongoing(UUID commandId) {
    loop.check();
    return byCommand.get(commandId);
  }

  void begun(UUID commandId, Future<Reply> answer) {
    loop.check();
    byCommand.put(commandId, answer);
    answer.onComplete(_ -> byCommand.remove(commandId));
  }

  /** Whether a caller that waits for the outcome has sent the command, or waits for its news. */
  static boolean mayWait(Command command) {
    return switch (command) {
      case Command.Start start -> !start.dispatch();
      case Command.Resume resume ->
          switch (resume.via()) {
            case Command.Via.Api _, Command.Via.Token _, Command.Via.Http _, Command.Via.Work _ ->
                true;
            case Command.Via.Event _, Command.Via.Task _ -> false;
          };
      case Command.Fire(var timer) ->
          timer.kind() == Timer.Kind.ChildDone || timer.kind() == Timer.Kind.Bookmark;
      default -> false;
    };
  }

  /** Whether the sender of the command may get more than its commit knows. */
  static boolean mayGoOn(Command command, Transition transition) {
    return mayWait(command)
        && (transition.effects().stream().anyMatch(Effect.Work.class::isInstance)
            || transition.timersMade().stream().anyMatch(t -> t.kind() == Timer.Kind.Child)
            || transition.made().stream().anyMatch(Bookmark::isRetry));
  }

  /** Lets the caller wait for the news. */
  void expect(PendingReply pendingReply, String news) {
    loop.check();
    if (!pendingReply.waits()) {
      return;
    }
    byExpected.put(news, pendingReply);
    var timer =
        loop.schedule(
            timeout,
            () -> {
              if (pendingReply.expects(news)) {
                // Of an instance that was deleted and made again another one may expect it by now.
                byExpected.remove(news, pendingReply);
                pendingReply.closeLate();
              }
            });
    pendingReply.expect(news, timer);
  }

  /** Whether who waits for this work asked for the state that it leads to. */
  boolean wantsState(BookmarkId id) {
    loop.check();
    var pendingReply = byExpected.get(work(id));
    return pendingReply != null && pendingReply.wantsState();
  }

  /** The news may take long: it depends on another party. */
  void release(String news) {
    loop.check();
    var pendingReply = byExpected.remove(news);
    if (pendingReply != null) {
      pendingReply.arrived(news);
    }
  }

  /** The result of work, from the node that owns its instance by now. */
  void toldElsewhere(BookmarkId id, Reply reply) {
    loop.check();
    var pendingReply = byExpected.get(work(id));
    if (pendingReply != null) {
      pendingReply.heard(reply);
      release(work(id));
    }
  }

  /**
   * News of timers and children goes to the owners of instances: who waits here for that of an
   * instance which has another owner now is answered with what is known.
   */
  void ownersChanged(Predicate<InstanceId> isOwn) {
    loop.check();
    var elsewhere =
        byExpected.entrySet().stream()
            .filter(e -> !isWork(e.getKey()) && !isOwn.test(e.getValue().instanceId()))
            .map(Map.Entry::getKey)
            .toList();
    elsewhere.forEach(this::release);
  }

  /** Answers callers that wait for more of this command with what is known. */
  void answerNow(UUID commandId) {
    loop.check();
    var answer = byCommand.get(commandId);
    List.copyOf(byExpected.values()).stream()
        .filter(pendingReply -> pendingReply.answer().equals(answer))
        .forEach(PendingReply::close);
  }

  /** Nothing more will be heard here. */
  void closeAll() {
    loop.check();
    var waiting = List.copyOf(byExpected.values());
    byExpected.clear();
    waiting.forEach(PendingReply::close);
  }

  private static boolean isWork(String news) {
    return news.startsWith("work-");
  }

  void ended(Work work, Future<Reply> ended) {
    loop.check();
    var news = news(work.command());
    if (news == null) {
      if (ended.succeeded()) {
        work.pendingReply().heard(ended.result());
      } else {
        work.pendingReply().failed(ended.cause());
      }
      return;
    }
    // News has two listeners: who brought it, and who waits for what it leads to.
    if (ended.succeeded()) {
      work.promise().tryComplete(ended.result());
      work.pendingReply().heard(ended.result());
      release(news);
    } else {
      work.promise().tryFail(ended.cause());
    }
  }
}
