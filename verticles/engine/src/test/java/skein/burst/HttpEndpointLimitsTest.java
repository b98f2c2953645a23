package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.trigger;
import static skein.burst.Workflows.waiting;

import java.io.ByteArrayInputStream;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.Json;
import skein.graph.Graph;
import skein.model.Effect;
import skein.model.WorkflowStatus;

class HttpEndpointLimitsTest {
  private static final Map<String, Object> FILE =
      Map.of("filename", "a.PNG", "contentType", "image/png", "size", 3L, "content", "AAH/");
  private static final Map<String, Object> REQUEST =
      Map.of("method", "POST", "size", 500L, "files", List.of(FILE));

  private static Graph graph(String limit, String exposed) {
    var endpoint =
        activity(
            "HttpEndpoint",
            "h",
            "'path':"
                + literal("String", "'up'")
                + (limit.isEmpty() ? "" : "," + limit)
                + (exposed.isEmpty() ? "" : ",'" + exposed + "':" + literal("Boolean", "true")));
    return rooted(
        flowchart(
                "f",
                "h>A h.Request>R h.File>F h.Extension>E h.Type>T",
                endpoint + "," + lines("ARFET"))
            .replace("'Request'", "'Request too large'")
            .replace("'File'", "'File too large'")
            .replace("'Extension'", "'Invalid file extension'")
            .replace("'Type'", "'Invalid file MIME type'"));
  }

  private static String limit(String name, String value) {
    return value.startsWith("[")
        ? "'" + name + "':" + expression("String[]", "Object", value)
        : "'" + name + "':" + literal("Int64", value);
  }

  @Test
  void files_are_outputs_and_not_part_of_the_request() {
    var done = trigger(graph("", ""), "h", REQUEST);

    assertThat(linesOf(done)).containsExactly("A");
    var results = Json.object(done.next().results().get("h"));
    assertThat(results).containsEntry("Files", List.of(FILE)).containsEntry("File", FILE);
    assertThat(Json.object(results == null ? null : results.get("Result")))
        .doesNotContainKey("files");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "requestSizeLimit;499;exposeRequestTooLargeOutcome;R;413",
        "fileSizeLimit;2;exposeFileTooLargeOutcome;F;413",
        "allowedFileExtensions;['.jpg'];exposeInvalidFileExtensionOutcome;E;415",
        "blockedFileExtensions;['png'];exposeInvalidFileExtensionOutcome;E;415",
        "allowedMimeTypes;['text/*'];exposeInvalidFileMimeTypeOutcome;T;415"
      })
  void what_is_not_taken_is_an_outcome_or_an_answer(
      String limit, String value, String exposed, String line, int status) {
    var shown = trigger(graph(limit(limit, value), exposed), "h", REQUEST);
    var hidden = trigger(graph(limit(limit, value), ""), "h", REQUEST);

    assertThat(linesOf(shown)).containsExactly(line);
    assertThat(linesOf(hidden)).isEmpty();
    assertThat(hidden.effects())
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.HttpAnswer.class,
            answer -> {
              assertThat(answer.status()).isEqualTo(status);
              assertThat(answer.contentType()).startsWith("application/problem+json");
              assertThat(Json.object(answer.content()))
                  .containsEntry("status", (long) status)
                  .containsKeys("type", "title", "detail", "code", "message");
            });
    assertThat(hidden.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "requestSizeLimit;500",
        "fileSizeLimit;3",
        "allowedFileExtensions;['png','jpg']",
        "blockedFileExtensions;['.exe']",
        "allowedMimeTypes;['image/*']"
      })
  void what_is_within_the_limits_is_taken(String limit, String value) {
    assertThat(linesOf(trigger(graph(limit(limit, value), ""), "h", REQUEST))).containsExactly("A");
  }

  @Test
  void who_waits_goes_on_waiting_after_a_request_that_is_not_taken() {
    var endpoint =
        activity(
            "HttpEndpoint",
            "h",
            "'path':" + literal("String", "'up'") + "," + limit("fileSizeLimit", "2"));
    var graph = sequence(endpoint + "," + lines("A"));
    var first = start(graph);

    var refused = resume(graph, first.next(), "h", Map.of("http", REQUEST));

    assertThat(refused.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(waiting(refused.next(), "h").hash()).isEqualTo(waiting(first.next(), "h").hash());
    var taken = resume(graph, refused.next(), "h", Map.of("http", Map.of("method", "GET")));
    assertThat(linesOf(taken)).containsExactly("A");
  }

  @Test
  void a_file_is_answered_with_its_bytes_its_name_and_its_tag() {
    var graph =
        sequence(
            activity("HttpEndpoint", "h", "'path':" + literal("String", "'up'"))
                + ","
                + activity(
                    "WriteFileHttpResponse",
                    "w",
                    "'content':"
                        + expression(
                            "Object",
                            "JavaScript",
                            "'getOutputFrom(\\'h\\',\\'File\\')'".replace("\\'", "`"))
                        + ",'filename':"
                        + literal("String", "'ä.png'")
                        + ",'entityTag':"
                        + literal("String", "'v1'")
                        + ",'enableResumableDownloads':"
                        + literal("Boolean", "true")));

    assertThat(trigger(graph, "h", REQUEST).effects())
        .containsExactly(
            new Effect.HttpAnswer(
                200,
                Map.of(
                    "Content-Disposition",
                    "attachment; filename=\"_.png\"; filename*=UTF-8''%C3%A4.png",
                    "ETag",
                    "\"v1\"",
                    "Accept-Ranges",
                    "bytes"),
                "image/png",
                "AAH/",
                true));
  }

  @ParameterizedTest
  @CsvSource({"Object,hey,file.txt,text/plain", "ByteArray,aGV5,file.bin,application/octet-stream"})
  void text_is_text_unless_it_is_declared_as_bytes(
      String type, String text, String name, String contentType) {
    var graph =
        sequence(
            activity("HttpEndpoint", "h", "'path':" + literal("String", "'up'"))
                + ","
                + activity(
                    "WriteFileHttpResponse", "w", "'content':" + literal(type, "'" + text + "'")));

    assertThat(trigger(graph, "h", REQUEST).effects())
        .containsExactly(
            new Effect.HttpAnswer(
                200,
                Map.of("Content-Disposition", "attachment; filename=\"" + name + "\""),
                contentType,
                "aGV5",
                true));
  }

  @ParameterizedTest
  @CsvSource({"photo.jpg,image/jpeg", "a.html,text/html", "a.nothing,application/octet-stream"})
  void the_type_follows_from_the_name_and_a_tag_is_for_resumable_downloads(
      String name, String contentType) {
    var answer =
        answer(
            "'content':"
                + literal("ByteArray", "'aGV5'")
                + ",'entityTag':"
                + literal("String", "'v1'")
                + ",'filename':"
                + literal("String", "'" + name + "'"));

    assertThat(answer.contentType()).isEqualTo(contentType);
    assertThat(answer.headers()).containsOnlyKeys("Content-Disposition");
  }

  @Test
  void several_files_are_one_archive_without_folders_and_of_different_names() throws Exception {
    var content =
        "'[getOutputFrom(`h`, `File`), {content: `aGV5`, filename: `x/a.PNG`}, null, `text`]'";
    var answer = answer("'content':" + expression("Object", "JavaScript", content));

    assertThat(answer.contentType()).isEqualTo("application/zip");
    assertThat(answer.headers())
        .containsEntry("Content-Disposition", "attachment; filename=\"download.zip\"");
    var entries = new LinkedHashMap<String, Integer>();
    var bytes = Base64.getDecoder().decode(String.valueOf(answer.content()));
    try (var zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), zip.readAllBytes().length);
      }
    }
    assertThat(entries).isEqualTo(Map.of("a.PNG", 3, "a (2).PNG", 3, "file-2.txt", 4));
  }

  private static Effect.HttpAnswer answer(String inputs) {
    var graph =
        sequence(
            activity("HttpEndpoint", "h", "'path':" + literal("String", "'up'"))
                + ","
                + activity("WriteFileHttpResponse", "w", inputs));
    return (Effect.HttpAnswer) trigger(graph, "h", REQUEST).effects().getFirst();
  }
}
