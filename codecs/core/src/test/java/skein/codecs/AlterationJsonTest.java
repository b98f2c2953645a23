package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.model.Alteration;
import skein.model.Alteration.Target;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class AlterationJsonTest {
  private static final int MAX = 1_000;

  private static @Nullable Object parsed(String json) {
    return JsonText.parse("[" + json.replace('\'', '"') + "]", JsonLimits.DEFAULT);
  }

  @Test
  void each_kind_is_read() {
    var json =
        parsed(
            "{'type':'ModifyVariable','variableId':'v','value':12},"
                + "{'type':'ScheduleActivity','activityId':'a'},"
                + "{'type':'CancelActivity','activityInstanceId':'i-1-a7'},"
                + "{'type':'Migrate','targetVersion':2,'activities':{'old':'new'}},"
                + "{'type':'Migrate','targetVersion':2147483647},"
                + "{'type':'Retry','activityIds':['a','b']},"
                + "{'type':'Retry'},"
                + "{'type':'Cancel'},"
                + "{'type':'Skip','activityId':'a','output':{'Result':1},'outcomes':['Ok'],"
                + "'reason':'agreed'},"
                + "{'type':'Skip','activityInstanceId':'i-1-a7'}");

    assertThat(AlterationJson.read(json))
        .containsExactly(
            new Alteration.ModifyVariable("v", 12L),
            new Alteration.ScheduleActivity(Target.activity("a")),
            new Alteration.CancelActivity(Target.execution(7)),
            new Alteration.Migrate(2, Map.of("old", "new")),
            new Alteration.Migrate(Integer.MAX_VALUE, Map.of()),
            new Alteration.Retry(List.of("a", "b")),
            new Alteration.Retry(List.of()),
            new Alteration.Cancel(),
            new Alteration.Skip(
                Target.activity("a"), Map.of("Result", 1L), List.of("Ok"), "agreed"),
            new Alteration.Skip(Target.execution(7), Map.of(), List.of(), null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "17 | alteration 1 is not an object",
        "{'type':'Cancel'},{'type':'Delete'} | alteration 2: the type \"Delete\" is none of",
        "{'type':'ModifyVariable'} | \"variableId\" is missing",
        "{'type':'ModifyVariable','variableId':' '} | \"variableId\" is missing",
        "{'type':'ScheduleActivity'} | \"activityId\" is missing",
        "{'type':'CancelActivity','activityInstanceId':'i-1-ax'} | is not the id of an activity",
        "{'type':'Migrate'} | \"targetVersion\" is not a version",
        "{'type':'Migrate','targetVersion':0} | \"targetVersion\" is not a version",
        "{'type':'Migrate','targetVersion':2147483648} | \"targetVersion\" is not a version",
        "{'type':'Migrate','targetVersion':2,'activities':{'a':1}} | must map ids to ids",
        "{'type':'Retry','activityIds':[1]} | \"activityIds\" must hold text",
        "{'type':'Skip'} | \"activityId\" is missing",
        "{'type':'Skip','activityId':'a','output':[1]} | \"output\" must map names to values",
        "{'type':'Skip','activityId':'a','outcomes':[1]} | \"outcomes\" must hold text",
        "{'type':'Skip','activityId':'a','reason':1} | \"reason\" must be text"
      })
  void what_is_wrong_is_told_with_its_place(String json, String message) {
    assertThatThrownBy(() -> AlterationJson.read(parsed(json)))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
        .hasMessageContaining(message);
  }

  @Test
  void of_a_plan_that_is_stored_an_unknown_type_is_one_of_a_newer_version() {
    assertThat(AlterationJson.stored(parsed("{'type':'Cancel'}")))
        .containsExactly(new Alteration.Cancel());
    assertThatThrownBy(() -> AlterationJson.stored(parsed("{'type':'Cancel'},{'type':'Twist'}")))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NEWER_FORMAT))
        .hasMessageContaining("Twist");
  }

  @Test
  void there_is_one_alteration_or_a_thousand() {
    var cancel = Map.of("type", "Cancel");

    assertThat(AlterationJson.read(Collections.nCopies(MAX, cancel))).hasSize(MAX);
    assertThatThrownBy(() -> AlterationJson.read(Collections.nCopies(MAX + 1, cancel)))
        .hasMessageContaining("1 to 1000");
    assertThatThrownBy(() -> AlterationJson.read(List.of())).hasMessageContaining("1 to 1000");
    assertThatThrownBy(() -> AlterationJson.read(cancel)).hasMessageContaining("must be a list");
  }
}
