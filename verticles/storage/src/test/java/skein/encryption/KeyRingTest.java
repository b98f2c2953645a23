package skein.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.model.SkeinException;

class KeyRingTest {
  private static final DataKey KEY = new DataKey(7, "k".repeat(32).getBytes(UTF_8));
  private static final List<MasterKey> MASTER = MasterKey.parse(base64("m".repeat(32)));

  private final KeyRing ring = new KeyRing();

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** Never changed: what was written once is read for ever. */
  @Test
  void what_was_written_is_read() {
    ring.set(Map.of(7, KEY), null);
    var envelope = "ee0000000773fb5ac2dd39693ce113d10632318acb701716a416ce6f4d38d40c2f0bbd25983c";
    var wrapped =
        "198348cceb23bd7e0e1a0b676841c58da5892fc56b74819a5803ca8919c03bf5"
            + "a529c7d217733a985a98b49ea3a2657f9b0317d1ff1a499cf34a7b69";

    var opened = ring.open("i1", "state of revision 1", HexFormat.of().parseHex(envelope));
    var unwrapped =
        MasterKey.unwrap(
            new WrappedKey(7, "481dab0927c8c7f1", HexFormat.of().parseHex(wrapped)), MASTER);

    assertThat(new String(opened, UTF_8)).isEqualTo("hello");
    assertThat(unwrapped).isNotNull();
    assertThat(unwrapped.secret()).isEqualTo(KEY.secret());
  }

  @Test
  void every_bit_of_an_envelope_counts() {
    ring.set(Map.of(7, KEY), KEY);
    var sealer = ring.sealer("i1");
    assertThat(sealer).isNotNull();
    var envelope = sealer.seal("here", "value".getBytes(UTF_8));

    for (int bit = 0; bit < envelope.length * 8; bit++) {
      var changed = envelope.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      boolean isMark = bit < 8;
      if (isMark) {
        assertThat(KeyRing.isSealed(changed)).isFalse();
      } else {
        assertThatThrownBy(() -> ring.open("i1", "here", changed))
            .isInstanceOf(SkeinException.class);
      }
    }
  }

  @Test
  void equal_values_are_not_equal_when_they_are_encrypted() {
    ring.set(Map.of(7, KEY), KEY);
    var sealed = new HashSet<String>();
    for (int i = 0; i < 1_000; i++) {
      var sealer = ring.sealer("i1");
      assertThat(sealer).isNotNull();
      sealed.add(HexFormat.of().formatHex(sealer.seal("here", new byte[16])));
    }

    assertThat(sealed).hasSize(1_000);
  }

  @Test
  void a_data_key_is_unwrapped_at_its_number_and_by_its_master_key_alone() {
    var wrapped = MASTER.getFirst().newKey(3);
    var moved = new WrappedKey(4, wrapped.masterKeyId(), wrapped.bytes());
    var other = MasterKey.parse(base64("o".repeat(32)));

    assertThat(MasterKey.unwrap(wrapped, MASTER)).isNotNull();
    assertThat(MasterKey.unwrap(moved, MASTER)).isNull();
    assertThat(MasterKey.unwrap(wrapped, other)).isNull();
  }

  @Test
  void a_master_key_that_is_none_is_not_quoted() {
    for (var line : List.of("hunter2-hunter2-hunter2", base64("short"), base64("l".repeat(33)))) {
      assertThatThrownBy(() -> MasterKey.parse(line))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("32 bytes in Base64")
          .hasMessageNotContaining(line);
    }
    assertThat(MASTER.getFirst().toString()).doesNotContain(base64("m".repeat(32)));
  }
}
