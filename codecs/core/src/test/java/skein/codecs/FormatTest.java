package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FormatTest {
  @Test
  void what_is_written_is_what_the_reader_reads_as_far_as_this_version_writes_it() {
    assertThat(Format.writtenFor(Format.newest())).isEqualTo(Format.newest());
    assertThat(Format.writtenFor(Format.newest() + 1)).isEqualTo(Format.newest());
    assertThat(Format.writtenFor(0)).isEqualTo(Format.oldestWritten());
  }

  @Test
  void bytes_begin_with_the_version_they_were_asked_for() {
    for (int version = Format.oldestWritten(); version <= Format.newest(); version++) {
      assertThat(InstanceCodec.encode(Samples.full2(), version)[0]).isEqualTo((byte) version);
      for (var command : Samples.commands2()) {
        assertThat(MessageBytes.encode(command, version)[0]).isEqualTo((byte) version);
      }
    }
  }
}
