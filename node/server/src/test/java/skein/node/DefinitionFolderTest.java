package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.definitions.DefinitionSource.Reloaded;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;

class DefinitionFolderTest {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, WorkflowDefinition> published = new HashMap<>();
  private final Map<String, ErrorCode> refusals = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  @TempDir private Path path;

  /** Publishes what is not to be refused. */
  private final DefinitionFolder.Target target =
      new DefinitionFolder.Target() {
        @Override
        public Future<@Nullable WorkflowDefinition> published(String definitionId) {
          return Future.succeededFuture(published.get(definitionId));
        }

        @Override
        public Future<WorkflowDefinition> publish(Map<String, @Nullable Object> json) {
          var definition = DefinitionCodec.read(json, Instant.EPOCH, "v", "none");
          var id = definition.ref().definitionId();
          asked.add(id);
          var refusal = refusals.get(id);
          if (refusal != null) {
            return Future.failedFuture(new SkeinException(refusal, "for " + refusal));
          }
          published.put(id, definition);
          return Future.succeededFuture(definition);
        }
      };

  @BeforeEach
  void write() throws IOException {
    for (var id : List.of("a", "b", "c")) {
      Files.writeString(
          path.resolve(id + ".json"),
          "{'definitionId':'%s','root':{'id':'S','type':'Elsa.Sequence'}}"
              .formatted(id)
              .replace('\'', '"'));
    }
  }

  @AfterEach
  void close() {
    Await.result(vertx.close(), ANSWER_MAX);
  }

  private Reloaded reload(DefinitionFolder folder) {
    return Objects.requireNonNull(Await.result(folder.reload(), ANSWER_MAX));
  }

  @Test
  void a_file_that_is_refused_holds_up_no_other() {
    refusals.put("b", ErrorCode.DEFINITION_INVALID);

    var reloaded = reload(new DefinitionFolder(vertx, path, target, JsonLimits.DEFAULT));

    assertThat(reloaded.published()).containsExactly("a", "c");
    assertThat(reloaded.refused()).isEqualTo(Map.of("b.json", List.of("for DEFINITION_INVALID")));
  }

  @Test
  void a_failure_that_passes_is_no_refusal_of_a_file_and_the_rest_is_published_next_time() {
    var folder = new DefinitionFolder(vertx, path, target, JsonLimits.DEFAULT);
    refusals.put("b", ErrorCode.STORAGE_UNAVAILABLE);

    assertThatThrownBy(() -> reload(folder))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
    assertThat(asked).containsExactly("a", "b");

    refusals.clear();
    var reloaded = reload(folder);

    assertThat(reloaded.published()).containsExactly("b", "c");
    assertThat(reloaded.refused()).isEmpty();
  }

  /** Published again it would be another definition, whose triggers fire beside the first. */
  @Test
  void a_file_without_an_id_is_published_once_for_each_content() throws IOException {
    var file = path.resolve("a.json");
    var text = Files.readString(file).replace("\"definitionId\":\"a\",", "");
    Files.writeString(file, text);
    var folder = new DefinitionFolder(vertx, path, target, JsonLimits.DEFAULT);
    refusals.put("b", ErrorCode.OVERLOADED);

    assertThatThrownBy(() -> reload(folder)).isInstanceOf(SkeinException.class);
    refusals.clear();
    assertThat(reload(folder).published()).containsExactly("b", "c");

    Files.writeString(file, text.replace("\"S\"", "\"T\""));
    assertThat(reload(folder).published()).hasSize(1);
    assertThat(reload(folder).published()).isEmpty();
  }
}
