package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import skein.messages.Addresses;

/** The examples in the module's README are what is read and written. */
class ReadmeTest {
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "^### `?([\\w.]+)`?$|^```json$(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @Test
  void every_request_in_it_is_read_whole() throws IOException {
    var addresses = new ArrayList<String>();
    for (var example : examples()) {
      if (!example.heading().equals("Answers")) {
        addresses.add(example.heading());
        var json = JsonText.parseObject(example.json(), JsonLimits.DEFAULT);

        var written = JsonMessages.toJson(JsonMessages.fromJson(example.heading(), json));

        assertThat(written).isEqualTo(json);
      }
    }
    assertThat(addresses)
        .containsExactly(
            Addresses.START,
            Addresses.RESUME,
            Addresses.RESUME,
            Addresses.EVENT,
            Addresses.TASK,
            Addresses.CANCEL,
            Addresses.QUERY,
            Addresses.JOURNAL);
  }

  @Test
  void every_answer_in_it_has_the_members_of_a_real_one() throws IOException {
    var answers = examples().stream().filter(e -> e.heading().equals("Answers")).toList();
    var real =
        Stream.concat(Samples.replies().stream(), Samples.replies2().stream().skip(1))
            .skip(1)
            .map(JsonMessages::toJson)
            .map(JsonText::print)
            .toList();
    assertThat(answers).hasSameSizeAs(real);

    for (int i = 0; i < real.size(); i++) {
      var shown = JsonText.parseObject(answers.get(i).json(), JsonLimits.DEFAULT);
      var written = JsonText.parseObject(real.get(i), JsonLimits.DEFAULT);

      assertThat(shown.keySet()).containsExactlyElementsOf(written.keySet());
      assertThat(shown.get("kind")).isEqualTo(written.get("kind"));
      if (shown.get("state") instanceof Map<?, ?> state
          && written.get("state") instanceof Map<?, ?> realState) {
        assertThat(state.keySet().toArray()).containsExactly(realState.keySet().toArray());
      }
    }
  }

  private static List<Example> examples() throws IOException {
    var examples = new ArrayList<Example>();
    var heading = "";
    var matcher = EXAMPLE.matcher(Files.readString(Path.of("../README.md")));
    while (matcher.find()) {
      if (matcher.group(1) != null) {
        heading = matcher.group(1);
      } else {
        examples.add(new Example(heading, matcher.group(2)));
      }
    }
    return examples;
  }

  private record Example(String heading, String json) {}
}
