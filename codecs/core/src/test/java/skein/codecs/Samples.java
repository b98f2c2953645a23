package skein.codecs;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.messages.ClusterEvent;
import skein.messages.Command;
import skein.messages.Command.TaskAction;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Alteration;
import skein.model.Alteration.Target;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.StartRequest;
import skein.model.StimulusHash;
import skein.model.Timer;
import skein.model.Timing;
import skein.model.TokenGrant;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** What the golden files hold. Nothing here may be changed; a new version adds its own. */
public final class Samples {
  public static final InstanceId ID = new InstanceId("01k2v9c3d4e5f6g7h8j9kamnpq");
  public static final BookmarkId BOOKMARK = new BookmarkId(ID, 2);
  private static final Instant START = Instant.parse("2026-03-01T08:30:00.123456Z");
  private static final DefinitionRef DEFINITION =
      new DefinitionRef("OrderApproval", "01k2v9b0000000000000000000", 3);

  private Samples() {}

  /** What a decoder throws. */
  public static BadBytesException unreadable(
      String what, int offset, String reason, boolean newer) {
    return new BadBytesException(what, offset, reason, newer);
  }

  /** A map that may hold nulls, from keys and values in turn. */
  public static Map<String, @Nullable Object> map(@Nullable Object... members) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < members.length; i += 2) {
      map.put(String.valueOf(members[i]), members[i + 1]);
    }
    return Collections.unmodifiableMap(map);
  }

  /** An order that waits for its approval, with two variables. */
  public static WorkflowInstance small() {
    return new WorkflowInstance(
        ID,
        DEFINITION,
        WorkflowStatus.Suspended,
        4,
        new Labels(null, "order-4711", null),
        new Timing(START, START.plusMillis(12), null),
        new Counters(3, 2, 7),
        null,
        map("orderId", 4711L),
        map(),
        map(),
        List.of(
            new ActivityExecution(
                1,
                0,
                "Workflow1:flow",
                ActivityStatus.Running,
                map("amount", 129.5, "approver", "kim@example.org"),
                map(),
                null,
                START),
            new ActivityExecution(
                3,
                1,
                "Workflow1:flow:approve",
                ActivityStatus.Running,
                map(),
                map(),
                null,
                START.plusMillis(12))),
        List.of(
            new Bookmark(
                BOOKMARK,
                "Elsa.Event",
                StimulusHash.of("Elsa.Event", "{\"eventName\":\"Approved\"}", null),
                map("eventName", "Approved"),
                "approve",
                "Workflow1:flow:approve",
                3,
                START.plusMillis(12),
                null,
                null,
                null)),
        List.of(),
        List.of(),
        null);
  }

  /** Every component there is, and a value of each kind. */
  public static WorkflowInstance full() {
    return new WorkflowInstance(
        ID,
        DEFINITION,
        WorkflowStatus.Pending,
        9_000_000_000L,
        new Labels(
            "Approval of \u00e9t\u00e9 \ud83d\ude00",
            "order-4711",
            new Parent(new InstanceId("parent_1"), 0, Parent.Notice.Never)),
        new Timing(START, START.plusNanos(1), Instant.parse("2026-03-02T00:00:00Z")),
        new Counters(12, 5, 1L << 40),
        new StartRequest(
            map("orderId", 4711L),
            new Labels("n", null, null),
            "trigger",
            map("method", "POST"),
            StimulusHash.sha256("f")),
        map(
            "null",
            null,
            "true",
            true,
            "false",
            false,
            "long",
            Long.MIN_VALUE,
            "double",
            -0.1,
            "integer",
            new BigInteger("-123456789012345678901234567890"),
            "decimal",
            new BigDecimal("12345678901234567890.123456789"),
            "text",
            "a\u0000b",
            "half",
            "\ud800",
            "list",
            Collections.unmodifiableList(Arrays.asList(1L, null, List.of(), map())),
            "map",
            map("", "empty key")),
        map("total", 129.5),
        map("step", map("Result", List.of("x"))),
        List.of(
            new ActivityExecution(
                1,
                0,
                "Workflow1:flow",
                ActivityStatus.Faulted,
                map("a", 1L),
                map("index", 2L),
                "then",
                START)),
        List.of(
            new Bookmark(
                BOOKMARK,
                "Elsa.Delay",
                StimulusHash.sha256("h"),
                null,
                "wait",
                "Workflow1:flow:wait",
                2,
                START,
                START.plusSeconds(60),
                new TokenGrant(StimulusHash.sha256("t"), START.plusSeconds(3600)),
                "body")),
        List.of(),
        List.of(
            new Incident(
                "call",
                "Workflow1:flow:call",
                "Elsa.SendHttpRequest",
                3,
                "ExpressionError",
                "E42",
                "No such variable",
                START)),
        StimulusHash.sha256("fingerprint"));
  }

  /** What version 2 has more than version 1. */
  public static WorkflowInstance full2() {
    var first = full();
    var parent = new Parent(new InstanceId("parent_1"), 7, Parent.Notice.AtEnd);
    return new WorkflowInstance(
        first.id(),
        first.definition(),
        first.status(),
        first.revision(),
        new Labels("n", null, parent),
        first.timing(),
        first.counters(),
        new StartRequest(map(), new Labels(null, null, parent), null, null, null),
        first.input(),
        first.output(),
        first.results(),
        first.executions(),
        List.of(),
        first.bookmarks(),
        first.incidents(),
        first.fingerprint());
  }

  public static List<Request> requests() {
    return List.of(
        new Request.Start(
            "OrderApproval", map("orderId", 4711L), "order-4711", "n", ID, "k-1", true),
        new Request.Start("OrderApproval", map(), null, null, null, null, false),
        new Request.Resume(ID, BOOKMARK, map("approved", true)),
        new Request.Resume(ID, null, map()),
        new Request.ResumeByToken("t0k3n", map("approved", false), "10.0.0.1"),
        new Request.PublishEvent("Approved", "order-4711", ID, map("by", "kim")),
        new Request.PublishEvent("Approved", null, null, null),
        new Request.CompleteTask("task-1", List.of(1L, 2L)),
        new Request.Cancel(ID),
        new Request.Query(ID));
  }

  /** Those that version 2 added. */
  public static List<Request> requests2() {
    return List.of(new Request.Journal(ID, 7, 1_000));
  }

  public static List<Command> commands() {
    return List.of(
        new Command.Start(
            ID,
            "OrderApproval",
            "v3",
            new StartRequest(map("a", 1L), Labels.NONE, null, null, null),
            true,
            false),
        new Command.Resume(ID, BOOKMARK, map("a", null), new Command.Via.Api(), true),
        new Command.Resume(ID, null, map(), new Command.Via.Event(), false),
        new Command.Resume(ID, null, map(), new Command.Via.Task(), false),
        new Command.Resume(ID, null, map(), new Command.Via.Http(), false),
        new Command.Resume(
            ID, BOOKMARK, map(), new Command.Via.Token(StimulusHash.sha256("t"), null), false),
        new Command.Fire(timer()),
        new Command.Cancel(ID),
        new Command.MintToken(BOOKMARK, Duration.ofHours(1).plusNanos(5), "billing", null),
        new Command.RevokeToken(BOOKMARK, null),
        new Command.Delete(ID));
  }

  /** Those that version 2 added. */
  public static List<Command> commands2() {
    return List.of(
        new Command.Start(
            ID,
            "OrderApproval",
            null,
            new StartRequest(
                map(),
                new Labels(null, null, new Parent(ID, 3, Parent.Notice.AtRest)),
                null,
                null,
                null),
            false,
            false),
        new Command.Resume(ID, BOOKMARK, map("work", map("ok", 1L)), new Command.Via.Work(), false),
        new Command.Alter(
            ID,
            List.of(
                new Alteration.ModifyVariable("amount", 12L),
                new Alteration.ScheduleActivity(Target.activity("approve")),
                new Alteration.CancelActivity(Target.execution(3)),
                new Alteration.Migrate(4, Map.of("approve", "accept")),
                new Alteration.Retry(List.of("call")),
                new Alteration.Cancel()),
            "kim"),
        new Command.Task(
            BOOKMARK, new TaskAction.Claim(), "alice", List.of("sales", "support"), "10.0.0.1"),
        new Command.Task(BOOKMARK, new TaskAction.Unclaim(), "alice", List.of(), null),
        new Command.Task(
            BOOKMARK,
            new TaskAction.Assign(List.of("bob"), List.of("managers")),
            null,
            List.of(),
            "10.0.0.1"),
        new Command.Task(
            BOOKMARK,
            new TaskAction.Complete(map("result", map("amount", 12L), "outcome", "Approve")),
            "bob",
            List.of(),
            null),
        new Command.ChangeDue(BOOKMARK, START.plusSeconds(3600), "kim"),
        new Command.Alter(
            ID,
            List.of(
                new Alteration.Skip(
                    Target.activity("approve"), map("Result", 12L), List.of("Approve"), "agreed"),
                new Alteration.Skip(Target.execution(3), map(), List.of(), null)),
            "kim"),
        new Command.Fork(
            new InstanceId("b"),
            "v4",
            new StartRequest(map("amount", 12L), Labels.NONE, null, null, null),
            ID,
            17,
            map("Ok", true),
            "kim"));
  }

  public static List<Reply> replies() {
    return List.of(
        new Reply.Done(ID, DEFINITION, WorkflowStatus.Suspended, 4, null, null),
        new Reply.Done(
            ID,
            DEFINITION,
            WorkflowStatus.Completed,
            5,
            new Effect.HttpAnswer(201, Map.of("Location", "/orders/1"), "text/plain", "made"),
            small()),
        new Reply.Delivered(2, 1, List.of(ID, new InstanceId("b"))),
        new Reply.TokenMinted("t0k3n", START),
        new Reply.Refused(ErrorCode.SEVERAL_BOOKMARKS, "Name one", List.of("a", "b")));
  }

  /** Those that version 2 added. */
  public static List<Reply> replies2() {
    return List.of(
        new Reply.Done(
            ID,
            DEFINITION,
            WorkflowStatus.Completed,
            6,
            new Effect.HttpAnswer(200, Map.of(), "image/png", "AAH/", true),
            null),
        new Reply.Journal(
            ID,
            List.of(
                new Reply.Journal.Entry(8, START, "Started", "approve", "Elsa.Event", null),
                new Reply.Journal.Entry(9, START, "Faulted", "charge", "Elsa.Http", "refused"))));
  }

  public static List<ClusterEvent> clusterEvents() {
    return List.of(
        new ClusterEvent.DefinitionsChanged(List.of("OrderApproval")),
        new ClusterEvent.Acknowledged("node-1"),
        new ClusterEvent.TimersMade(List.of(timer())));
  }

  private static Timer timer() {
    return new Timer(
        BOOKMARK.toString(), START, ID, Timer.Kind.Resume, map("bookmarkId", BOOKMARK.toString()));
  }
}
