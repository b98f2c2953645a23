package skein.codecs;

import java.util.List;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.StartRequest;
import skein.model.Timing;
import skein.model.TokenGrant;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * The state of an instance as the bytes that are stored.
 *
 * <p>The first byte is the version of the format. Each version ever written can be read for ever: a
 * test holds a file of each. The revision is not in the bytes: the row has it, and two truths could
 * differ.
 */
public final class InstanceCodec {
  /** Before the tenant, behind everything else. */
  private static final int TENANT = 1;

  private InstanceCodec() {}

  /** Encodes in the newest format; throws {@code TOO_DEEP} for values that no reader accepts. */
  public static byte[] encode(WorkflowInstance instance) {
    return encode(instance, Format.newest());
  }

  /** {@code version}: one that is written, see {@link Format#writtenFor}. */
  public static byte[] encode(WorkflowInstance instance, int version) {
    return measured(instance, version, Integer.MAX_VALUE).bytes();
  }

  /**
   * As {@link #encode(WorkflowInstance, int)}.
   *
   * @param bytesMax a state that takes more is not written to its end: {@code STATE_TOO_LARGE}
   */
  public static EncodedInstance measured(WorkflowInstance instance, int version, int bytesMax) {
    var out =
        new ByteWriter(
            version, bytesMax, () -> InstanceRefusals.stateTooLarge(instance.id(), bytesMax));
    out.string(instance.id().value());
    definition(out, instance.definition());
    out.name(instance.status());
    labels(out, instance.labels());
    timing(out, instance.timing());
    counters(out, instance.counters());
    out.nullable(instance.pending(), InstanceCodec::startRequest);
    out.map(instance.input());
    out.map(instance.output());
    out.map(instance.results());
    out.list(instance.executions(), InstanceCodec::execution);
    out.list(instance.bookmarks(), InstanceCodec::bookmark);
    out.list(instance.shelved(), InstanceCodec::bookmark);
    out.list(instance.incidents(), InstanceCodec::incident);
    out.nullable(instance.fingerprint(), ByteWriter::string);
    tenant(out, instance.definition());
    return new EncodedInstance(out.toBytes(), out.heapBytes());
  }

  /** Throws {@link BadBytesException}; {@code revision}: the one of the row. */
  public static WorkflowInstance decode(byte[] bytes, long revision) {
    var in = new ByteReader("Workflow instance", bytes);
    in.readVersion(Format.newest());
    var instance =
        new WorkflowInstance(
            instanceId(in),
            definition(in),
            in.name(WorkflowStatus.class),
            revision,
            labels(in),
            timing(in),
            counters(in),
            in.nullable(InstanceCodec::startRequest),
            in.map(),
            in.map(),
            in.map(),
            in.list(InstanceCodec::execution),
            in.list(InstanceCodec::bookmark),
            in.version() == 1 ? List.of() : in.list(InstanceCodec::bookmark),
            in.list(InstanceCodec::incident),
            in.nullable(ByteReader::string));
    var owned = in.skips(TENANT) ? instance.of(in.string()) : instance;
    in.end();
    return owned;
  }

  /** Behind everything else, and only where there are tenants: other states have no byte more. */
  private static void tenant(ByteWriter out, DefinitionRef ref) {
    if (!ref.tenant().isEmpty()) {
      out.oneByte(TENANT);
      out.string(ref.tenant());
    }
  }

  static InstanceId instanceId(ByteReader in) {
    return in.checked(in.string(), InstanceId::new);
  }

  static void bookmarkId(ByteWriter out, BookmarkId id) {
    out.string(id.instanceId().value());
    out.varint(id.number());
  }

  static BookmarkId bookmarkId(ByteReader in) {
    var instanceId = instanceId(in);
    return in.checked(in.count(), number -> new BookmarkId(instanceId, number));
  }

  static void definition(ByteWriter out, DefinitionRef ref) {
    out.string(ref.definitionId());
    out.string(ref.versionId());
    out.signed(ref.version());
  }

  static DefinitionRef definition(ByteReader in) {
    return new DefinitionRef(in.string(), in.string(), signedInt(in));
  }

  static void startRequest(ByteWriter out, StartRequest request) {
    out.map(request.input());
    labels(out, request.labels());
    out.nullable(request.triggerActivityId(), ByteWriter::string);
    out.json(request.stimulus());
    out.nullable(request.fingerprint(), ByteWriter::string);
  }

  static StartRequest startRequest(ByteReader in) {
    return new StartRequest(
        in.map(),
        labels(in),
        in.nullable(ByteReader::string),
        in.json(),
        in.nullable(ByteReader::string));
  }

  private static void labels(ByteWriter out, Labels labels) {
    out.nullable(labels.name(), ByteWriter::string);
    out.nullable(labels.correlationId(), ByteWriter::string);
    out.nullable(labels.parent(), InstanceCodec::parent);
  }

  private static Labels labels(ByteReader in) {
    return new Labels(
        in.nullable(ByteReader::string),
        in.nullable(ByteReader::string),
        in.nullable(InstanceCodec::parent));
  }

  private static void parent(ByteWriter out, Parent parent) {
    out.string(parent.id().value());
    out.signed(parent.execution());
    out.name(parent.notice());
  }

  private static Parent parent(ByteReader in) {
    return in.version() == 1
        ? new Parent(instanceId(in), 0, Parent.Notice.Never)
        : new Parent(instanceId(in), signedInt(in), in.name(Parent.Notice.class));
  }

  private static void timing(ByteWriter out, Timing timing) {
    out.instant(timing.createdAt());
    out.instant(timing.updatedAt());
    out.nullable(timing.finishedAt(), ByteWriter::instant);
  }

  private static Timing timing(ByteReader in) {
    return new Timing(in.instant(), in.instant(), in.nullable(ByteReader::instant));
  }

  private static void counters(ByteWriter out, Counters counters) {
    out.signed(counters.executions());
    out.signed(counters.bookmarks());
    out.signed(counters.journal());
  }

  private static Counters counters(ByteReader in) {
    return new Counters(signedInt(in), signedInt(in), in.signed());
  }

  private static void execution(ByteWriter out, ActivityExecution execution) {
    out.signed(execution.number());
    out.signed(execution.parent());
    out.string(execution.nodeId());
    out.name(execution.status());
    out.map(execution.variables());
    out.map(execution.memory());
    out.nullable(execution.tag(), ByteWriter::string);
    out.instant(execution.startedAt());
  }

  private static ActivityExecution execution(ByteReader in) {
    return new ActivityExecution(
        signedInt(in),
        signedInt(in),
        in.string(),
        in.name(ActivityStatus.class),
        in.map(),
        in.map(),
        in.nullable(ByteReader::string),
        in.instant());
  }

  private static void bookmark(ByteWriter out, Bookmark bookmark) {
    bookmarkId(out, bookmark.id());
    out.string(bookmark.name());
    out.string(bookmark.hash());
    out.json(bookmark.payload());
    out.string(bookmark.activityId());
    out.string(bookmark.nodeId());
    out.signed(bookmark.execution());
    out.instant(bookmark.createdAt());
    out.nullable(bookmark.dueAt(), ByteWriter::instant);
    out.nullable(bookmark.token(), InstanceCodec::token);
    out.nullable(bookmark.tag(), ByteWriter::string);
  }

  private static Bookmark bookmark(ByteReader in) {
    return new Bookmark(
        bookmarkId(in),
        in.string(),
        in.string(),
        in.json(),
        in.string(),
        in.string(),
        signedInt(in),
        in.instant(),
        in.nullable(ByteReader::instant),
        in.nullable(InstanceCodec::token),
        in.nullable(ByteReader::string));
  }

  private static void token(ByteWriter out, TokenGrant grant) {
    out.string(grant.hash());
    out.nullable(grant.expiresAt(), ByteWriter::instant);
  }

  private static TokenGrant token(ByteReader in) {
    return new TokenGrant(in.string(), in.nullable(ByteReader::instant));
  }

  private static void incident(ByteWriter out, Incident incident) {
    out.string(incident.activityId());
    out.string(incident.nodeId());
    out.string(incident.activityType());
    out.signed(incident.execution());
    out.string(incident.type());
    out.nullable(incident.code(), ByteWriter::string);
    out.string(incident.message());
    out.instant(incident.at());
  }

  private static Incident incident(ByteReader in) {
    return new Incident(
        in.string(),
        in.string(),
        in.string(),
        signedInt(in),
        in.string(),
        in.nullable(ByteReader::string),
        in.string(),
        in.instant());
  }

  static int signedInt(ByteReader in) {
    long value = in.signed();
    if (value != (int) value) {
      throw in.bad(value + " is out of range");
    }
    return (int) value;
  }
}
