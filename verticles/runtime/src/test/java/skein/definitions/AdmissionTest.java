package skein.definitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;

class AdmissionTest {
  private static Map<String, @Nullable Object> json(String text) {
    return JsonText.parseObject(text.replace('\'', '"'), JsonLimits.DEFAULT);
  }

  private static WorkflowDefinition definition(String id, String name, boolean usable) {
    return DefinitionCodec.read(
        json(
            "{'definitionId':'%s','name':'%s','usableAsActivity':%s,'root':{}}"
                .formatted(id, name, usable)),
        Instant.EPOCH,
        "generated",
        "v1");
  }

  private static @Nullable SkeinException refusal(Runnable check) {
    return catchThrowableOfType(SkeinException.class, check::run);
  }

  @Test
  void a_new_id_that_looks_like_another_is_refused() {
    var lookalike = definition("Approval\u200BWorkflow", "a", false);

    var refusal = refusal(() -> Admission.checkNames(lookalike, null));

    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ID);
    assertThat(refusal.detail()).startsWith("definitionId has the character U+200B at 8");
  }

  @Test
  void a_definition_that_is_there_keeps_its_id_and_its_name() {
    var known = definition("Approval\u200BWorkflow", "\u202Ename", true);

    assertThatCode(() -> Admission.checkNames(known, known)).doesNotThrowAnyException();
  }

  @Test
  void a_name_is_an_id_where_the_workflow_is_an_activity() {
    var accents = "Cafe\u0301";

    assertThat(refusal(() -> Admission.checkNames(definition("a", accents, true), null)))
        .isNotNull();
    assertThat(refusal(() -> Admission.checkNames(definition("a", accents, false), null))).isNull();
    assertThat(refusal(() -> Admission.checkNames(definition("a", "\u202Ea", false), null)))
        .isNotNull();
  }

  private static WorkflowDefinition waiting(String input) {
    var text =
        "{'definitionId':'a','root':{'activities':[{'type':'Elsa.Event','eventName':%s}]}}"
            .formatted(input);
    return DefinitionCodec.read(json(text), Instant.EPOCH, "generated", "v1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'Appr\u043Eved'",
        "'Approved\u200B'",
        "{'expression':{'type':'Literal','value':'\uFF21pproved'}}"
      })
  void a_new_name_of_an_event_that_looks_like_another_is_refused(String input) {
    var approved = waiting("'Approved'");

    var refusal = refusal(() -> Admission.checkNames(waiting(input), approved));

    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ID);
    assertThat(refusal.detail()).startsWith("eventName ");
    assertThat(refusal(() -> Admission.checkNames(approved, null))).isNull();
    assertThat(refusal(() -> Admission.checkNames(waiting(input), waiting(input)))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'definitionId':'a','DefinitionId':'b'}",
        "{'root':{'type':'A','Type':'B'}}",
        "{'root':{'activities':[{'id':'1','text':{},'TEXT':{}}]}}",
        "{'variables':[{'name':'a','Name':'b'}]}"
      })
  void members_that_differ_only_in_case_are_refused(String text) {
    var refusal = refusal(() -> Admission.checkMembers(json(text)));

    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.DEFINITION_INVALID);
  }

  @Test
  void what_is_said_of_members_with_long_names_is_short() {
    var members = new LinkedHashMap<String, @Nullable Object>();
    for (var i = 0; i < 256; i++) {
      members.put(spelling("abcdefgh", i), 0L);
    }

    var refusal =
        refusal(() ->
            Admission.checkMembers(Map.of("k".repeat(500_000), List.of(0L, members, members))));

    assertThat(refusal).isNotNull();
    assertThat(refusal.errors())
        .hasSize(100)
        .allSatisfy(error -> assertThat(error).hasSizeLessThan(300));
    assertThat(refusal.errors().getFirst())
        .isEqualTo(
            "%1$s….1.abcdefgh and %1$s….1.Abcdefgh differ only in case".formatted("k".repeat(80)));
  }

  /** With capitals where a number has a bit. */
  private static String spelling(String name, int bits) {
    var text = new StringBuilder(name);
    for (var i = 0; i < name.length(); i++) {
      if ((bits & 1 << i) != 0) {
        text.setCharAt(i, Character.toUpperCase(name.charAt(i)));
      }
    }
    return text.toString();
  }

  @Test
  @Timeout(20) // it was minutes
  void a_long_name_is_not_copied_for_each_element_of_its_list() {
    var zeros = Collections.nCopies(100_000, 0L);

    assertThatCode(() -> Admission.checkMembers(Map.of("k".repeat(800_000), zeros)))
        .doesNotThrowAnyException();
  }

  @Test
  void data_of_workflows_may_have_any_members() {
    assertThatCode(() ->
            Admission.checkMembers(
                json(
                    "{'root':{'text':{'expression':{'value':{'a':1,'A':2}}},"
                        + "'customProperties':{'x':{'b':1,'B':2}}}}")))
        .doesNotThrowAnyException();
  }
}
