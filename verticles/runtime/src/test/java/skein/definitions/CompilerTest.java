package skein.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CompilerTest {
  @Test
  void of_many_references_few_are_asked_about_at_a_time() {
    var references = IntStream.range(0, 50).boxed().toList();
    var underWay = new ArrayDeque<Promise<Integer>>();

    var answers =
        Compiler.fewAtATime(
            references,
            _ -> {
              var asked = Promise.<Integer>promise();
              underWay.add(asked);
              assertThat(underWay).hasSizeLessThan(8);
              return asked.future();
            });
    for (int reference : references) {
      underWay.remove().complete(reference);
    }

    assertThat(answers.result()).isEqualTo(references);
    assertThat(underWay).isEmpty();
  }
}
