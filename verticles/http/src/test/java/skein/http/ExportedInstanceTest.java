package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import skein.codecs.BadBytesException;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.http.ExportedInstance.Parts;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class ExportedInstanceTest {
  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456Z");
  private static final InstanceId ID = new InstanceId("i1");
  private static final Parts ALL = new Parts(true, true, true);

  @Test
  void what_was_exported_is_read_back_to_the_bit() {
    var exported = new ExportedInstance(instance(), List.of(entry(1, 1, 0), entry(2, 2, 1)));

    var text = JsonText.print(exported.toJson(ALL, null));
    var read = read(JsonText.parseObject(text, JsonLimits.STORED));

    assertThat(read).isEqualTo(exported);
  }

  @Test
  void a_journal_that_went_on_after_the_state_was_read_is_cut() {
    var exported =
        ExportedInstance.of(instance(), List.of(entry(1, 1, 0), entry(2, 2, 1), entry(3, 2, 1)));

    assertThat(exported.journal()).extracting(JournalEntry::sequence).containsExactly(1L, 2L);
  }

  @Test
  void parts_may_be_left_out() {
    var json =
        new ExportedInstance(instance(), List.of(entry(1, 1, 0)))
            .toJson(new Parts(false, false, false), null);

    assertThat(json)
        .containsEntry("Bookmarks", null)
        .containsEntry("ActivityExecutionRecords", null)
        .containsEntry("WorkflowExecutionLogRecords", null)
        .containsKeys("WorkflowState", "exactState");
    assertThat(read(json).journal()).isEmpty();
  }

  @Test
  void an_exact_state_that_is_none_is_refused() {
    var json = new HashMap<>(new ExportedInstance(instance(), List.of()).toJson(ALL, null));

    assertThat(ExportedInstance.read(Map.of("WorkflowState", Map.of()))).isNull();
    json.put("exactState", "AAAA");
    assertThatThrownBy(() -> ExportedInstance.read(json)).isInstanceOf(BadBytesException.class);
    json.put("exactState", "%");
    assertThatThrownBy(() -> ExportedInstance.read(json)).isInstanceOf(SkeinException.class);
  }

  @Test
  void the_journal_of_an_earlier_version_is_read() {
    var json =
        new HashMap<>(new ExportedInstance(instance(), List.of(entry(1, 1, 0))).toJson(ALL, null));
    json.put("workflowExecutionLogRecords", json.remove("WorkflowExecutionLogRecords"));

    assertThat(read(json).journal()).containsExactly(entry(1, 1, 0));
  }

  private static ExportedInstance read(Map<?, ?> json) {
    return Objects.requireNonNull(ExportedInstance.read(json));
  }

  private static WorkflowInstance instance() {
    var bookmark =
        new Bookmark(
            new BookmarkId(ID, 1),
            "Elsa.Event",
            "HASH",
            Map.of("eventName", "Paid"),
            "a",
            "Workflow1:a",
            1,
            NOW,
            NOW.plusSeconds(60),
            null,
            null);
    return new WorkflowInstance(
        ID,
        new DefinitionRef("Order", "order-1", 1),
        WorkflowStatus.Suspended,
        7,
        Labels.NONE,
        new Timing(NOW, NOW, null),
        new Counters(2, 1, 2),
        null,
        Map.of("amount", 12L),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(bookmark),
        List.of(),
        List.of(),
        null);
  }

  private static JournalEntry entry(long sequence, int execution, int parent) {
    return new JournalEntry(
        sequence,
        NOW,
        execution,
        parent,
        "a",
        "Workflow1:a",
        "Elsa.WriteLine",
        1,
        null,
        "Completed",
        null,
        Map.of("state", Map.of("Text", "hello"), "outcomes", List.of("Done")));
  }
}
