package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class JavaClassesTest {
  private final InternalSerializationService members =
      new DefaultSerializationServiceBuilder().setConfig(MemberConfig.serialization()).build();

  @AfterEach
  void stop() {
    members.dispose();
  }

  /** As a member gets it from one that has written it by Java's serialization. */
  private Object read(Object object) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    var data =
        ByteBuffer.allocate(HeapData.DATA_OFFSET + bytes.size())
            .putInt(0)
            .putInt(SerializationConstants.JAVA_DEFAULT_TYPE_SERIALIZABLE)
            .put(bytes.toByteArray());
    return members.toObject(new HeapData(data.array()));
  }

  /** Each set has the next one twice: reading asks 2^100 times for a hash. */
  private static Set<Object> bomb() {
    var root = new HashSet<>();
    var one = root;
    var other = new HashSet<>();
    root.add(other);
    for (int depth = 0; depth < 100; depth++) {
      var nextOne = new HashSet<>();
      var nextOther = new HashSet<>();
      nextOne.add("not equal");
      one.add(nextOne);
      one.add(nextOther);
      other.add(nextOne);
      other.add(nextOther);
      one = nextOne;
      other = nextOther;
    }
    return root;
  }

  @Test
  void sets_in_sets_are_refused_before_they_are_read() {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () ->
            assertThatThrownBy(() -> read(new BombHolder()))
                .isInstanceOf(HazelcastSerializationException.class)
                .hasRootCauseInstanceOf(SecurityException.class));
  }

  /** What makes it need not ask for hashes. */
  private static final class BombHolder extends ArrayList<Object> {
    private Object writeReplace() {
      return bomb();
    }
  }

  @Test
  void classes_that_no_member_sends_are_refused() {
    for (var object :
        List.of(
            new ArrayList<>(List.of(1)),
            new HashMap<>(),
            new Object[1],
            URI.create("http://localhost"),
            new FailureOfOurs())) {
      assertThatThrownBy(() -> read(object))
          .as(object.getClass().getName())
          .isInstanceOf(HazelcastSerializationException.class)
          .hasRootCauseInstanceOf(SecurityException.class);
    }
  }

  private static final class FailureOfOurs extends RuntimeException {}

  @Test
  void failures_with_their_causes_are_read() throws IOException {
    var failure =
        new ExecutionException(
            "why", new TargetDisconnectedException("who", new IOException("how")));

    var read = (Throwable) read(failure);

    assertThat(read).hasMessage("why").hasRootCauseMessage("how");
    assertThat(read.getStackTrace()).isNotEmpty();
  }
}
