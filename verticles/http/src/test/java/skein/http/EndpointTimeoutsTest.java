package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.definitions.EndpointTable.Match;
import skein.definitions.Graphs;
import skein.graph.Graph;
import skein.messages.Reply;
import skein.model.DefinitionRef;
import skein.model.SkeinException;

class EndpointTimeoutsTest {
  private final AtomicInteger starts = new AtomicInteger();
  private final Promise<Reply.Done> answer = Promise.promise();
  private final Match match =
      new Match(new DefinitionRef("pay", "pay-v1", 1), "E", "pay", Map.of(), null);

  /** Every definition is looked up with this result. */
  private record LookedUp(Future<@Nullable Graph> version) implements Graphs {
    @Override
    public Future<Graph> published(String definitionId) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<@Nullable Graph> version(String versionId) {
      return version;
    }

    @Override
    public Future<@Nullable Graph> version(String definitionId, int number) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void invalidate(List<String> definitionIds) {
      throw new UnsupportedOperationException();
    }
  }

  private Future<Reply.Done> limit(Future<@Nullable Graph> version) {
    return new EndpointTimeouts(new LookedUp(version))
        .limit(
            match,
            () -> {
              starts.incrementAndGet();
              return answer.future();
            });
  }

  @Test
  void nothing_is_started_when_its_definition_cannot_be_looked_up() {
    Promise<@Nullable Graph> lookUp = Promise.promise();
    var limited = limit(lookUp.future());

    lookUp.fail(SkeinException.storageUnavailable("read it", new IllegalStateException()));

    assertThat(limited.cause()).isInstanceOf(SkeinException.class);
    assertThat(starts).hasValue(0);
  }

  @Test
  void it_is_started_once_and_at_once_when_the_look_up_is_over() {
    var limited = limit(Future.succeededFuture((@Nullable Graph) null));

    assertThat(starts).hasValue(1);
    assertThat(limited.isComplete()).isFalse();
    answer.fail("over");
    assertThat(limited.cause()).hasMessage("over");
  }
}
