package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class YamlTextTest {
  @Test
  void what_is_written_is_read_as_the_same_by_a_reader_of_yaml() {
    var json =
        new JsonObject()
            .put("text", "two words")
            .put("looks", new JsonArray().add("true").add("No").add("1.5").add("a: b").add("- x"))
            .put("odd", "line\nbreak \"quoted\" # no comment")
            .put(
                "empty", new JsonObject().put("list", new JsonArray()).put("map", new JsonObject()))
            .put("numbers", new JsonArray().add(1).add(2.5).add(true).addNull())
            .put(
                "items",
                new JsonArray()
                    .add(new JsonObject().put("id", "a").put("in", new JsonObject().put("x", 1)))
                    .add(new JsonArray().add(1).add(new JsonArray().add(2))));

    var read = new Load(LoadSettings.builder().build()).loadFromString(YamlText.of(json));

    assertThat(read).isEqualTo(plain(json));
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case JsonObject object -> {
        var map = new LinkedHashMap<String, Object>();
        object.fieldNames().forEach(name -> map.put(name, plain(object.getValue(name))));
        yield map;
      }
      case JsonArray array -> {
        var list = new ArrayList<Object>();
        array.forEach(item -> list.add(plain(item)));
        yield list;
      }
      case null -> null;
      default -> value;
    };
  }

  @Test
  void plain_words_have_no_quotes() {
    assertThat(YamlText.of(new JsonObject().put("status", "Finished").put("count", 1)))
        .isEqualTo("status: Finished\ncount: 1");
  }
}
