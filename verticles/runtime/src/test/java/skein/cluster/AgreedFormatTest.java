package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import skein.codecs.Format;

class AgreedFormatTest {
  private final AgreedFormat format = new AgreedFormat();

  @Test
  void before_the_first_look_nothing_is_written_that_any_node_could_not_read() {
    assertThat(format.written()).isEqualTo(Format.oldestWritten());
    assertThat(format.anyNewer()).isFalse();
  }

  @Test
  void the_node_that_reads_least_decides_what_is_written() {
    format.seen(Format.newest(), Format.newest() + 1);

    assertThat(format.written()).isEqualTo(Format.newest());
    assertThat(format.anyNewer()).isTrue();
  }

  @Test
  void nobody_writes_what_he_does_not_know() {
    format.seen(Format.newest() + 5, Format.newest() + 5);

    assertThat(format.written()).isEqualTo(Format.newest());
  }
}
