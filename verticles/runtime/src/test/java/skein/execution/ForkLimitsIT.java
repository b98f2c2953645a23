package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.WorkflowStatus;

/** A fork is refused where a start of the same definition would be. */
class ForkLimitsIT {
  private static final String WAITS = "'root':{'type':'Elsa.Event','id':'e','eventName':'go'}";

  private @Nullable OneNode made;

  @AfterEach
  void stop() {
    if (made != null) {
      made.close();
    }
  }

  private OneNode with(OneNode node) {
    made = node;
    return node;
  }

  private static void publish(OneNode node, String tenant, String members) {
    node.publish(tenant, ("{'definitionId':'waits'," + members + "}").replace('\'', '"'));
  }

  /** After its last burst. */
  private static Reply.Done fork(OneNode node, InstanceId source, long sequence) {
    var instance = node.get(source);
    return node.ingress
        .fork(
            new Command.Fork(
                node.ingress.newInstanceId(),
                instance.definition().versionId(),
                new StartRequest(Map.of(), Labels.NONE, null, null, null),
                source,
                sequence,
                Map.of(),
                "kim"))
        .await();
  }

  private static Reply.Done fork(OneNode node, InstanceId source) {
    return fork(node, source, node.instances.journal(source).await().getLast().sequence());
  }

  private static void assertRefused(ErrorCode code, ThrowingCallable fork) {
    assertThatThrownBy(fork)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void forks_count_among_the_unfinished_instances_of_a_definition() {
    var node = with(new OneNode(new InstanceLimit(2)));
    publish(node, "", WAITS);
    var source = node.start("waits");

    var fork = fork(node, source);

    assertThat(fork.status()).isEqualTo(WorkflowStatus.Suspended);
    assertRefused(ErrorCode.TOO_MANY_INSTANCES, () -> fork(node, source));
    node.ingress.cancel(fork.instanceId()).await();
    assertThat(fork(node, source).status()).isEqualTo(WorkflowStatus.Suspended);
  }

  @Test
  void forks_count_among_the_instances_and_starts_of_a_tenant() {
    var node = with(new OneNode(new TenantLimits(Quota.UNLIMITED, Quota.of(1))));
    publish(node, "shop", WAITS);
    var source = node.start("waits");
    assertRefused(ErrorCode.TOO_MANY_INSTANCES, () -> fork(node, source));
    node.close();

    var other = with(new OneNode(new TenantLimits(Quota.of(3), Quota.UNLIMITED)));
    publish(other, "shop", WAITS);
    var again = other.start("waits");
    assertRefused(
        ErrorCode.TOO_MANY_REQUESTS,
        () -> {
          for (int i = 0; i < 100; i++) {
            fork(other, again);
          }
        });
  }

  @Test
  void a_fork_of_a_singleton_is_refused_until_its_source_has_ended() {
    var node = with(new OneNode());
    publish(
        node,
        "",
        "'options':{'activationStrategyType':'Elsa.Workflows.Runtime.SingletonStrategy, X'},"
            + WAITS);
    var source = node.start("waits");
    long sequence = node.instances.journal(source).await().getLast().sequence();
    assertRefused(ErrorCode.ACTIVATION_REFUSED, () -> fork(node, source, sequence));

    node.ingress.cancel(source).await();

    assertThat(fork(node, source, sequence).status()).isEqualTo(WorkflowStatus.Suspended);
  }
}
