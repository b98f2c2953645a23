package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.codecs.BadBytesException;
import skein.codecs.Format;
import skein.messages.Command;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;

class OrderBytesTest {
  private static final UUID ID = new UUID(-1, 2);
  private static final InstanceId INSTANCE = new InstanceId("i1");

  @Test
  void an_order_is_read_with_all_that_belongs_to_it() {
    assertThat(sent(order(new Command.Cancel(INSTANCE), null)))
        .isEqualTo(order(new Command.Cancel(INSTANCE), null));
    for (var order : orders()) {
      assertThat(sent(order)).isEqualTo(order);
      assertThat(sent(order.again())).isEqualTo(order.again());
      assertThat(sent(order.inPlace())).isEqualTo(order.inPlace());
    }
  }

  @Test
  void what_is_cut_off_anywhere_is_refused() {
    for (var order : orders()) {
      var whole = bytes(order);
      for (int length = 0; length < whole.length; length++) {
        var cut = Arrays.copyOf(whole, length);
        assertThat(catchThrowable(() -> OrderBytes.read(cut)))
            .isInstanceOfAny(SkeinException.class, BadBytesException.class);
      }
    }
  }

  @Test
  void damaged_bytes_are_refused_or_read_but_nothing_else() {
    var random = new Random(17);
    for (var order : orders()) {
      for (int i = 0; i < 2_000; i++) {
        var bytes = bytes(order);
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        var thrown = catchThrowable(() -> OrderBytes.read(bytes));
        if (thrown != null) {
          assertThat(thrown).isInstanceOfAny(SkeinException.class, BadBytesException.class);
        }
      }
    }
  }

  @Test
  void a_length_beyond_the_bytes_is_refused_before_anything_is_allocated() {
    var bytes = Buffer.buffer().appendByte((byte) 4).appendLong(1).appendLong(2).appendInt(1 << 30);

    assertThatThrownBy(() -> OrderBytes.read(bytes.getBytes()))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
  }

  @Test
  void what_only_a_newer_node_knows_is_left_to_it() {
    var bytes = bytes(orders().getFirst());
    bytes[0] |= 64;

    assertThatThrownBy(() -> OrderBytes.read(bytes))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NEWER_FORMAT));
  }

  private static List<Order> orders() {
    var request = new StartRequest(Map.of(), Labels.NONE, null, null, null);
    var start = new Command.Start(INSTANCE, "D", null, request, false, true);
    var mint =
        new Command.MintToken(
            new BookmarkId(INSTANCE, 7), Duration.ofHours(1), "kim", new UUID(3, 4));
    return List.of(
        order(new Command.Cancel(INSTANCE), "tenant|POST|ключ"),
        order(start.with(Map.of("Größe", 1L, "list", List.of("a", true))), "k"),
        order(mint, null));
  }

  private static Order order(Command command, @Nullable String key) {
    return new Order(command, ID, Delivery.REMOTE, key, false);
  }

  private static byte[] bytes(Order order) {
    return OrderBytes.write(order, Format.newest());
  }

  private static Order sent(Order order) {
    return OrderBytes.read(bytes(order));
  }
}
