package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ExecutionRoutesTest {
  private static final int DEPTH = 200_000;

  @Test
  @Timeout(10)
  void a_chain_of_very_many_is_followed_at_once() {
    var parents = new HashMap<Integer, Integer>();
    for (int i = 1; i <= DEPTH; i++) {
      parents.put(i, i - 1);
    }

    var chain = ExecutionRoutes.chain(parents, DEPTH);

    assertThat(chain).hasSize(DEPTH).startsWith(1, 2).endsWith(DEPTH);
  }

  @Test
  void a_chain_that_bites_its_tail_ends() {
    assertThat(ExecutionRoutes.chain(Map.of(1, 2, 2, 3, 3, 1), 1)).containsExactly(3, 2, 1);
  }
}
