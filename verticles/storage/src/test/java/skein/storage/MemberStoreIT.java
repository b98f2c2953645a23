package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.storage.MemberStore.Place;

@ExtendWith(TestDatabase.class)
class MemberStoreIT {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Place A = new Place("here", "10.0.0.1:5701", "a");
  private static final Place B = new Place("here", "10.0.0.2:5701", "b");

  @Test
  void members_of_one_cluster_see_each_other(Database database) {
    var store = new MemberStore(database);
    store.enter(A, LEASE).await();
    store.enter(B, LEASE).await();
    store.enter(new Place("there", "10.0.0.3:5701", "c"), LEASE).await();

    assertThat(store.others(A).await()).containsExactly(B.address());
    assertThat(store.others(B).await()).containsExactly(A.address());
  }

  @Test
  void a_member_whose_lease_is_over_is_not_seen_and_forgotten(Database database) {
    var store = new MemberStore(database);
    store.enter(A, LEASE).await();
    expire(database);

    assertThat(store.others(B).await()).isEmpty();
    store.enter(B, LEASE).await();

    assertThat(count(database)).isEqualTo(1);
  }

  @Test
  void a_member_that_renews_its_own_lease_is_seen_again(Database database) {
    var store = new MemberStore(database);
    store.enter(A, LEASE).await();
    expire(database);

    store.enter(A, LEASE).await();

    assertThat(store.others(B).await()).containsExactly(A.address());
  }

  @Test
  void a_member_that_leaves_does_not_take_its_successor_away(Database database) {
    var store = new MemberStore(database);
    var next = new Place(A.cluster(), A.address(), "next");
    store.enter(A, LEASE).await();
    store.enter(next, LEASE).await();

    store.leave(A).await();
    assertThat(store.others(B).await()).containsExactly(A.address());
    store.leave(next).await();

    assertThat(store.others(B).await()).isEmpty();
  }

  @Test
  void the_first_secret_is_everybodys(Database database) {
    var store = new MemberStore(database);
    var asked =
        IntStream.range(0, 20)
            .mapToObj(i -> store.secret("here", ("" + i % 10).repeat(64)))
            .toList();
    Future.all(asked).await();

    assertThat(asked.stream().map(Future::result).distinct()).hasSize(1);
    assertThat(store.secret("here", "x".repeat(64)).await()).isEqualTo(asked.getFirst().result());
    assertThat(store.secret("there", "x".repeat(64)).await()).isEqualTo("x".repeat(64));
  }

  @Test
  void nobody_else_may_read_the_secret(Database database) {
    var rows =
        database
            .run(
                "look",
                "select coalesce(array_length(relacl, 1), 1) from pg_class where oid ="
                    + " 'cluster_secrets'::regclass",
                Tuple.tuple())
            .await();

    assertThat(rows.iterator().next().getInteger(0)).as("roles that may").isEqualTo(1);
  }

  private static void expire(Database database) {
    database
        .run(
            "age",
            "update cluster_members set expires_at = clock_timestamp() - interval '1 second'",
            Tuple.tuple())
        .await();
  }

  private static long count(Database database) {
    return database.run("count", "select 1 from cluster_members", Tuple.tuple()).await().size();
  }
}
