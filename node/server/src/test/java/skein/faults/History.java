package skein.faults;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** What clients, the world outside and the one who breaks things write down. Thread-safe. */
final class History {
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final Queue<KeyedAnswer> keyed = new ConcurrentLinkedQueue<>();
  private final Queue<Effect> effects = new ConcurrentLinkedQueue<>();
  private final Queue<Nemesis> faults = new ConcurrentLinkedQueue<>();

  void add(Operation operation) {
    operations.add(operation);
  }

  void add(KeyedAnswer answer) {
    keyed.add(answer);
  }

  void add(Effect effect) {
    effects.add(effect);
  }

  void add(Nemesis fault) {
    faults.add(fault);
  }

  Evidence.Seen seen() {
    return new Evidence.Seen(
        List.copyOf(operations), List.copyOf(keyed), List.copyOf(effects), List.copyOf(faults));
  }

  /** An object a line. */
  void write(Path file) {
    var lines =
        Stream.of(
                faults.stream().map(History::json),
                operations.stream().map(History::json),
                keyed.stream().map(History::json),
                effects.stream().map(History::json))
            .flatMap(stream -> stream)
            .map(JsonObject::encode)
            .toList();
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonObject json(Operation operation) {
    var target = operation.target();
    var span = operation.span();
    return new JsonObject()
        .put("id", operation.id())
        .put("kind", operation.kind().name())
        .put("outcome", operation.outcome().name())
        .put("answer", span.answer())
        .put("client", span.client())
        .put("node", span.node())
        .put("fromNanos", span.startNanos())
        .put("untilNanos", span.endNanos())
        .put("definition", target.definition())
        .put("instance", target.instance())
        .put("step", target.step())
        .put("number", target.number())
        .put("pending", target.pending())
        .put("genuine", target.genuine());
  }

  private static JsonObject json(KeyedAnswer answer) {
    return new JsonObject()
        .put("key", answer.key())
        .put("kind", answer.kind().name())
        .put("said", answer.said())
        .put("fromNanos", answer.startNanos())
        .put("untilNanos", answer.endNanos());
  }

  private static JsonObject json(Effect effect) {
    return new JsonObject()
        .put("effect", effect.key())
        .put("atNanos", effect.nanos())
        .put("instance", effect.instance())
        .put("step", effect.step());
  }

  private static JsonObject json(Nemesis fault) {
    return new JsonObject()
        .put("fault", fault.what())
        .put("where", fault.where())
        .put("fromNanos", fault.fromNanos())
        .put("untilNanos", fault.untilNanos());
  }
}
