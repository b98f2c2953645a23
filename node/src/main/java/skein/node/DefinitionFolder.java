package skein.node;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.definitions.Definitions;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/** Publishes the definitions of a folder at start, those that changed since they were published. */
final class DefinitionFolder {
  private static final Logger log = LoggerFactory.getLogger(DefinitionFolder.class);
  private static final Duration PUBLISH_MAX = Duration.ofSeconds(30);

  /** What the server decides; a file that differs in nothing else has not changed. */
  private static final List<String> OF_THE_SERVER =
      List.of("id", "version", "isLatest", "isPublished", "createdAt", "toolVersion", "links");

  private final Definitions definitions;
  private final DefinitionStore store;
  private final JsonLimits limits;

  DefinitionFolder(Definitions definitions, DefinitionStore store, JsonLimits limits) {
    this.definitions = definitions;
    this.store = store;
    this.limits = limits;
  }

  /** A file that is refused is reported and skipped: it must not keep a node from starting. */
  void publishAll(Path folder) {
    for (var file : files(folder)) {
      try {
        publish(file);
      } catch (SkeinException e) {
        log.atError()
            .addKeyValue("file", file)
            .addKeyValue("code", e.code())
            .addKeyValue("errors", e.errors().isEmpty() ? e.detail() : e.errors())
            .log("definition.refused");
      }
    }
  }

  private static List<Path> files(Path folder) {
    try (var found = Files.list(folder)) {
      return found.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("definitions.from-directory " + folder, e);
    }
  }

  private void publish(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var json = JsonText.parseObject(bytes, limits);
    if (json.get("definitionId") instanceof String id && isPublished(id, json)) {
      return;
    }
    log(Node.await(definitions.saveAndPublish(json, null), PUBLISH_MAX).definition(), file);
  }

  private boolean isPublished(String definitionId, Map<String, @Nullable Object> json) {
    Future<@Nullable WorkflowDefinition> found = store.find(definitionId, Which.PUBLISHED);
    Future<Boolean> same =
        found.map(known -> known != null && content(known.json()).equals(content(json)));
    return Node.await(same, PUBLISH_MAX);
  }

  private static void log(WorkflowDefinition definition, Path file) {
    log.atInfo()
        .addKeyValue("definitionId", definition.ref().definitionId())
        .addKeyValue("version", definition.ref().version())
        .addKeyValue("file", file.getFileName())
        .log("definition.published");
  }

  /** Paths of activities are set when a definition is written, so both are compared written. */
  private static String content(Map<String, @Nullable Object> json) {
    var read = DefinitionCodec.read(json, Instant.EPOCH, "none", "none");
    var content = new HashMap<>(DefinitionCodec.write(read));
    OF_THE_SERVER.forEach(content::remove);
    return JsonText.canonical(content);
  }
}
