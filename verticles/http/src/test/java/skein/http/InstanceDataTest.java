package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.http.InstanceData.Place.INPUT;
import static skein.http.InstanceData.Place.VARIABLE;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class InstanceDataTest {
  private static final Instant AT = Instant.EPOCH;
  private static final WorkflowInstance ORDER =
      instance(
          "i1",
          Map.of("region", "north", "Amount", new BigDecimal("12.50")),
          Map.of(
              "orderId",
              4711L,
              "urgent",
              true,
              "tags",
              List.of("new", 7L),
              "customer",
              Map.of("id", "c-1", "address", Map.of("city", "Bern")),
              "a.b",
              "dotted"));

  private static WorkflowInstance instance(
      String id, Map<String, @Nullable Object> input, Map<String, @Nullable Object> variables) {
    var root =
        new ActivityExecution(
            1, 0, "Workflow1:root", ActivityStatus.Running, variables, Map.of(), null, AT);
    return new WorkflowInstance(
        new InstanceId(id),
        new DefinitionRef("d", "v1", 1),
        WorkflowStatus.Suspended,
        5,
        Labels.NONE,
        new Timing(AT, AT, null),
        Counters.NONE,
        null,
        input,
        Map.of(),
        Map.of(),
        List.of(root),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static InstanceData.@Nullable Place find(String name, String value) {
    return InstanceData.of(name, value).find(ORDER, null);
  }

  @Test
  void what_would_take_long_to_compare_is_refused_or_no_number() {
    assertRefused("a".repeat(256), "1");
    assertRefused("a.".repeat(9) + "a", "1");
    assertRefused("a", "1".repeat(1_001));
    assertThat(find("orderId", "1e999999999")).isNull();
    assertThat(find("a.b.c.d.e.f.g.h.i", "1")).isNull();
    assertThat(find("orderId", "4.711e3")).isEqualTo(VARIABLE);
  }

  private static void assertRefused(String name, String value) {
    assertThatThrownBy(() -> InstanceData.of(name, value))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
  }

  @Test
  void variables_and_inputs_are_found_by_their_value_as_text() {
    assertThat(find("orderId", "4711")).isEqualTo(VARIABLE);
    assertThat(find("urgent", "true")).isEqualTo(VARIABLE);
    assertThat(find("region", "north")).isEqualTo(INPUT);
    assertThat(find("orderId", "471")).isNull();
    assertThat(find("region", "North")).isNull();
    assertThat(find("Region", "north")).isNull();
    assertThat(find("missing", "null")).isNull();
  }

  @Test
  void numbers_are_equal_in_any_notation() {
    assertThat(find("Amount", "12.5")).isEqualTo(INPUT);
    assertThat(find("orderId", "4711.0")).isEqualTo(VARIABLE);
    assertThat(find("orderId", "4.711e3")).isEqualTo(VARIABLE);
    assertThat(find("Amount", "twelve")).isNull();
  }

  @Test
  void a_list_has_a_value_as_one_of_its_items() {
    assertThat(find("tags", "new")).isEqualTo(VARIABLE);
    assertThat(find("tags", "7")).isEqualTo(VARIABLE);
    assertThat(find("tags", "old")).isNull();
  }

  @Test
  void a_member_of_a_value_is_named_with_dots_and_a_name_may_have_dots_itself() {
    assertThat(find("customer.id", "c-1")).isEqualTo(VARIABLE);
    assertThat(find("customer.address.city", "Bern")).isEqualTo(VARIABLE);
    assertThat(find("a.b", "dotted")).isEqualTo(VARIABLE);
    assertThat(find("customer.name", "c-1")).isNull();
    assertThat(find("customer", "c-1")).isNull();
    assertThat(find("orderId.x", "4711")).isNull();
    assertThat(find(".", "4711")).isNull();
  }
}
