package skein.codecs;

import java.util.LinkedHashMap;
import java.util.Map;
import skein.model.Alteration;
import skein.model.Alteration.Target;

/** An alteration as bytes: its number, then its components. Numbers are never given twice. */
final class AlterationBytes {
  private AlterationBytes() {}

  static void write(ByteWriter out, Alteration alteration) {
    if (alteration instanceof Alteration.ModifyVariable a) {
      out.oneByte(1);
      out.string(a.variableId());
      out.json(a.value());
    } else if (alteration instanceof Alteration.ScheduleActivity a) {
      out.oneByte(2);
      target(out, a.target());
    } else if (alteration instanceof Alteration.CancelActivity a) {
      out.oneByte(3);
      target(out, a.target());
    } else if (alteration instanceof Alteration.Migrate a) {
      out.oneByte(4);
      out.signed(a.targetVersion());
      out.map(a.activities());
    } else if (alteration instanceof Alteration.Retry a) {
      out.oneByte(5);
      out.list(a.activityIds(), ByteWriter::string);
    } else if (alteration instanceof Alteration.Cancel) {
      out.oneByte(6);
    } else if (alteration instanceof Alteration.Skip a) {
      out.oneByte(7);
      target(out, a.target());
      out.map(a.output());
      out.list(a.outcomes(), ByteWriter::string);
      out.nullable(a.reason(), ByteWriter::string);
    } else {
      throw Unwritten.kind(alteration);
    }
  }

  static Alteration read(ByteReader in) {
    return switch (in.oneByte()) {
      case 1 -> new Alteration.ModifyVariable(in.string(), in.json());
      case 2 -> new Alteration.ScheduleActivity(target(in));
      case 3 -> new Alteration.CancelActivity(target(in));
      case 4 -> new Alteration.Migrate(InstanceCodec.signedInt(in), texts(in));
      case 5 -> new Alteration.Retry(in.list(ByteReader::string));
      case 6 -> new Alteration.Cancel();
      case 7 ->
          new Alteration.Skip(
              target(in), in.map(), in.list(ByteReader::string), in.nullable(ByteReader::string));
      default -> throw in.newer("an alteration this node does not know");
    };
  }

  private static void target(ByteWriter out, Target target) {
    out.nullable(target.activityId(), ByteWriter::string);
    out.signed(target.execution());
  }

  private static Target target(ByteReader in) {
    return new Target(in.nullable(ByteReader::string), InstanceCodec.signedInt(in));
  }

  /** A map whose values are all text. */
  static Map<String, String> texts(ByteReader in) {
    var texts = new LinkedHashMap<String, String>();
    for (var entry : in.map().entrySet()) {
      if (!(entry.getValue() instanceof String text)) {
        throw in.bad("a value that is not a string");
      }
      texts.put(entry.getKey(), text);
    }
    return texts;
  }
}
