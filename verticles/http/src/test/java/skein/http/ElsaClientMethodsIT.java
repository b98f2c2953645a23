package skein.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends every method of Elsa's client library for .NET as it does, and reads the answers as its
 * types are: those of {@code elsa-client.txt}.
 */
class ElsaClientMethodsIT {
  private static ElsaClientWorld world;

  @BeforeAll
  static void start() throws Exception {
    world = new ElsaClientWorld();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  static Set<String> methods() throws IOException {
    return ElsaClientTable.read().methods.keySet();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_client_of_elsas_is_answered_in_its_types(String key) throws Exception {
    var what = world.find(key);
    assertThat(what).as("nothing is asked of " + key).isNotNull();
    what.run();

    assertThat(world.client.wasAnswered(key))
        .as(key)
        .isEqualTo(requireNonNull(world.table.methods.get(key)).isAnswered());
  }
}
