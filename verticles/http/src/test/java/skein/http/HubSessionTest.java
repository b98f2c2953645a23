package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonLimits;
import skein.model.InstanceId;
import skein.storage.TenantScope;

/** A session on a clock of its own, with a client that takes as much as it wants. */
class HubSessionTest {
  private static final InstanceId ID = new InstanceId("i1");
  private static final String HANDSHAKE = "{\"protocol\":\"json\",\"version\":1}\u001e";
  private static final HubOptions OPTIONS =
      new HubOptions(
          Duration.ofMillis(1),
          Duration.ofMillis(1),
          new HubOptions.Retries(Duration.ofMillis(1), Duration.ofMillis(1)),
          new HubOptions.Limits(10, 10, 1_000),
          new HubOptions.Times(
              Duration.ofSeconds(5),
              Duration.ofSeconds(15),
              Duration.ofSeconds(30),
              Duration.ofSeconds(10),
              Duration.ofHours(1)));

  private final AtomicLong nanos = new AtomicLong();
  private final Link link = new Link();
  private final Observers observers = new Observers();
  private final HubSession session =
      new HubSession(
          atOnce(), TenantScope.ALL, link, observers, OPTIONS, JsonLimits.DEFAULT, nanos::get);

  private static final class Link implements HubLink {
    private final List<String> written = new ArrayList<>();
    private boolean ready = true;
    private @Nullable Ending ending;

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public boolean isFull() {
      return false;
    }

    @Override
    public void write(String records) {
      written.add(records);
    }

    @Override
    public void end(Ending why) {
      ending = why;
    }

    String last() {
      return written.isEmpty() ? "" : written.getLast();
    }
  }

  private static final class Observers implements HubSession.Observing {
    private final Map<InstanceId, HubSession> begun = new HashMap<>();
    private int ends;

    @Override
    public Future<?> begin(HubSession session, InstanceId id) {
      begun.put(id, session);
      return Future.succeededFuture();
    }

    @Override
    public void end(HubSession session, Set<InstanceId> ids) {
      ids.forEach(begun::remove);
      ends++;
    }
  }

  private static Context atOnce() {
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, arguments) -> {
              if (method.getName().equals("runOnContext")
                  && arguments[0] instanceof Handler<?> handler) {
                handler.handle(null);
              }
              return null;
            });
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    session.tick(false);
  }

  private void open() {
    session.received(HANDSHAKE);
    session.received(
        "{\"type\":1,\"target\":\"observeinstanceasync\",\"arguments\":[\"i1\"]}\u001e");
    assertThat(observers.begun).containsKey(ID);
    link.written.clear();
  }

  @Test
  void a_handshake_may_come_in_pieces_and_with_what_follows() {
    session.received(HANDSHAKE.substring(0, 10));
    assertThat(link.written).isEmpty();
    session.received(
        HANDSHAKE.substring(10)
            + "{\"type\":6}\u001e{\"type\":1,\"invocationId\":\"7\",\"target\":\"x\"}\u001e");

    assertThat(link.written.getFirst()).isEqualTo("{}\u001e");
    assertThat(link.last()).contains("\"invocationId\":\"7\"").contains("no method x");
  }

  @Test
  void updates_are_sent_at_once_to_a_client_that_keeps_up() {
    open();
    session.offer(HubUpdate.changed(ID));

    assertThat(link.written)
        .containsExactly(
            "{\"type\":1,\"target\":\"WorkflowInstanceUpdatedAsync\","
                + "\"arguments\":[{\"workflowInstanceId\":\"i1\"}]}\u001e"
                + "{\"type\":1,\"target\":\"WorkflowExecutionLogUpdatedAsync\",\"arguments\":[{}]}\u001e");
  }

  @Test
  void a_slow_client_is_kept_the_newest_update_of_each_kind_and_nothing_more() {
    open();
    link.ready = false;
    for (int i = 0; i < 1_000; i++) {
      session.offer(HubUpdate.changed(ID));
      session.offer(HubUpdate.statistics(ID, List.of()));
    }
    assertThat(link.written).isEmpty();

    link.ready = true;
    session.flush();
    assertThat(link.written).hasSize(1);
    assertThat(link.last().chars().filter(c -> c == HubMessage.END)).hasSize(3);
  }

  @Test
  void a_client_that_takes_nothing_is_cut_off() {
    open();
    link.ready = false;
    session.offer(HubUpdate.changed(ID));
    for (int i = 0; i < 4; i++) {
      pass(Duration.ofSeconds(9));
      session.received("{\"type\":6}\u001e");
    }

    assertThat(link.ending).isEqualTo(HubLink.Ending.SILENT);
    assertThat(link.last()).contains("Nothing was taken").contains("\"allowReconnect\":true");
    assertThat(observers.begun).isEmpty();
  }

  @Test
  void a_silent_client_is_pinged_and_then_cut_off() {
    open();
    pass(Duration.ofSeconds(16));
    assertThat(link.last()).isEqualTo("{\"type\":6}\u001e");
    assertThat(link.ending).isNull();
    pass(Duration.ofSeconds(15));

    assertThat(link.last()).contains("hub.client-timeout").contains("\"allowReconnect\":true");
    assertThat(link.ending).isEqualTo(HubLink.Ending.SILENT);
    assertThat(session.isClosed()).isTrue();
  }

  @Test
  void a_connection_ends_after_its_time_however_lively_it_is() {
    open();
    for (int i = 0; i < 361 && !session.isClosed(); i++) {
      session.received("{\"type\":6}\u001e");
      pass(Duration.ofSeconds(10));
    }

    assertThat(link.last()).contains("hub.connection-max").contains("\"allowReconnect\":true");
  }

  @Test
  void whoever_closes_is_sent_nothing_more() {
    open();
    session.received(
        "{\"type\":7}\u001e{\"type\":1,\"invocationId\":\"1\",\"target\":\"x\"}\u001e");
    session.offer(HubUpdate.changed(ID));
    session.tick(true);

    assertThat(link.written).isEmpty();
    assertThat(link.ending).isEqualTo(HubLink.Ending.CLIENT);
    assertThat(observers.ends).isEqualTo(1);
  }

  @Test
  void a_late_handshake_is_refused_in_the_form_of_its_answer() {
    pass(Duration.ofSeconds(6));

    assertThat(link.last()).startsWith("{\"error\":").contains("hub.handshake-timeout");
    assertThat(link.ending).isEqualTo(HubLink.Ending.SILENT);
  }
}
