package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.messages.Reply;
import skein.model.Counters;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class InstanceCodecTest {
  @Test
  void version_1_is_read_for_ever() throws IOException {
    assertThat(InstanceCodec.decode(golden("instance-1.bin"), 9_000_000_000L))
        .isEqualTo(Samples.full());
  }

  @Test
  void version_2_is_read_for_ever_and_written_as_it_always_was() throws IOException {
    assertThat(InstanceCodec.decode(golden("instance-2.bin"), 9_000_000_000L))
        .isEqualTo(Samples.full2());
    assertThat(InstanceCodec.encode(Samples.full2())).isEqualTo(golden("instance-2.bin"));
  }

  @Test
  void an_instance_survives_its_bytes() {
    var values = new RandomValues(new Random(42));
    for (int i = 0; i < 1_000; i++) {
      var instance = values.instance();

      var decoded = InstanceCodec.decode(InstanceCodec.encode(instance), instance.revision());

      assertThat(decoded).isEqualTo(instance);
    }
  }

  @Test
  void the_tenant_survives_and_a_state_of_the_default_tenant_has_not_a_byte_of_it() {
    var owned = Samples.full2().of("acme");

    var bytes = InstanceCodec.encode(owned);

    assertThat(InstanceCodec.decode(bytes, owned.revision())).isEqualTo(owned);
    assertThat(InstanceCodec.encode(owned.of(""))).isEqualTo(InstanceCodec.encode(Samples.full2()));
    assertThat(bytes).hasSizeGreaterThan(InstanceCodec.encode(Samples.full2()).length);
    assertThatThrownBy(() -> InstanceCodec.decode(Arrays.copyOf(bytes, bytes.length - 1), 1))
        .isInstanceOf(BadBytesException.class);
  }

  @Test
  void the_revision_is_the_one_of_the_row() {
    var decoded = InstanceCodec.decode(InstanceCodec.encode(Samples.small()), 77);

    assertThat(decoded.revision()).isEqualTo(77);
  }

  @Test
  void a_small_suspended_instance_takes_less_than_400_bytes() {
    assertThat(InstanceCodec.encode(Samples.small())).hasSizeLessThan(400);
  }

  @Test
  void what_a_state_takes_in_memory_is_estimated_by_its_values_not_by_its_bytes() {
    int count = 1_000;
    var maps = Collections.nCopies(count, Map.of("a", 1L));
    var text = "x".repeat(100_000);

    assertThat(heapBytes(List.of())).isLessThan(8_000);
    assertThat(heapBytes(maps) - heapBytes(List.of())).isBetween(170L * count, 400L * count);
    assertThat(heapBytes(text) - heapBytes(List.of())).isBetween(99_000L, 101_000L);
    assertThat(heapBytes(Collections.nCopies(count, List.of()))).isGreaterThan(24L * count);
    assertThat(heapBytes("\u20AC".repeat(100_000))).isGreaterThan(200_000);
    assertThat(heapBytes("\uD800".repeat(100_000))).isGreaterThan(200_000);
  }

  @Test
  void a_status_is_a_constant_that_takes_no_memory_of_a_state() {
    var running = with(WorkflowStatus.Running, List.of());
    var suspended = with(WorkflowStatus.Suspended, List.of());

    assertThat(heapBytesOf(running)).isEqualTo(heapBytesOf(suspended));
    assertThat(InstanceCodec.encode(running))
        .hasSizeLessThan(InstanceCodec.encode(suspended).length);
  }

  @Test
  void a_state_that_is_too_large_is_refused_before_it_is_written_to_its_end() {
    var written = new AtomicInteger();
    var copies =
        new AbstractList<String>() {
          @Override
          public String get(int index) {
            written.incrementAndGet();
            return "x".repeat(10_000);
          }

          @Override
          public int size() {
            return 1_000_000;
          }
        };

    assertTooLarge(withInput(copies), 50_000);
    assertThat(written).hasValueLessThan(20);
  }

  @Test
  void a_state_may_have_as_many_bytes_as_it_may_and_not_one_more() {
    for (int chars = 1_000; chars < 1_050; chars++) {
      var instance = withInput("x".repeat(chars));
      int length = InstanceCodec.encode(instance).length;

      assertThat(InstanceCodec.measured(instance, Format.newest(), length).bytes()).hasSize(length);
      assertTooLarge(instance, length - 1);
    }
  }

  private static void assertTooLarge(WorkflowInstance instance, int bytesMax) {
    assertThatThrownBy(() -> InstanceCodec.measured(instance, Format.newest(), bytesMax))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_TOO_LARGE));
    var reply =
        new Reply.Done(
            instance.id(),
            instance.definition(),
            instance.status(),
            instance.revision(),
            null,
            instance);
    assertThatThrownBy(() -> ReplyBytes.encode(reply, bytesMax))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_TOO_LARGE));
  }

  private static long heapBytes(Object value) {
    return heapBytesOf(withInput(value));
  }

  private static long heapBytesOf(WorkflowInstance instance) {
    return InstanceCodec.measured(instance, Format.newest(), Integer.MAX_VALUE).heapBytes();
  }

  private static WorkflowInstance withInput(Object value) {
    return with(Samples.small().status(), value);
  }

  private static WorkflowInstance with(WorkflowStatus status, Object value) {
    var sample = Samples.small();
    return new WorkflowInstance(
        sample.id(),
        sample.definition(),
        status,
        sample.revision(),
        sample.labels(),
        sample.timing(),
        sample.counters(),
        sample.pending(),
        Map.of("x", value),
        sample.output(),
        sample.results(),
        sample.executions(),
        sample.bookmarks(),
        sample.shelved(),
        sample.incidents(),
        sample.fingerprint());
  }

  @Test
  void bytes_cut_off_anywhere_are_refused_with_the_place() {
    var bytes = InstanceCodec.encode(Samples.full());
    for (int length = 0; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);

      var refusal = catchThrowable(() -> InstanceCodec.decode(cut, 1));

      assertThat(refusal).as("cut to %d", length).isInstanceOf(BadBytesException.class);
      assertThat(((BadBytesException) refusal).position()).isBetween(0, length);
    }
  }

  @Test
  void damaged_bytes_are_refused_or_read_but_nothing_else() {
    var random = new Random(3);
    var good = InstanceCodec.encode(Samples.full());
    for (int i = 0; i < 20_000; i++) {
      var bytes = good.clone();
      for (int n = random.nextInt(1, 5); n > 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      var thrown = catchThrowable(() -> InstanceCodec.decode(bytes, 1));
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(BadBytesException.class);
      }
    }
  }

  @Test
  void bytes_too_many_are_refused() {
    var bytes = InstanceCodec.encode(Samples.small());

    assertThatThrownBy(() -> InstanceCodec.decode(Arrays.copyOf(bytes, bytes.length + 2), 1))
        .isInstanceOf(BadBytesException.class)
        .hasMessageContaining("byte " + bytes.length + ": 2 bytes too many");
  }

  @Test
  void a_newer_version_is_refused_by_name() {
    var bytes = InstanceCodec.encode(Samples.small());
    bytes[0] = 3;

    assertThatThrownBy(() -> InstanceCodec.decode(bytes, 1))
        .isInstanceOfSatisfying(BadBytesException.class, e -> assertThat(e.isNewer()).isTrue())
        .hasMessageContaining("format version 3 is newer than 2");
  }

  @Test
  void a_length_past_the_end_is_refused_before_anything_is_allocated() {
    // Version 1, then the head of a string of 2^60 bytes.
    byte[] bytes = {1, -128, -128, -128, -128, -128, -128, -128, -128, 64};

    assertThatThrownBy(() -> InstanceCodec.decode(bytes, 1))
        .isInstanceOf(BadBytesException.class)
        .hasMessageContaining("bytes, but 0 are left");
  }

  @Test
  void a_value_no_reader_takes_back_is_not_written() {
    Object deep = "bottom";
    for (int i = 0; i <= JsonLimits.DEPTH_CEILING; i++) {
      deep = List.of(deep);
    }
    var instance = withInput(Map.of("deep", deep));

    assertThatThrownBy(() -> InstanceCodec.encode(instance))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_DEEP));
  }

  @Test
  void the_deepest_value_that_is_written_is_read() {
    Object deep = "bottom";
    for (int i = 0; i < JsonLimits.DEPTH_CEILING - 1; i++) {
      deep = List.of(deep);
    }
    var instance = withInput(Map.of("deep", deep));

    assertThat(InstanceCodec.decode(InstanceCodec.encode(instance), 1)).isEqualTo(instance);
  }

  @Test
  void repeated_text_is_written_once() {
    var once = InstanceCodec.encode(withInput(Samples.map("a", List.of("a long enough text"))));
    var often = new ArrayList<Object>();
    for (int i = 0; i < 100; i++) {
      often.add("a long enough text");
    }

    assertThat(InstanceCodec.encode(withInput(Samples.map("a", often))))
        .hasSizeLessThan(once.length + 300);
  }

  private static WorkflowInstance withInput(Map<String, @Nullable Object> input) {
    var s = Samples.small();
    return new WorkflowInstance(
        s.id(),
        s.definition(),
        s.status(),
        1,
        s.labels(),
        s.timing(),
        Counters.NONE,
        null,
        input,
        s.output(),
        s.results(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static byte[] golden(String name) throws IOException {
    try (var file = InstanceCodecTest.class.getResourceAsStream(name)) {
      assertThat(file).as(name).isNotNull();
      return file == null ? new byte[0] : file.readAllBytes();
    }
  }
}
