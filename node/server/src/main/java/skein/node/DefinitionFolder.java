package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.definitions.DefinitionSource;
import skein.definitions.Definitions;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/**
 * The definitions of a folder; those that differ from the published ones are published. At start,
 * and when the API asks for it. Thread-safe.
 */
final class DefinitionFolder implements DefinitionSource {
  private static final Logger log = LoggerFactory.getLogger(DefinitionFolder.class);

  /** Members that the server decides; a file that differs in nothing else has not changed. */
  private static final List<String> OF_THE_SERVER =
      List.of("id", "version", "isLatest", "isPublished", "createdAt", "toolVersion", "links");

  private final Vertx vertx;
  private final Path folder;
  private final Target target;
  private final JsonLimits limits;
  private final Map<Path, String> published = new ConcurrentHashMap<>();
  private @Nullable Future<Reloaded> running;

  /** Where the definitions of the folder go. */
  interface Target {
    /** Null: none is published. */
    Future<@Nullable WorkflowDefinition> published(String definitionId);

    Future<WorkflowDefinition> publish(Map<String, @Nullable Object> json);

    static Target of(Definitions definitions, DefinitionStore store) {
      return new Target() {
        @Override
        public Future<@Nullable WorkflowDefinition> published(String definitionId) {
          return store.find(definitionId, Which.PUBLISHED);
        }

        @Override
        public Future<WorkflowDefinition> publish(Map<String, @Nullable Object> json) {
          return definitions.saveAndPublish(json, null).map(Definitions.Published::definition);
        }
      };
    }
  }

  DefinitionFolder(Vertx vertx, Path folder, Target target, JsonLimits limits) {
    this.vertx = vertx;
    this.folder = folder;
    this.target = target;
    this.limits = limits;
  }

  /**
   * A file that is refused is reported and skipped: it must not keep a node from starting. A
   * failure that passes ends it all; what was published before stays, and is not published again: a
   * file without a {@code definitionId}, which gets one each time, by this node. Who asks while it
   * is being read gets the result of that.
   */
  @Override
  public synchronized Future<Reloaded> reload() {
    var now = running;
    if (now == null || now.isComplete()) {
      now =
          vertx
              .executeBlocking(() -> files(folder))
              .compose(found -> publishAll(found == null ? List.of() : found));
      running = now;
    }
    return now;
  }

  private static List<Path> files(Path folder) {
    try (var found = Files.list(folder)) {
      return found.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("definitions.from-directory " + folder, e);
    }
  }

  private Future<Reloaded> publishAll(List<Path> files) {
    var done = new ArrayList<String>();
    var refused = new LinkedHashMap<String, List<String>>();
    Future<Void> all = Future.succeededFuture();
    for (var file : files) {
      all =
          all.compose(_ -> publish(file))
              .compose(definition -> {
                if (definition != null) {
                  done.add(definition.ref().definitionId());
                  logged(definition, file);
                }
                return Future.<Void>succeededFuture();
              })
              .recover(e -> {
                if (e instanceof SkeinException refusal && !refusal.code().isTransient()) {
                  refused.put(String.valueOf(file.getFileName()), refused(file, refusal));
                  return Future.succeededFuture();
                }
                return Future.failedFuture(e);
              });
    }
    return all.map(_ -> new Reloaded(done, refused));
  }

  /** Null for one that has not changed. */
  private Future<@Nullable WorkflowDefinition> publish(Path file) {
    return vertx
        .executeBlocking(() -> JsonText.parseObject(Files.readAllBytes(file), limits))
        .compose(json -> publish(file, json == null ? Map.of() : json));
  }

  private Future<@Nullable WorkflowDefinition> publish(
      Path file, Map<String, @Nullable Object> json) {
    return isPublished(file, json)
        .compose(same ->
            same
                ? Future.succeededFuture((@Nullable WorkflowDefinition) null)
                : target
                    .publish(json)
                    .map(done -> {
                      published.put(file, JsonText.canonical(json));
                      return (@Nullable WorkflowDefinition) done;
                    }));
  }

  private Future<Boolean> isPublished(Path file, Map<String, @Nullable Object> json) {
    return json.get("definitionId") instanceof String id
        ? target
            .published(id)
            .map(known -> known != null && content(known.json()).equals(content(json)))
        : Future.succeededFuture(JsonText.canonical(json).equals(published.get(file)));
  }

  private static void logged(WorkflowDefinition definition, Path file) {
    log.atInfo()
        .addKeyValue("definitionId", definition.ref().definitionId())
        .addKeyValue("version", definition.ref().version())
        .addKeyValue("file", file.getFileName())
        .log("definition.published");
  }

  private static List<String> refused(Path file, SkeinException refusal) {
    var errors = refusal.errors().isEmpty() ? List.of(refusal.detail()) : refusal.errors();
    log.atError()
        .addKeyValue("file", file)
        .addKeyValue("code", refusal.code())
        .addKeyValue("errors", errors)
        .log("definition.refused");
    return errors;
  }

  /** Paths of activities are set when a definition is written, so both are compared written. */
  private static String content(Map<String, @Nullable Object> json) {
    var read = DefinitionCodec.read(json, Instant.EPOCH, "none", "none");
    var content = new HashMap<>(DefinitionCodec.write(read));
    OF_THE_SERVER.forEach(content::remove);
    return JsonText.canonical(content);
  }
}
