package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HubPollsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger ended = new AtomicInteger();
  private final HubPolls polls = new HubPolls(vertx, LONG, ended::incrementAndGet);

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void a_client_that_has_ended_it_is_given_nothing_more() {
    assertThat(polls.poll(LONG).result()).isEmpty();
    polls.write("a");
    polls.end(HubLink.Ending.CLIENT);
    polls.write("b");

    var next = polls.poll(LONG);

    assertThat(next.succeeded()).isTrue();
    assertThat(next.result()).isNull();
    assertThat(ended).hasValue(1);
  }

  @Test
  void a_client_fetches_what_was_written_before_the_node_ended_it() {
    assertThat(polls.poll(LONG).result()).isEmpty();
    polls.write("a");
    polls.end(HubLink.Ending.AWAY);

    assertThat(polls.poll(LONG).result()).isEqualTo("a");
    assertThat(polls.poll(LONG).result()).isNull();
    assertThat(ended).hasValue(1);
  }
}
