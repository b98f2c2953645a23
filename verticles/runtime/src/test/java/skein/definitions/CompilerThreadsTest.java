package skein.definitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.activities.Activity;
import skein.activities.ActivityContext;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.graph.CompilerOptions;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;
import skein.storage.DefinitionStore;
import skein.storage.TestDatabase;

class CompilerThreadsTest {
  private final Vertx vertx = Vertx.vertx();

  /** Says on which thread it is compiled. */
  private record Planned(List<String> threads) implements Activity {
    @Override
    public ActivityDescriptor descriptor() {
      return ActivityDescriptor.of("Acme.Planned", "Test", "Is planned.");
    }

    @Override
    public @Nullable Object plan(
        Map<String, @Nullable Object> json,
        Map<String, List<ActivityNode>> children,
        Consumer<String> problem) {
      threads.add(Thread.currentThread().getName());
      return null;
    }

    @Override
    public void execute(ActivityContext context) {
      context.complete();
    }
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void definitions_are_compiled_and_checked_on_no_event_loop() {
    var threads = new CopyOnWriteArrayList<String>();
    var activities = Activities.builtIn().with(List.of(new Planned(threads)));
    var database = TestDatabase.unreachable();
    var compiler =
        new Compiler(
            new DefinitionStore(database),
            activities,
            CompilerOptions.DEFAULT,
            new CompilerThreads(vertx, 1));
    var json = JsonText.parseObject("{\"root\":{\"type\":\"Acme.Planned\"}}", JsonLimits.DEFAULT);
    var ref = new DefinitionRef("d", "d1", 1);
    var definition = new WorkflowDefinition(ref, null, null, true, true, Instant.EPOCH, json);

    assertThat(compiler.compile(definition).await().problems()).isEmpty();
    assertThat(compiler.check(definition).await().findings()).isEmpty();

    assertThat(threads).hasSize(2);
    assertThat(threads.getFirst()).startsWith("skein-compiler");
    assertThat(threads.getLast()).startsWith("skein-checks");
    database.close().await();
  }

  @Test
  void checks_beyond_a_number_are_refused_and_what_runs_is_compiled_beside_them() {
    var threads = new CompilerThreads(vertx, 1, 2);
    var open = new CountDownLatch(1);
    var first =
        threads.check(() -> {
          open.await();
          return 1;
        });
    var second = threads.check(() -> 2);

    assertThatThrownBy(() -> threads.check(() -> 3).await())
        .hasMessageContaining("checks of definitions (limit 2)");
    assertThat(threads.compile(() -> 4).await()).isEqualTo(4);

    open.countDown();
    assertThat(first.await()).isEqualTo(1);
    assertThat(second.await()).isEqualTo(2);
    assertThat(threads.check(() -> 5).await()).isEqualTo(5);
  }
}
