package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  private static final Redaction REDACTION = new Redaction(false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "clientSecret",
        "access_token",
        "apiKey",
        "Authorization",
        "connectionString",
        "Set-Cookie",
        "privateKey"
      })
  void members_whose_names_say_secret_are_hidden(String name) {
    var nested = new JsonObject().put("a", new JsonArray().add(new JsonObject().put(name, "x7")));

    assertThat(REDACTION.of(nested).encode()).contains(Redaction.HIDDEN).doesNotContain("x7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer abcdef0123456789",
        "postgresql://elsa:hunter2abcd@db/elsa",
        "https://x.example/workflows/resume/abcdef0123456789abcdef",
        "https://x.example/?token=abcdef0123456789&a=b",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef0123456789"
      })
  void texts_in_the_form_of_secrets_are_hidden(String text) {
    assertThat(REDACTION.of(new JsonObject().put("message", text)).getString("message"))
        .contains(Redaction.HIDDEN)
        .doesNotContain("hunter2abcd", "abcdef0123456789");
  }

  @Test
  void a_variable_that_is_named_so_loses_its_value() {
    var variable = new JsonObject().put("name", "SmtpPassword").put("value", "x7");

    assertThat(REDACTION.of(new JsonObject().put("variables", new JsonArray().add(variable))))
        .isEqualTo(
            new JsonObject()
                .put(
                    "variables",
                    new JsonArray().add(variable.copy().put("value", Redaction.HIDDEN))));
  }

  @Test
  void the_rest_stays_as_it_is() {
    var json =
        new JsonObject()
            .put("id", "i1")
            .put("hasToken", true)
            .put("message", "The token of the parser was unexpected")
            .put("bookmarks", new JsonArray().add(new JsonObject().put("name", "Approve")));

    assertThat(REDACTION.of(json)).isEqualTo(json);
  }

  @Test
  void without_data_values_go_too() {
    var json = new JsonObject().put("id", "i1").put("input", new JsonObject().put("amount", 42));

    assertThat(new Redaction(true).of(json))
        .isEqualTo(new JsonObject().put("id", "i1").put("input", Redaction.HIDDEN));
  }

  @Test
  void what_is_a_secret_in_one_place_is_one_everywhere() {
    var redaction = new Redaction(false);
    redaction.learn(
        new JsonObject()
            .put(
                "variables",
                new JsonArray()
                    .add(new JsonObject().put("name", "Pin code secret").put("value", "x7-y"))));

    assertThat(redaction.of(new JsonObject().put("v", "x7-y").put("m", "sent x7-y.")))
        .isEqualTo(
            new JsonObject().put("v", Redaction.HIDDEN).put("m", "sent " + Redaction.HIDDEN + "."));
  }
}
