package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.codecs.MessageCodecs;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

class RouterTest {
  private static final Command COMMAND = new Command.Cancel(new InstanceId("i1"));
  private static final Cluster.Node OWNER = new Cluster.Node("n1", "n1", 1, 2);
  private static final Cluster.Node EQUAL = new Cluster.Node("n2", "n2", 1, 2);
  private static final Cluster.Node NEWER = new Cluster.Node("n3", "n3", 1, 3);
  private static final Cluster.Node IDLE = new Cluster.Node("n4", "n4", 0, 3);

  private final Vertx vertx = Vertx.vertx();
  private final List<String> asked = new ArrayList<>();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void what_the_owner_cannot_read_goes_to_a_node_that_can() {
    serve(OWNER, refusal(ErrorCode.NEWER_FORMAT));
    serve(EQUAL, refusal(ErrorCode.NEWER_FORMAT));
    serve(NEWER, new Reply.Delivered(1, 0, List.of()));

    var reply = router(OWNER, EQUAL, NEWER, IDLE).send(COMMAND).await();

    assertThat(reply).isEqualTo(new Reply.Delivered(1, 0, List.of()));
    assertThat(asked).containsExactly("n1", "n3 in place of the owner");
  }

  @Test
  void without_such_a_node_it_is_refused_at_once() {
    serve(OWNER, refusal(ErrorCode.NEWER_FORMAT));

    assertThatThrownBy(() -> router(OWNER, EQUAL, IDLE).send(COMMAND).await())
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NEWER_FORMAT));
    assertThat(asked).containsExactly("n1");
  }

  @Test
  void other_refusals_of_the_owner_are_final() {
    serve(OWNER, refusal(ErrorCode.ALREADY_RESUMED));
    serve(NEWER, new Reply.Delivered(1, 0, List.of()));

    assertThatThrownBy(() -> router(OWNER, NEWER).send(COMMAND).await())
        .isInstanceOf(SkeinException.class);
    assertThat(asked).containsExactly("n1");
  }

  private static Reply refusal(ErrorCode code) {
    return new Reply.Refused(code, "refused", List.of());
  }

  private void serve(Cluster.Node node, Reply reply) {
    vertx
        .eventBus()
        .<Command>consumer(
            Addresses.execution(node.id(), 0),
            message -> {
              boolean instead = message.headers().contains(Router.IN_PLACE_OF_OWNER);
              asked.add(node.id() + (instead ? " in place of the owner" : ""));
              message.reply(reply);
            })
        .completion()
        .await();
  }

  private Router router(Cluster.Node... nodes) {
    MessageCodecs.register(vertx);
    return new Router(
        vertx,
        new Members(List.of(nodes)),
        new Router.Options(Duration.ofSeconds(5), Duration.ofSeconds(10), false));
  }

  /** The first one owns everything; this node is none of them. */
  private record Members(List<Node> members) implements Cluster {
    @Override
    public Node self() {
      return new Node("self", "self", 0);
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return members.getFirst();
    }

    @Override
    public void onChange(Runnable listener) {}
  }
}
