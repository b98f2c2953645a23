package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.storage.InstanceScan.Portion;
import skein.storage.InstanceScan.Position;
import skein.storage.InstanceScan.Scanned;

class InstanceDataSearchTest {
  private static final Instant AT = Instant.EPOCH;
  private static final SearchBounds WIDE = new SearchBounds(1_000, Duration.ofSeconds(2), 2);

  private Instant now = AT;
  private final List<@Nullable Position> asked = new ArrayList<>();

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

  private static Scanned row(int number, String color) {
    var id = "i" + number;
    return new Scanned(position(number), instance(id, Map.of("color", color), Map.of()));
  }

  private static Position position(int number) {
    return new Position(AT, new InstanceId("i" + number));
  }

  /** Portions of two rows each: every third row is red. */
  private Portion portion(@Nullable Position after, int rows) {
    asked.add(after);
    int first = after == null ? 0 : Integer.parseInt(after.id().value().substring(1)) + 1;
    var portion = new ArrayList<Scanned>();
    for (int i = first; i < Math.min(first + 2, rows); i++) {
      portion.add(row(i, i % 3 == 0 ? "red" : "blue"));
    }
    return new Portion(portion, first + 2 >= rows ? null : portion.getLast().position());
  }

  private InstanceDataSearch.Result search(
      int rows, int take, SearchBounds bounds, @Nullable Position after) {
    return new InstanceDataSearch(
            InstanceData.of("color", "red"),
            position -> {
              now = now.plusMillis(100);
              return Future.succeededFuture(portion(position, rows));
            },
            _ -> Future.failedFuture(SkeinException.definitionInvalid(List.of("no root"))),
            InstanceDataSearchTest::compared,
            take,
            bounds,
            () -> now)
        .run(after)
        .result();
  }

  private static Future<Boolean> compared(Callable<Boolean> work) {
    try {
      return Future.succeededFuture(work.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  private static List<String> ids(InstanceDataSearch.Result result) {
    return result.matches().stream()
        .map(match -> String.valueOf(match.summary().get("id")))
        .toList();
  }

  @Test
  void all_instances_are_searched_portion_by_portion() {
    var result = search(8, 50, WIDE, null);

    assertThat(ids(result)).containsExactly("i0", "i3", "i6");
    assertThat(result.searched()).isEqualTo(8);
    assertThat(result.next()).isNull();
    assertThat(asked).containsExactly(null, position(1), position(3), position(5));
  }

  @Test
  void it_ends_with_as_many_matches_as_are_enough_and_goes_on_behind_the_last() {
    var first = search(8, 2, WIDE, null);
    assertThat(ids(first)).containsExactly("i0", "i3");
    assertThat(first.searched()).isEqualTo(4);

    var second = search(8, 2, WIDE, first.next());

    assertThat(ids(second)).containsExactly("i6");
    assertThat(first.searched() + second.searched()).isEqualTo(8);
    assertThat(second.next()).isNull();
  }

  @Test
  void a_match_within_a_portion_is_enough_too() {
    var result = search(8, 1, WIDE, null);

    assertThat(ids(result)).containsExactly("i0");
    assertThat(result.next()).isEqualTo(position(0));
  }

  @Test
  void it_ends_after_as_many_rows_as_one_request_may_read() {
    var result = search(100, 50, new SearchBounds(4, Duration.ofSeconds(20), 2), null);

    assertThat(result.searched()).isEqualTo(4);
    assertThat(result.next()).isEqualTo(position(3));
  }

  @Test
  void it_ends_when_its_time_is_up() {
    var result = search(100, 50, new SearchBounds(1_000, Duration.ofMillis(250), 2), null);

    assertThat(asked).hasSize(3);
    assertThat(result.next()).isEqualTo(position(4));
  }

  @Test
  void instances_that_are_passed_over_do_not_count() {
    var portions =
        Map.of(
            position(1), new Portion(List.of(), position(2)),
            position(2), new Portion(List.of(row(3, "red")), null));

    var result =
        new InstanceDataSearch(
                InstanceData.of("color", "red"),
                after ->
                    Future.<Portion>succeededFuture(
                        after == null ? new Portion(List.of(), position(1)) : portions.get(after)),
                _ -> Future.succeededFuture(null),
                InstanceDataSearchTest::compared,
                50,
                new SearchBounds(1, Duration.ofSeconds(20), 2),
                () -> now)
            .run(null)
            .result();

    assertThat(ids(result)).containsExactly("i3");
    assertThat(result.searched()).isEqualTo(1);
    assertThat(result.next()).isNull();
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_version_that_was_not_read_fails_the_search(Throwable failure) {
    var search =
        new InstanceDataSearch(
                InstanceData.of("color", "red"),
                position -> Future.succeededFuture(portion(position, 8)),
                _ -> Future.failedFuture(failure),
                InstanceDataSearchTest::compared,
                50,
                WIDE,
                () -> now)
            .run(null);

    assertThat(search.cause()).isSameAs(failure);
    assertThat(asked).hasSize(1);
  }

  private static List<Throwable> failures() {
    return List.of(
        SkeinException.storageUnavailable("read a definition", new IOException("closed")),
        SkeinException.overloaded("the pool", 1),
        new IllegalStateException("a defect"));
  }

  @Test
  void what_cannot_be_read_is_said() {
    var newer = new Scanned(position(2), null);
    var portion = new Portion(List.of(row(0, "red"), newer), null);

    var result =
        new InstanceDataSearch(
                InstanceData.of("color", "red"),
                _ -> Future.succeededFuture(portion),
                _ -> Future.succeededFuture(null),
                InstanceDataSearchTest::compared,
                50,
                WIDE,
                () -> now)
            .run(null)
            .result();

    assertThat(result.searched()).isEqualTo(1);
    assertThat(result.unreadable()).isEqualTo(1);
    assertThat(ids(result)).containsExactly("i0");
  }

  @Test
  void a_portion_that_takes_too_long_to_compare_is_left_where_it_was() {
    var rows = List.of(row(0, "red"), row(1, "blue"), row(2, "blue"), row(3, "red"));

    var result =
        new InstanceDataSearch(
                InstanceData.of("color", "red"),
                _ -> Future.succeededFuture(new Portion(rows, null)),
                _ -> Future.succeededFuture(null),
                InstanceDataSearchTest::compared,
                50,
                new SearchBounds(1_000, Duration.ofMillis(250), 2),
                () -> {
                  now = now.plusMillis(100);
                  return now;
                })
            .run(null)
            .result();

    assertThat(result.searched()).isEqualTo(3);
    assertThat(ids(result)).containsExactly("i0");
    assertThat(result.next()).isEqualTo(position(2));
  }
}
