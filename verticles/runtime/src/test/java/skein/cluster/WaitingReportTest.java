package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.cluster.WaitingCommands.Reason;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;

class WaitingReportTest {
  private static final Cluster.Node A = new Cluster.Node("id-a", "a", 1);
  private static final Cluster.Node B = new Cluster.Node("id-b", "b", 1);

  private static WaitingCommands commands(String id, int count, long waitedMs) {
    return new WaitingCommands(
        new InstanceId(id), count, Duration.ofMillis(waitedMs), Reason.COMMANDS);
  }

  @Test
  void the_instances_with_the_most_commands_come_first_and_no_more_than_the_bound() {
    var all = new ArrayList<WaitingCommands>();
    for (int count = 1; count <= 30; count++) {
      all.add(commands("i" + count, count, 5));
    }
    all.add(commands("longest", 30, 7));

    assertThat(WaitingReport.most(all))
        .hasSize(WaitingReport.INSTANCES_MAX)
        .startsWith(commands("longest", 30, 7), commands("i30", 30, 5), commands("i29", 29, 5))
        .endsWith(commands("i12", 12, 5));
  }

  @Test
  void what_nodes_answer_is_put_together_and_silent_ones_are_named() {
    var answers =
        List.of(
            answer(A, "{'id': 'few', 'count': 1, 'waitedMs': 9, 'reason': 'LOCK'}"),
            answer(B, "{'id': 'many', 'count': 4, 'waitedMs': 3, 'reason': 'COMMANDS'}"),
            new Inquiries.Answer(
                B, new JsonObject(), new Reply.Refused(ErrorCode.TIMEOUT, "late", List.of())));

    var report = WaitingReport.read(answers);

    assertThat(report.instances())
        .containsExactly(
            new WaitingReport.OfNode(B, commands("many", 4, 3)),
            new WaitingReport.OfNode(
                A,
                new WaitingCommands(new InstanceId("few"), 1, Duration.ofMillis(9), Reason.LOCK)));
    assertThat(report.silent()).containsExactly(new LockReport.Silent(B, "late"));
  }

  private static Inquiries.Answer answer(Cluster.Node node, String commands) {
    return new Inquiries.Answer(
        node, new JsonObject("{'instances': [%s]}".formatted(commands).replace('\'', '"')), null);
  }
}
