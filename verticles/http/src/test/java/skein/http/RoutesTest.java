package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import skein.cluster.Cluster;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.ingress.Keys;
import skein.loop.VertxDelays;
import skein.model.InstanceId;
import skein.openapi.Operation;
import skein.openapi.Tag;
import skein.storage.ChangeLog;
import skein.storage.KeyStore;
import skein.storage.TenantStore;
import skein.storage.TestDatabase;

/** What keeps a server from starting: a route that the table of routes does not have as it is. */
class RoutesTest {
  private static final Action NOTHING = _ -> Future.succeededFuture(Answer.empty(204));
  private static final Operation OPERATION = Operation.of(Tag.CLUSTER, "doThing", "Does a thing");

  private final Router router = Router.router(TestDatabase.vertx());
  private final Routes routes = routes();

  private Routes routes() {
    var database = TestDatabase.unreachable();
    var keys =
        new Keys(
            new VertxDelays(TestDatabase.vertx()),
            new KeyStore(database),
            new Alone(),
            UUID::randomUUID,
            Keys.Options.DEFAULT);
    var listener = new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100);
    return new Routes(
        router,
        JsonLimits.DEFAULT,
        new Readiness(),
        new KeyedCalls(keys, 1 << 20),
        new SameOrigin(Origins.trusted(listener)),
        new AuditedChanges(new ChangeLog(database, "n1")),
        new Routes.Gates(
            new Gate(new ThisThread(), Security.OPEN, Callers.DEFAULT),
            new TenantGate(Tenancy.OFF, new TenantStore(database))));
  }

  private record Alone() implements Cluster {
    @Override
    public Node self() {
      return new Node("n1", "n1", 1);
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return self();
    }

    @Override
    public List<Node> members() {
      return List.of(self());
    }

    @Override
    public void onChange(Runnable listener) {}
  }

  @Test
  void a_route_without_an_entry_in_the_table_is_not_added() {
    var path = "/new/:id/thing";

    assertThatThrownBy(() -> routes.get(path, OPERATION, NOTHING)).hasMessageContaining(path);
    assertThatThrownBy(() -> routes.getThatActs(path, OPERATION, NOTHING))
        .hasMessageContaining(path);
    assertThatThrownBy(() -> routes.post(path, OPERATION, NOTHING)).hasMessageContaining(path);
    assertThatThrownBy(() -> routes.postForSecret(path, OPERATION, NOTHING))
        .hasMessageContaining(path);
    assertThatThrownBy(() -> routes.put(path, OPERATION, NOTHING)).hasMessageContaining(path);
    assertThatThrownBy(() -> routes.delete(path, OPERATION, NOTHING)).hasMessageContaining(path);
    assertThatThrownBy(() -> routes.any(path, OPERATION, NOTHING)).hasMessageContaining(path);
    assertThatThrownBy(() -> routes.always(path, OPERATION, NOTHING)).hasMessageContaining(path);

    assertThat(router.getRoutes()).isEmpty();
    assertThat(routes.described()).isEmpty();
  }

  @Test
  void a_get_that_changes_something_is_not_added_where_its_entry_says_it_only_reads() {
    assertThatThrownBy(() -> routes.getThatActs("/timers", OPERATION, NOTHING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("GET /timers");
    assertThatThrownBy(() -> routes.get("/alterations/workflows/retry", OPERATION, NOTHING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("GET /alterations/workflows/retry");

    assertThat(router.getRoutes()).isEmpty();
  }
}
