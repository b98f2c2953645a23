package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.activities.Stimuli;
import skein.activities.Wait;
import skein.codecs.AlterationJson;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.codecs.ResumeToken;
import skein.model.Alteration;
import skein.model.BookmarkId;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.StimulusHash;
import skein.model.WorkflowDefinition;

/**
 * What rows hold beside the bytes of an instance is written and read as it always was. The files
 * are never changed: a row of an old node must be found and understood for ever.
 */
class StoredFormatsTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00.123Z");
  private static final BookmarkId BOOKMARK = new BookmarkId(new InstanceId("i-1"), 7);
  private static final List<JournalEntry> JOURNAL =
      List.of(
          new JournalEntry(
              3,
              AT,
              2,
              1,
              "Line1",
              "Workflow1:Seq:Line1",
              "Elsa.WriteLine",
              1,
              "Says \"hi\"",
              "Started",
              null,
              Map.of("state", Map.of("Text", "grüße"))),
          new JournalEntry(
              4,
              AT,
              0,
              0,
              "Workflow1",
              "Workflow1",
              "Elsa.Workflow",
              1,
              null,
              "Faulted",
              "why",
              Map.of()));
  private static final List<Alteration> ALTERATIONS =
      List.of(
          new Alteration.Cancel(),
          new Alteration.ModifyVariable("v1", List.of(1L, "two")),
          new Alteration.Retry(List.of("a")));

  /** Kept as the client has sent it. */
  private static final String ALTERATIONS_TEXT =
      "[{\"type\":\"Cancel\"},{\"type\":\"ModifyVariable\",\"variableId\":\"v1\","
          + "\"value\":[1,\"two\"]},{\"type\":\"Retry\",\"activityIds\":[\"a\"]}]";

  private static final WorkflowDefinition DEFINITION =
      new WorkflowDefinition(
          new DefinitionRef("d1", "d1-v3", 3),
          "A name",
          "What for",
          true,
          true,
          AT,
          JsonText.parseObject(
              "{\"root\":{\"type\":\"Elsa.Sequence\",\"id\":\"s\",\"unknown\":[1,2.5,null]}}",
              JsonLimits.DEFAULT));

  @Test
  void what_is_written_has_not_changed() throws IOException {
    var lines = golden(1).stream().filter(line -> !line.startsWith("journal ")).toList();

    assertThat(String.join("\n", written())).isEqualTo(String.join("\n", lines));
    assertThat(golden(2))
        .containsExactly("journal " + JournalJson.print(JOURNAL, JournalText.VALUES));
  }

  @Test
  void what_was_written_is_read() throws IOException {
    var lines = golden(1);

    assertThat(JournalJson.parse(parsed(lines, "journal"), JournalText.VALUES)).isEqualTo(JOURNAL);
    assertThat(JournalJson.parse(parsed(golden(2), "journal"), JournalText.VALUES))
        .isEqualTo(JOURNAL);
    assertThat(AlterationJson.read(parsed(lines, "alterations"))).isEqualTo(ALTERATIONS);
    assertThat(ResumeToken.bookmark(value(lines, "token"))).isEqualTo(BOOKMARK);
    var document = JsonText.parseObject(value(lines, "definition"), JsonLimits.STORED);
    var definition = DefinitionCodec.read(document, Instant.EPOCH, "other", "other");
    assertThat(definition.ref()).isEqualTo(DEFINITION.ref());
    assertThat(DefinitionCodec.write(definition)).isEqualTo(DefinitionCodec.write(DEFINITION));
  }

  private static List<String> written() {
    var secret = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    var wait = Wait.until(AT.plus(Duration.ofHours(1)), "Elsa.Delay", Map.of("a", 1L), 5);
    var lines = new ArrayList<String>();
    lines.add("hash " + StimulusHash.of("name", "{\"a\":1}", "5"));
    lines.add("id " + StimulusHash.id("grüße"));
    lines.add("event " + Stimuli.event("Approve"));
    lines.add("http " + Stimuli.httpEndpoint("/Orders/{id}", "POST"));
    lines.add("task " + Stimuli.task("i-1-7", "Sign"));
    lines.add("delay " + wait.hash() + " " + JsonText.print(wait.payload()));
    lines.add("token " + ResumeToken.make(BOOKMARK, secret));
    lines.add("canonical " + JsonText.canonical(List.of(1.0, 100L, "ü\n", Map.of("b", 1L))));
    lines.add("alterations " + ALTERATIONS_TEXT);
    lines.add("definition " + JsonText.print(DefinitionCodec.write(DEFINITION)));
    return lines;
  }

  private static Object parsed(List<String> lines, String name) {
    var parsed = JsonText.parse(value(lines, name), JsonLimits.STORED);
    return parsed == null ? "" : parsed;
  }

  private static String value(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length() + 1))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> golden(int version) throws IOException {
    try (var file = StoredFormatsTest.class.getResourceAsStream("stored-" + version + ".txt")) {
      assertThat(file).isNotNull();
      return file == null
          ? List.of()
          : new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
