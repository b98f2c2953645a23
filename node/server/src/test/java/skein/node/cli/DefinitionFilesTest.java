package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefinitionFilesTest {
  @TempDir Path folder;

  private static JsonObject finding(String path) {
    return new JsonObject()
        .put("severity", "warning")
        .put("code", "UNKNOWN_INPUT")
        .put("path", path)
        .put("message", "it is ignored");
  }

  @Test
  void findings_are_told_with_line_and_column_in_the_order_of_the_file() throws IOException {
    var path = folder.resolve("a.json");
    Files.writeString(
        path,
        """
        {
          "root": {
            "type": "Elsa.Sequence",
            "activities": [
              {"type": "Elsa.WriteLine", "txt": "Hello"}
            ]
          }
        }
        """);

    var lines =
        DefinitionFile.read(path)
            .lines(
                new JsonArray()
                    .add(finding("/root/activities/0/txt"))
                    .add(finding("/root/type"))
                    .add(finding("/root/activities/7/gone"))
                    .add(finding("")));

    assertThat(lines)
        .containsExactly(
            path + ":1:1: warning UNKNOWN_INPUT: it is ignored",
            path + ":3:5: warning UNKNOWN_INPUT: it is ignored",
            path + ":4:5: warning UNKNOWN_INPUT: it is ignored",
            path + ":5:34: warning UNKNOWN_INPUT: it is ignored");
  }

  @Test
  void definitions_are_compared_by_the_ids_of_their_activities() {
    var before =
        new JsonObject(
            "{'version':1,'isLatest':true,'root':{'activities':[{'id':'a','text':'x'},{'id':'b'}]}}"
                .replace('\'', '"'));
    var after =
        new JsonObject(
            "{'version':2,'root':{'activities':[{'id':'c'},{'id':'a','text':'y','on':null}]}}"
                .replace('\'', '"'));

    var text = DefinitionDiff.text(DefinitionDiff.between(before, after));

    assertThat(text.lines())
        .containsExactly(
            "- /root/activities[a]/text: \"x\"",
            "+ /root/activities[a]/text: \"y\"",
            "- /root/activities[b]: {\"id\":\"b\"}",
            "+ /root/activities[c]: {\"id\":\"c\"}");
    assertThat(DefinitionDiff.between(before, before)).isEmpty();
  }

  @Test
  void names_of_others_move_nothing_on_the_screen_and_columns_stay_aligned() {
    var table = new Table("NAME", "X").row("日本", 1).row("a\u001b[2Jb\nc", 2);

    assertThat(table.toString().lines())
        .containsExactly("NAME            X", "日本            1", "a\\u001b[2Jb\\nc  2");
  }
}
