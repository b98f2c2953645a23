package skein.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class UlidTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00.123Z");

  @Test
  void the_time_comes_first_and_the_randomness_after_it() {
    assertThat(Ulid.of(Instant.EPOCH, 0, 0)).isEqualTo("0".repeat(26));
    assertThat(Ulid.of(Instant.ofEpochMilli(33), 0, 0)).isEqualTo("0000000011" + "0".repeat(16));
    assertThat(Ulid.of(Instant.EPOCH, 1, 0)).isEqualTo("0".repeat(17) + "1" + "0".repeat(8));
    assertThat(Ulid.of(Instant.EPOCH, -1, -1)).isEqualTo("0".repeat(10) + "z".repeat(16));
  }

  @Test
  void what_is_made_later_is_sorted_later() {
    assertThat(Ulid.of(AT.plusMillis(1), 0, 0)).isGreaterThan(Ulid.of(AT, -1, -1));
  }

  @Test
  void an_id_of_an_instance_may_be_one() {
    assertThat(InstanceId.isValid(Ulid.of(AT, 123_456_789, 987_654_321))).isTrue();
    assertThat(InstanceId.isValid("x".repeat(36))).isTrue();
    assertThat(InstanceId.isValid("x".repeat(37))).isFalse();
    assertThat(InstanceId.isValid("")).isFalse();
    assertThat(InstanceId.isValid("azAZ09_-")).isTrue();
    assertThat(InstanceId.isValid("a`")).isFalse();
    assertThat(InstanceId.isValid("a{")).isFalse();
    assertThat(InstanceId.isValid("a@")).isFalse();
    assertThat(InstanceId.isValid("a[")).isFalse();
    assertThat(InstanceId.isValid("a/")).isFalse();
    assertThat(InstanceId.isValid("a:")).isFalse();
  }
}
