package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.InstanceQuery.Order;
import skein.storage.InstanceQuery.TimeColumn;
import skein.storage.InstanceQuery.TimeFilter;
import skein.storage.InstanceQuery.TimeOperator;

class InstanceQueriesTest {
  @Test
  void a_definition_alone_or_with_input_is_a_start() {
    assertThat(isStart(Map.of("definitionId", "d"))).isTrue();
    assertThat(isStart(Map.of("definitionId", "d", "input", Map.of("a", 1L)))).isTrue();
    assertThat(isStart(Map.of("definitionId", "d", "correlationId", "c", "name", "n"))).isTrue();
  }

  @Test
  void what_only_a_list_has_makes_it_a_list() {
    assertThat(isStart(Map.of())).isFalse();
    assertThat(isStart(Map.of("definitionId", "d", "page", 0L))).isFalse();
    assertThat(isStart(Map.of("definitionId", "d", "PageSize", 10L))).isFalse();
    assertThat(isStart(Map.of("definitionIds", List.of("d")))).isFalse();
    assertThat(isStart(Map.of("definitionId", "d", "statuses", List.of()))).isFalse();
  }

  @Test
  void a_member_that_is_null_says_nothing() {
    var body = new HashMap<String, @Nullable Object>();
    body.put("definitionId", "d");
    body.put("page", null);

    assertThat(isStart(body)).isTrue();
  }

  /** Its program names a definition, and the client all members, as null. */
  @Test
  void what_elsas_client_for_net_asks_for_is_a_list() {
    var body = new HashMap<String, @Nullable Object>();
    for (var member :
        List.of(
            "page",
            "pageSize",
            "searchTerm",
            "definitionIds",
            "correlationId",
            "version",
            "hasIncidents",
            "status",
            "orderBy",
            "orderDirection",
            "timestampFilters")) {
      body.put(member, null);
    }
    body.put("definitionId", "d");

    assertThat(isStart(body)).isFalse();
  }

  @Test
  void elsas_two_words_become_our_one() {
    assertThat(ElsaStatus.matching(List.of("Running"), List.of()))
        .containsExactly(WorkflowStatus.Pending, WorkflowStatus.Running, WorkflowStatus.Suspended);
    assertThat(ElsaStatus.matching(List.of("Finished"), List.of("faulted")))
        .containsExactly(WorkflowStatus.Faulted);
    assertThat(ElsaStatus.matching(List.of("Completed"), List.of()))
        .containsExactly(WorkflowStatus.Completed);
    assertThat(ElsaStatus.matching(List.of("Running"), List.of("Faulted"))).isEmpty();
    assertThatThrownBy(() -> ElsaStatus.matching(List.of("Sleeping"), List.of()))
        .isInstanceOf(SkeinException.class);
  }

  @Test
  void every_status_has_two_words_that_find_it_again() {
    for (var status : WorkflowStatus.values()) {
      var words = ElsaStatus.of(status);
      assertThat(ElsaStatus.matching(List.of(words.status()), List.of(words.subStatus())))
          .containsExactly(status);
    }
  }

  @Test
  void a_page_is_a_window() {
    var query = InstanceQueries.query(fields(Map.of("page", "2", "pageSize", "10")));

    assertThat(query).isNotNull();
    assertThat(query.window().skip()).isEqualTo(20);
    assertThat(query.window().take()).isEqualTo(10);
    assertThat(query.statuses()).isEmpty();
    assertThat(query.window().orderBy()).isEqualTo(Order.Created);
    assertThat(query.window().descending()).isTrue();
  }

  @Test
  void names_ascend_unless_it_is_said() {
    var ascending = InstanceQueries.query(fields(Map.of("orderBy", "Name")));
    var descending =
        InstanceQueries.query(fields(Map.of("orderBy", "Name", "orderDirection", "Descending")));

    assertThat(ascending).isNotNull();
    assertThat(ascending.window().descending()).isFalse();
    assertThat(descending).isNotNull();
    assertThat(descending.window().descending()).isTrue();
  }

  @Test
  void what_elsas_client_names_last_executed_is_the_time_of_the_last_change() {
    var query = InstanceQueries.query(fields(Map.of("orderBy", "lastExecuted")));

    assertThat(query).isNotNull();
    assertThat(query.window().orderBy()).isEqualTo(Order.UpdatedAt);
    assertThat(query.window().descending()).isTrue();
  }

  @Test
  void wrong_values_are_refused_by_name() {
    assertThatThrownBy(() -> InstanceQueries.query(fields(Map.of("pageSize", "10000"))))
        .hasMessageContaining("pageSize");
    assertThatThrownBy(() -> InstanceQueries.query(fields(Map.of("orderBy", "Weight"))))
        .hasMessageContaining("orderBy");
    assertThatThrownBy(() -> InstanceQueries.query(fields(Map.of("hasIncidents", "maybe"))))
        .hasMessageContaining("hasIncidents");
  }

  @Test
  void times_are_compared_as_asked() {
    var filter =
        Map.<String, @Nullable Object>of(
            "column", "FinishedAt",
            "operator", "GreaterThanOrEqual",
            "timestamp", "2026-03-04T05:06:07+02:00");

    var query = InstanceQueries.query(fields(Map.of("timestampFilters", List.of(filter))));

    assertThat(query).isNotNull();
    assertThat(query.times())
        .containsExactly(
            new TimeFilter(
                TimeColumn.FinishedAt,
                TimeOperator.GreaterThanOrEqual,
                Instant.parse("2026-03-04T03:06:07Z")));
  }

  @Test
  void a_wrong_time_is_refused_by_name() {
    for (var filter :
        List.<Object>of(
            "yesterday",
            Map.of("column", "Mood", "timestamp", "2026-03-04T05:06:07Z"),
            Map.of("column", "CreatedAt", "timestamp", "2026-03-04"),
            Map.of("column", "CreatedAt", "operator", "Near", "timestamp", "2026-03-04T05:06Z"))) {
      assertThatThrownBy(
              () -> InstanceQueries.query(fields(Map.of("timestampFilters", List.of(filter)))))
          .as(filter.toString())
          .isInstanceOf(SkeinException.class);
    }
  }

  @Test
  void all_times_that_are_wrong_are_named_with_their_places() {
    var filters =
        Arrays.asList(
            Map.of("column", " ", "timestamp", "2026-03-04T05:06:07Z"),
            Map.of("column", "CreatedAt", "timestamp", "2026-03-04T05:06:07Z"),
            null);

    assertThatThrownBy(() -> InstanceQueries.query(fields(Map.of("timestampFilters", filters))))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e ->
                assertThat(e.detail())
                    .contains("timestampFilters[0]: column", "timestampFilters[2]: column")
                    .doesNotContain("timestampFilters[1]"));
  }

  private static boolean isStart(Map<String, @Nullable Object> body) {
    return InstanceQueries.isStart(fields(body));
  }

  private static Fields fields(Map<String, @Nullable Object> body) {
    return Fields.of(body);
  }
}
