package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.http.References.Used;

class ReferencesTest {
  private static final Used CHILD = Used.of("child-1", "My child");

  @Test
  void a_definition_is_known_by_its_id_before_its_type_name() {
    assertThat(uses("\"type\":\"Anything\",\"workflowDefinitionId\":\"child-1\"")).isTrue();
    assertThat(uses("\"type\":\"MyChild\"")).isTrue();
    assertThat(uses("\"type\":\"MyChild\",\"workflowDefinitionId\":\"other\"")).isFalse();
    assertThat(uses("\"type\":\"Elsa.WriteLine\",\"text\":\"MyChild child-1\"")).isFalse();
  }

  @Test
  void a_name_that_is_missing_matches_nothing() {
    assertThat(Used.of("child-1", " ").words()).containsExactly("child-1");
  }

  @ParameterizedTest
  @CsvSource({
    "Order line, OrderLine",
    "CacheInvalidation_Child, CacheInvalidationChild",
    "Input Output Logging 3 - Child, InputOutputLogging3-Child",
    "sum, Sum"
  })
  void a_name_makes_a_type_name(String name, String type) {
    assertThat(References.typeName(name)).isEqualTo(type);
  }

  private static boolean uses(String activity) {
    Map<String, ?> document =
        JsonText.parseObject(
            "{\"root\":{\"id\":\"R\",\"type\":\"Elsa.Flowchart\",\"activities\":[{\"id\":\"A\","
                + activity
                + "}]}}",
            JsonLimits.DEFAULT);
    return References.uses(document, CHILD);
  }
}
