package skein.storage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.JournalEntry;

class JournalJsonTest {
  private static final Instant AT = Instant.parse("2026-03-04T05:06:07.123456Z");

  private static JournalEntry entry(
      long sequence,
      String activityId,
      @Nullable String name,
      @Nullable String message,
      Map<String, @Nullable Object> data) {
    return new JournalEntry(
        sequence,
        AT,
        3,
        1,
        activityId,
        "w:" + activityId,
        "Elsa.X",
        2,
        name,
        "Done",
        message,
        data);
  }

  private static String print(List<JournalEntry> entries) {
    var text = JournalJson.print(entries, JournalText.VALUES);
    var parsed = requireNonNull(JsonText.parse(text, JsonLimits.STORED));
    assertThat(JournalJson.parse(parsed, JournalText.VALUES)).isEqualTo(entries);
    return text;
  }

  @Test
  void lines_of_one_burst_name_each_activity_once() {
    var text =
        print(
            List.of(
                entry(7, "a", null, null, Map.of()),
                entry(8, "b", "B \"2\"", "why\n", Map.of()),
                entry(9, "a", null, null, Map.of("outcomes", List.of("Done"))),
                entry(10, "b", "B \"2\"", "é", Map.of("state", Map.of("n", 1L)))));

    assertThat(text)
        .isEqualTo(
            """
            {"at":"2026-03-04T05:06:07.123456Z","seq":7,\
            "of":[["a","w:a","Elsa.X",2],["b","w:b","Elsa.X",2,"B \\"2\\""]],\
            "is":[[3,1,0,"Done"],[3,1,1,"Done","why\\n"],\
            [3,1,0,"Done",null,{"outcomes":["Done"]}],[3,1,1,"Done","é",{"state":{"n":1}}]]}\
            """);
  }

  @Test
  void lines_that_are_not_numbered_one_after_the_other_stand_alone() {
    var text =
        print(List.of(entry(7, "a", "A", "m", Map.of()), entry(9, "a", null, null, Map.of())));

    assertThat(text)
        .isEqualTo(
            """
            [{"sequence":7,"at":"2026-03-04T05:06:07.123456Z","execution":3,"parent":1,\
            "activityId":"a","nodeId":"w:a","activityType":"Elsa.X","activityTypeVersion":2,\
            "activityName":"A","event":"Done","message":"m"},\
            {"sequence":9,"at":"2026-03-04T05:06:07.123456Z","execution":3,"parent":1,\
            "activityId":"a","nodeId":"w:a","activityType":"Elsa.X","activityTypeVersion":2,\
            "event":"Done"}]\
            """);
  }
}
