package skein.node.elsa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.node.dev.CannotStartException;
import skein.node.elsa.JsonServer.Answer;

/** Requests that are made of Elsa. */
class ElsaApiTest {
  private static final Pattern PAGE = Pattern.compile("page(?:=|\":)(\\d+)");
  private static final Answer MISSING = new Answer(404, "");

  private final List<String> asked = new ArrayList<>();
  private String status = "";

  /** What Elsa counts less on all pages but the first: what has ended meanwhile. */
  private int ended;

  /** {@code count} definitions that are published and the latest, and as many instances. */
  private ElsaApi elsa(int count) {
    return new ElsaApi((method, path, body) -> {
      asked.add(method + " " + path);
      if (path.startsWith("/workflow-definitions/by-id/")) {
        return new Answer(200, definition(path.substring(path.lastIndexOf('v') + 1)));
      }
      if (path.startsWith("/workflow-definitions?")) {
        return page(path, count, i -> definition(Integer.toString(i)));
      }
      if (path.equals("/workflow-instances")) {
        return page(
            body,
            count,
            i -> "{\"id\": \"i%d\", \"definitionVersionId\": \"v%d\"}".formatted(i, i));
      }
      return path.endsWith("/status") && !status.isEmpty() ? new Answer(200, status) : MISSING;
    });
  }

  private static String definition(String number) {
    return """
    {"id": "v%s", "definitionId": "d%s", "isPublished": true, "isLatest": true,
     "root": {"type": "Elsa.WriteLine"}}
    """
        .formatted(number, number);
  }

  private Answer page(@Nullable String request, int count, IntFunction<String> item) {
    var number = PAGE.matcher(String.valueOf(request));
    assertThat(number.find()).isTrue();
    int from = 100 * Integer.parseInt(number.group(1));
    return new Answer(
        200,
        IntStream.range(from, Math.min(from + 100, count))
            .mapToObj(item)
            .collect(
                Collectors.joining(
                    ",",
                    "{\"items\": [",
                    "], \"totalCount\": %d}".formatted(from == 0 ? count : count - ended))));
  }

  @Test
  void all_pages_are_read_and_each_thing_once() {
    var elsa = elsa(250);

    assertThat(elsa.unfinished()).hasSize(250).extracting(ElsaInstance::id).contains("i249");
    assertThat(elsa.definitions())
        .hasSize(250)
        .allMatch(definition -> definition.refusal() == null)
        .extracting(ElsaDefinition::versionId)
        .contains("v0", "v249")
        .doesNotHaveDuplicates();
    assertThat(asked).filteredOn(request -> request.contains("/by-id/v7")).isNotEmpty();
    assertThat(asked).filteredOn(request -> request.endsWith("/by-id/v7")).hasSize(1);
    assertThat(asked).noneMatch(request -> request.endsWith("/labels"));
  }

  @Test
  void a_list_that_changes_while_it_is_read_is_refused() {
    ended = 1;

    assertThatExceptionOfType(CannotStartException.class)
        .isThrownBy(() -> elsa(250).unfinished())
        .withMessage(
            "The list of instances changed in Elsa while it was read: 250 were read, and Elsa"
                + " counts 249 or 250. Repeat the command");
    assertThatExceptionOfType(CannotStartException.class)
        .isThrownBy(() -> elsa(150).definitions())
        .withMessageContaining("The list of definitions changed in Elsa");
  }

  @Test
  void a_list_that_repeats_some_and_lacks_others_is_refused() {
    var page = "{\"items\": [{\"id\": \"a\"}, {\"id\": \"a\"}], \"totalCount\": 2}";

    assertThatExceptionOfType(CannotStartException.class)
        .isThrownBy(() -> new ElsaApi((_, _, _) -> new Answer(200, page)).labels())
        .withMessageContaining("The list of labels changed in Elsa while it was read: 1 were read");
  }

  @Test
  void elsa_is_not_at_rest_when_it_takes_work_or_executes() {
    assertThat(elsa(0).contradiction()).isNull();
    status = "{\"state\": {\"isAcceptingNewWork\": true}, \"activeExecutionCycleCount\": 0}";
    assertThat(elsa(0).contradiction()).isEqualTo("Elsa answers that its runtime is not paused");
    status = "{\"state\": {\"isAcceptingNewWork\": false}, \"activeExecutionCycleCount\": 1}";
    assertThat(elsa(0).contradiction()).isEqualTo("Elsa answers that it executes still (1)");
    status = "{\"state\": {\"isAcceptingNewWork\": false}, \"activeExecutionCycleCount\": 0}";
    assertThat(elsa(0).contradiction()).isNull();
  }
}
