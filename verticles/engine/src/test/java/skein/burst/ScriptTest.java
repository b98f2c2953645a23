package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.start;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.model.WorkflowStatus;

class ScriptTest {
  private static String script(String text) {
    return activity(
        "RunJavaScript",
        "S",
        "'script':"
            + literal("String", "'" + text + "'")
            + ",'possibleOutcomes':"
            + expression("String[]", "Object", "['x','y']")
            + ",'result':{'memoryReference':{'id':'r'}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "return 1;|D",
        "setOutcome(`x`)|A",
        "setOutcomes([`y`, `x`])|AB",
        "setOutcome(`other`)|''"
      })
  void a_script_chooses_its_outcomes(String text, String expected) {
    var flow = flowchart("f", "S.x>A S.y>B S.Done>D", script(text) + "," + lines("ABD"));

    assertThat(String.join("", linesOf(start(rooted(flow))))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"return 6 * 7;|42", "const x = 20; x * 2 + 2|42", "return null;|was", "' '|was"})
  void the_value_of_a_script_is_its_result_unless_it_is_null(String text, String expected) {
    var graph =
        graph(
            "'variables':[{'id':'r','name':'R','typeName':'Object','value':'was'}],'root':"
                + activity(
                    "Sequence",
                    "seq",
                    "'activities':["
                        + script(text)
                        + ","
                        + activity(
                            "WriteLine",
                            "l",
                            "'text':" + expression("String", "JavaScript", "'getR()'"))
                        + "]"));

    assertThat(linesOf(start(graph))).containsExactly(expected);
  }

  @Test
  void a_wrong_script_may_be_published_and_faults() {
    var graph = rooted(script("this is no script"));

    var transition = start(graph);

    assertThat(graph.problems()).isEmpty();
    assertThat(graph.mayBlock()).isTrue();
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents()).hasSize(1);
  }

  @Test
  void what_elsa_did_not_find_faults_under_its_own_name() {
    var transition =
        start(rooted(activity("NotFoundActivity", "n", "'missingTypeName':'Acme.Widget'")));

    assertThat(transition.next().incidents().getFirst().message())
        .isEqualTo("The activity type Acme.Widget is not known here");

    var versioned =
        "'missingTypeName':'Acme.Widget','missingTypeVersion':3,'originalActivityJson':'{}'";
    assertThat(
            start(rooted(activity("NotFoundActivity", "n", versioned)))
                .next()
                .incidents()
                .getFirst()
                .message())
        .isEqualTo("The activity type Acme.Widget, version 3, is not known here");
  }
}
