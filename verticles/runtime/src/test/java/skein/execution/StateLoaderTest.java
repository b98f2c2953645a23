package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StateLoaderTest {
  @Test
  void versions_that_alterations_name_are_read_one_by_one_and_none_twice() {
    var asked = new ArrayList<Integer>();
    var first = Promise.<@Nullable String>promise();

    var found =
        StateLoader.<String>oneByOne(
            List.of(3, 1, 3, 2, 1),
            number -> {
              asked.add(number);
              return number == 3
                  ? first.future()
                  : Future.succeededFuture(number == 1 ? "one" : null);
            });

    assertThat(asked).containsExactly(3);
    first.complete("three");
    assertThat(asked).containsExactly(3, 1, 2);
    assertThat(found.result()).isEqualTo(Map.of(3, "three", 1, "one"));
  }
}
