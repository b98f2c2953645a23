package skein.codecs;

import org.jspecify.annotations.Nullable;
import skein.messages.Request;

/** Requests as bytes: the number of each in its family, and its components. */
final class RequestBytes {
  private RequestBytes() {}

  static int kind(Request request) {
    if (request instanceof Request.Start) {
      return 1;
    }
    if (request instanceof Request.Resume) {
      return 2;
    }
    if (request instanceof Request.ResumeByToken) {
      return 3;
    }
    if (request instanceof Request.PublishEvent) {
      return 4;
    }
    if (request instanceof Request.CompleteTask) {
      return 5;
    }
    if (request instanceof Request.Cancel) {
      return 6;
    }
    if (request instanceof Request.Query) {
      return 7;
    }
    if (request instanceof Request.Journal) {
      return 8;
    }
    throw Unwritten.kind(request);
  }

  static void write(ByteWriter out, Request request) {
    if (request instanceof Request.Start r) {
      out.string(r.definitionId());
      out.map(r.input());
      out.nullable(r.correlationId(), ByteWriter::string);
      out.nullable(r.name(), ByteWriter::string);
      out.nullable(r.instanceId(), (to, id) -> to.string(id.value()));
      out.nullable(r.idempotencyKey(), ByteWriter::string);
      out.bool(r.dispatch());
    } else if (request instanceof Request.Resume r) {
      out.string(r.instanceId().value());
      out.nullable(r.bookmarkId(), InstanceCodec::bookmarkId);
      out.map(r.input());
    } else if (request instanceof Request.ResumeByToken r) {
      out.string(r.token());
      out.map(r.input());
      out.nullable(r.actor(), ByteWriter::string);
    } else if (request instanceof Request.PublishEvent r) {
      out.string(r.eventName());
      out.nullable(r.correlationId(), ByteWriter::string);
      out.nullable(r.instanceId(), (to, id) -> to.string(id.value()));
      out.json(r.payload());
    } else if (request instanceof Request.CompleteTask r) {
      out.string(r.taskId());
      out.json(r.result());
    } else if (request instanceof Request.Cancel r) {
      out.string(r.instanceId().value());
    } else if (request instanceof Request.Query r) {
      out.string(r.instanceId().value());
    } else if (request instanceof Request.Journal r) {
      out.string(r.instanceId().value());
      out.signed(r.after());
      out.varint(r.take());
    } else {
      throw Unwritten.kind(request);
    }
  }

  /** Null for a number that this version does not know. */
  static @Nullable Request read(int kind, ByteReader in) {
    return switch (kind) {
      case 1 ->
          new Request.Start(
              in.string(),
              in.map(),
              in.nullable(ByteReader::string),
              in.nullable(ByteReader::string),
              in.nullable(InstanceCodec::instanceId),
              in.nullable(ByteReader::string),
              in.bool());
      case 2 ->
          new Request.Resume(
              InstanceCodec.instanceId(in), in.nullable(InstanceCodec::bookmarkId), in.map());
      case 3 -> new Request.ResumeByToken(in.string(), in.map(), in.nullable(ByteReader::string));
      case 4 ->
          new Request.PublishEvent(
              in.string(),
              in.nullable(ByteReader::string),
              in.nullable(InstanceCodec::instanceId),
              in.json());
      case 5 -> new Request.CompleteTask(in.string(), in.json());
      case 6 -> new Request.Cancel(InstanceCodec.instanceId(in));
      case 7 -> new Request.Query(InstanceCodec.instanceId(in));
      case 8 -> new Request.Journal(InstanceCodec.instanceId(in), in.signed(), in.count());
      default -> null;
    };
  }
}
