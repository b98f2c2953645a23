package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;

class ClusterSizeTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Members cluster = new Members();
  private long nanos;

  private ClusterSize size(int min) {
    return new ClusterSize(cluster, min, GRACE, () -> nanos);
  }

  private void after(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void one_that_is_left_alone_says_so_once_that_lasts_and_until_others_are_back() {
    var size = size(1);
    cluster.are(3);
    cluster.are(1);
    after(GRACE);
    assertThat(size.trouble()).isNull();

    after(Duration.ofSeconds(1));
    assertThat(size.trouble()).isEqualTo("This node sees 1 member for 31000 ms now; it has seen 3");

    cluster.are(2);
    assertThat(size.trouble()).isNull();
    cluster.are(1);
    after(Duration.ofSeconds(29));
    assertThat(size.trouble()).isNull();
  }

  @Test
  void one_that_was_always_alone_is_no_trouble_unless_more_are_demanded() {
    var alone = size(1);
    var demanding = size(2);
    after(Duration.ofHours(1));

    assertThat(alone.trouble()).isNull();
    assertThat(demanding.trouble()).contains("1 member ", "cluster.size-min is 2");
  }

  @Test
  void fewer_than_are_demanded_are_told_though_they_are_several() {
    var size = size(3);
    cluster.are(3);
    after(Duration.ofMinutes(1));
    cluster.are(2);
    after(Duration.ofSeconds(20));
    cluster.are(1);
    after(Duration.ofSeconds(20));

    assertThat(size.trouble())
        .isEqualTo(
            "This node sees 1 member for 40000 ms now; it has seen 3, cluster.size-min is 3");
    cluster.are(4);
    assertThat(size.trouble()).isNull();
  }

  /** So many of them. */
  private static final class Members implements Cluster {
    private final Node self = new Node("0", "n0", 1);
    private final List<Runnable> listeners = new ArrayList<>();
    private List<Node> all = List.of(self);

    void are(int number) {
      all = IntStream.range(0, number).mapToObj(i -> new Node("" + i, "n" + i, 1)).toList();
      listeners.forEach(Runnable::run);
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
      return all;
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }
  }
}
