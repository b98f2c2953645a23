package skein.codecs;

import skein.messages.ClusterEvent;
import skein.messages.Command;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.Timer;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * The four families of messages as bytes: a version, the number of the message in its family, its
 * components. Numbers are never given twice.
 *
 * <p>Versions that may be written are those of {@link Format}. What cannot be read is a {@link
 * BadBytesException}. From any thread.
 */
public final class MessageBytes {
  /** Stands for a message that its sender could not write; followed by the reason. */
  private static final int UNWRITTEN = 0;

  private MessageBytes() {}

  /** Stands for a message that its sender could not write; its reader gets the reason. */
  public static byte[] unwritten(String reason, int version) {
    var out = start(UNWRITTEN, version);
    out.string(reason);
    return out.toBytes();
  }

  public static byte[] encode(Request request, int version) {
    var out = start(RequestBytes.kind(request), version);
    RequestBytes.write(out, request);
    return out.toBytes();
  }

  public static Request request(byte[] bytes) {
    var in = new ByteReader("Request", bytes);
    var request = RequestBytes.read(kind(in), in);
    if (request == null) {
      throw unknownKind(in);
    }
    in.end();
    return request;
  }

  public static byte[] encode(Command command, int version) {
    if (command instanceof Command.Start c) {
      var out = start(1, version);
      out.string(c.instanceId().value());
      out.string(c.definitionId());
      out.nullable(c.versionId(), ByteWriter::string);
      InstanceCodec.startRequest(out, c.request());
      out.bool(c.dispatch());
      out.bool(c.wantState());
      return out.toBytes();
    }
    if (command instanceof Command.Resume c) {
      var out = start(2, version);
      out.string(c.instanceId().value());
      out.nullable(c.bookmarkId(), InstanceCodec::bookmarkId);
      out.map(c.input());
      via(out, c.via());
      out.bool(c.wantState());
      return out.toBytes();
    }
    if (command instanceof Command.Fire c) {
      var out = start(3, version);
      timer(out, c.timer());
      return out.toBytes();
    }
    if (command instanceof Command.Cancel c) {
      return withInstance(4, version, c.instanceId().value());
    }
    if (command instanceof Command.MintToken c) {
      var out = start(5, version);
      InstanceCodec.bookmarkId(out, c.bookmarkId());
      out.nullable(c.lifetime(), ByteWriter::duration);
      out.nullable(c.actor(), ByteWriter::string);
      return out.toBytes();
    }
    if (command instanceof Command.RevokeToken c) {
      var out = start(6, version);
      InstanceCodec.bookmarkId(out, c.bookmarkId());
      out.nullable(c.actor(), ByteWriter::string);
      return out.toBytes();
    }
    if (command instanceof Command.Delete c) {
      return withInstance(7, version, c.instanceId().value());
    }
    if (command instanceof Command.Alter c) {
      var out = start(8, version);
      out.string(c.instanceId().value());
      out.list(c.alterations(), AlterationBytes::write);
      out.nullable(c.actor(), ByteWriter::string);
      return out.toBytes();
    }
    if (command instanceof Command.Task c) {
      var out = start(9, version);
      TaskBytes.write(out, c);
      return out.toBytes();
    }
    if (command instanceof Command.ChangeDue c) {
      var out = start(10, version);
      InstanceCodec.bookmarkId(out, c.bookmarkId());
      out.instant(c.dueAt());
      out.nullable(c.actor(), ByteWriter::string);
      return out.toBytes();
    }
    if (command instanceof Command.Fork c) {
      var out = start(11, version);
      ForkBytes.write(out, c);
      return out.toBytes();
    }
    throw Unwritten.kind(command);
  }

  public static Command command(byte[] bytes) {
    var in = new ByteReader("Command", bytes);
    Command command =
        switch (kind(in)) {
          case 1 ->
              new Command.Start(
                  InstanceCodec.instanceId(in),
                  in.string(),
                  in.nullable(ByteReader::string),
                  InstanceCodec.startRequest(in),
                  in.bool(),
                  in.bool());
          case 2 ->
              new Command.Resume(
                  InstanceCodec.instanceId(in),
                  in.nullable(InstanceCodec::bookmarkId),
                  in.map(),
                  via(in),
                  in.bool());
          case 3 -> new Command.Fire(timer(in));
          case 4 -> new Command.Cancel(InstanceCodec.instanceId(in));
          case 5 ->
              new Command.MintToken(
                  InstanceCodec.bookmarkId(in),
                  in.nullable(ByteReader::duration),
                  in.nullable(ByteReader::string),
                  null);
          case 6 ->
              new Command.RevokeToken(
                  InstanceCodec.bookmarkId(in), in.nullable(ByteReader::string));
          case 7 -> new Command.Delete(InstanceCodec.instanceId(in));
          case 8 ->
              new Command.Alter(
                  InstanceCodec.instanceId(in),
                  in.list(AlterationBytes::read),
                  in.nullable(ByteReader::string));
          case 9 -> TaskBytes.read(in);
          case 10 ->
              new Command.ChangeDue(
                  InstanceCodec.bookmarkId(in), in.instant(), in.nullable(ByteReader::string));
          case 11 -> ForkBytes.read(in);
          default -> throw unknownKind(in);
        };
    in.end();
    return command;
  }

  public static byte[] encode(Reply reply, int version) {
    return encode(reply, version, Integer.MAX_VALUE);
  }

  static byte[] encode(Reply reply, int version, int stateBytesMax) {
    if (reply instanceof Reply.Done r) {
      var out = start(1, version);
      out.string(r.instanceId().value());
      InstanceCodec.definition(out, r.definition());
      out.name(r.status());
      out.signed(r.revision());
      out.nullable(r.httpAnswer(), MessageBytes::httpAnswer);
      out.nullable(r.state(), (to, state) -> state(to, state, stateBytesMax));
      return out.toBytes();
    }
    if (reply instanceof Reply.Delivered r) {
      var out = start(2, version);
      out.varint(r.resumed());
      out.varint(r.started());
      out.list(r.instances(), (to, id) -> to.string(id.value()));
      return out.toBytes();
    }
    if (reply instanceof Reply.TokenMinted r) {
      var out = start(3, version);
      out.string(r.token());
      out.nullable(r.expiresAt(), ByteWriter::instant);
      return out.toBytes();
    }
    if (reply instanceof Reply.Journal r) {
      var out = start(5, version);
      out.string(r.instanceId().value());
      out.list(r.entries(), MessageBytes::entry);
      return out.toBytes();
    }
    if (reply instanceof Reply.Refused r) {
      var out = start(4, version);
      out.name(r.code());
      out.string(r.detail());
      out.list(r.errors(), ByteWriter::string);
      return out.toBytes();
    }
    throw Unwritten.kind(reply);
  }

  public static Reply reply(byte[] bytes) {
    var in = new ByteReader("Reply", bytes);
    Reply reply =
        switch (kind(in)) {
          case 1 ->
              new Reply.Done(
                  InstanceCodec.instanceId(in),
                  InstanceCodec.definition(in),
                  in.name(WorkflowStatus.class),
                  in.signed(),
                  in.nullable(MessageBytes::httpAnswer),
                  in.nullable(MessageBytes::state));
          case 2 -> new Reply.Delivered(in.count(), in.count(), in.list(InstanceCodec::instanceId));
          case 3 -> new Reply.TokenMinted(in.string(), in.nullable(ByteReader::instant));
          case 4 ->
              new Reply.Refused(in.name(ErrorCode.class), in.string(), in.list(ByteReader::string));
          case 5 -> new Reply.Journal(InstanceCodec.instanceId(in), in.list(MessageBytes::entry));
          default -> throw unknownKind(in);
        };
    in.end();
    return reply;
  }

  public static byte[] encode(ClusterEvent event, int version) {
    if (event instanceof ClusterEvent.DefinitionsChanged e) {
      var out = start(1, version);
      out.list(e.definitionIds(), ByteWriter::string);
      return out.toBytes();
    }
    if (event instanceof ClusterEvent.Acknowledged e) {
      var out = start(2, version);
      out.string(e.nodeId());
      return out.toBytes();
    }
    if (event instanceof ClusterEvent.TimersMade e) {
      var out = start(3, version);
      out.list(e.timers(), MessageBytes::timer);
      return out.toBytes();
    }
    throw Unwritten.kind(event);
  }

  public static ClusterEvent clusterEvent(byte[] bytes) {
    var in = new ByteReader("Cluster event", bytes);
    ClusterEvent event =
        switch (kind(in)) {
          case 1 -> new ClusterEvent.DefinitionsChanged(in.list(ByteReader::string));
          case 2 -> new ClusterEvent.Acknowledged(in.string());
          case 3 -> new ClusterEvent.TimersMade(in.list(MessageBytes::timer));
          default -> throw unknownKind(in);
        };
    in.end();
    return event;
  }

  private static ByteWriter start(int kind, int version) {
    var out = new ByteWriter(version);
    out.oneByte(kind);
    return out;
  }

  private static byte[] withInstance(int kind, int version, String instanceId) {
    var out = start(kind, version);
    out.string(instanceId);
    return out.toBytes();
  }

  private static int kind(ByteReader in) {
    in.readVersion(Format.newest());
    int kind = in.oneByte();
    if (kind == UNWRITTEN) {
      throw in.bad("its sender could not write it: " + in.string());
    }
    return kind;
  }

  private static BadBytesException unknownKind(ByteReader in) {
    return in.newer("a kind of message this node does not know; a newer node sent it");
  }

  private static void via(ByteWriter out, Command.Via via) {
    if (via instanceof Command.Via.Api) {
      out.oneByte(1);
    } else if (via instanceof Command.Via.Event) {
      out.oneByte(2);
    } else if (via instanceof Command.Via.Task) {
      out.oneByte(3);
    } else if (via instanceof Command.Via.Http) {
      out.oneByte(4);
    } else if (via instanceof Command.Via.Token token) {
      out.oneByte(5);
      out.string(token.hash());
      out.nullable(token.actor(), ByteWriter::string);
    } else if (via instanceof Command.Via.Work) {
      out.oneByte(6);
    } else {
      throw Unwritten.kind(via);
    }
  }

  private static Command.Via via(ByteReader in) {
    return switch (in.oneByte()) {
      case 1 -> new Command.Via.Api();
      case 2 -> new Command.Via.Event();
      case 3 -> new Command.Via.Task();
      case 4 -> new Command.Via.Http();
      case 5 -> new Command.Via.Token(in.string(), in.nullable(ByteReader::string));
      case 6 -> new Command.Via.Work();
      default -> throw in.newer("a way of resuming this node does not know");
    };
  }

  private static void timer(ByteWriter out, Timer timer) {
    out.string(timer.id());
    out.instant(timer.dueAt());
    out.string(timer.instanceId().value());
    out.name(timer.kind());
    out.json(timer.payload());
  }

  private static Timer timer(ByteReader in) {
    return new Timer(
        in.string(),
        in.instant(),
        InstanceCodec.instanceId(in),
        in.name(Timer.Kind.class),
        in.json());
  }

  private static void httpAnswer(ByteWriter out, Effect.HttpAnswer answer) {
    out.varint(answer.status());
    out.map(answer.headers());
    out.nullable(answer.contentType(), ByteWriter::string);
    out.json(answer.content());
    out.bool(answer.base64());
  }

  private static Effect.HttpAnswer httpAnswer(ByteReader in) {
    return new Effect.HttpAnswer(
        in.count(),
        AlterationBytes.texts(in),
        in.nullable(ByteReader::string),
        in.json(),
        in.version() > 1 && in.bool());
  }

  private static void entry(ByteWriter out, Reply.Journal.Entry entry) {
    out.signed(entry.sequence());
    out.instant(entry.at());
    out.string(entry.event());
    out.string(entry.activityId());
    out.string(entry.activityType());
    out.nullable(entry.message(), ByteWriter::string);
  }

  private static Reply.Journal.Entry entry(ByteReader in) {
    return new Reply.Journal.Entry(
        in.signed(),
        in.instant(),
        in.string(),
        in.string(),
        in.string(),
        in.nullable(ByteReader::string));
  }

  private static void state(ByteWriter out, WorkflowInstance state, int bytesMax) {
    var bytes = InstanceCodec.measured(state, out.version(), bytesMax).bytes();
    out.signed(state.revision());
    out.varint(bytes.length);
    out.raw(bytes);
  }

  private static WorkflowInstance state(ByteReader in) {
    long revision = in.signed();
    return InstanceCodec.decode(in.raw(in.count()), revision);
  }
}
