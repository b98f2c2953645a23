package skein.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import skein.model.AuditEntry;

class RefusedTokensTest {
  private final List<String> lines = new ArrayList<>();
  private final List<String> tenants = new ArrayList<>();
  private final LongAdder all = new LongAdder();
  private long now = 60_000;

  private final RefusedTokens refused =
      new RefusedTokens(
          (entry, tenant) -> {
            lines.add(entry.outcome());
            tenants.add(tenant);
            return Future.succeededFuture();
          },
          () -> Instant.ofEpochMilli(now),
          3,
          all);

  private void refuse(int times) {
    var entry = new AuditEntry("token.resume", "TOKEN_INVALID", null, null, "192.0.2.1");
    Collections.nCopies(times, entry).forEach(one -> refused.add(one, "acme"));
  }

  @Test
  void of_many_bad_tokens_the_first_of_a_minute_are_written_and_all_are_counted() {
    refuse(465);

    assertThat(lines).hasSize(3).containsOnly("TOKEN_INVALID");
    assertThat(all.sum()).isEqualTo(465);
  }

  @Test
  void the_next_minute_begins_with_how_many_were_left_out() {
    refuse(465);
    now += 60_000;
    refuse(1);

    assertThat(lines.subList(3, 5)).containsExactly("462 more refusals", "TOKEN_INVALID");
    assertThat(tenants).as("the sum is of all").containsExactly("acme", "acme", "acme", "", "acme");
  }

  @Test
  void a_bad_token_now_and_then_is_a_line_of_its_own() {
    for (var i = 0; i < 10; i++) {
      refuse(1);
      now += 60_000;
    }

    assertThat(lines).hasSize(10).containsOnly("TOKEN_INVALID");
  }
}
