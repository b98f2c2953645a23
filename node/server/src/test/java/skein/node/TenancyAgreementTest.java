package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.model.InstanceId;

class TenancyAgreementTest {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(TenancyAgreement.class);

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Members members = new Members();

  @BeforeEach
  void listen() {
    lines.start();
    LOG.addAppender(lines);
  }

  @AfterEach
  void forget() {
    LOG.detachAppender(lines);
  }

  private List<String> logged() {
    return lines.list.stream()
        .map(line -> line.getMessage() + " " + line.getKeyValuePairs())
        .toList();
  }

  @Test
  void nodes_that_agree_report_nothing() {
    var agreement = new TenancyAgreement(members, true);
    members.differ(List.of());

    assertThat(agreement.trouble()).isNull();
    assertThat(lines.list).isEmpty();
  }

  @Test
  void nodes_with_another_setting_are_named_and_logged_once_for_each_change() {
    var agreement = new TenancyAgreement(members, true);

    members.differ(List.of("n2"));
    members.differ(List.of("n2"));
    assertThat(agreement.trouble())
        .contains("tenancy.enabled is true on this node and false on n2:");
    members.differ(List.of("n2", "n3"));
    assertThat(agreement.trouble()).contains("false on n2, n3:");
    members.differ(List.of());

    assertThat(agreement.trouble()).isNull();
    assertThat(logged()).hasSize(2).allMatch(line -> line.startsWith("cluster.otherTenancy"));
    assertThat(logged().getLast()).contains("n2, n3");
  }

  @Test
  void a_difference_from_before_the_start_is_logged() {
    members.differ(List.of("n1"));

    var agreement = new TenancyAgreement(members, false);

    assertThat(agreement.trouble()).contains("false on this node and true on n1");
    assertThat(logged()).hasSize(1);
  }

  private static final class Members implements Cluster {
    private final Node self = new Node("0", "n0", 1);
    private final List<Runnable> listeners = new ArrayList<>();
    private List<String> others = List.of();

    void differ(List<String> names) {
      others = names;
      listeners.forEach(Runnable::run);
    }

    @Override
    public List<String> membersWithOtherTenancy() {
      return others;
    }

    @Override
    public Node self() {
      return self;
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return self;
    }

    @Override
    public List<Node> members() {
      return List.of(self);
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }
  }
}
