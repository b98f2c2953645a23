package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

class ResumeTokenTest {
  private final Random random = new Random(7);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "i1",
        "order-4711",
        "abcdefghijklmnopqrstuvwxyz1",
        "0123456789abcdef0123456789abcdef",
        "01234567-89ab-cdef-0123-456789abcdef",
        "t01234567-89abcdef0123456789abcdef01"
      })
  void a_token_names_the_bookmark_that_it_was_made_for(String instanceId) {
    for (int number : new int[] {1, 65_536, Integer.MAX_VALUE}) {
      var bookmark = new BookmarkId(new InstanceId(instanceId), number);

      var token = ResumeToken.make(bookmark, secret());

      assertThat(token).matches("[A-Za-z0-9_-]{30,64}");
      assertThat(ResumeToken.bookmark(token)).isEqualTo(bookmark);
    }
  }

  @Test
  void two_tokens_of_one_bookmark_have_nothing_in_common() {
    var bookmark = new BookmarkId(new InstanceId("i1"), 1);

    assertThat(ResumeToken.make(bookmark, secret()))
        .isNotEqualTo(ResumeToken.make(bookmark, secret()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"})
  void what_is_no_token_is_refused(String text) {
    assertThatExceptionOfType(SkeinException.class)
        .isThrownBy(() -> ResumeToken.bookmark(text))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TOKEN_INVALID));
  }

  @Test
  void an_id_that_is_too_long_has_no_tokens() {
    var bookmark = new BookmarkId(new InstanceId("abcdefghijklmnopqrstuvwxyz12"), 1);

    assertThatExceptionOfType(SkeinException.class)
        .isThrownBy(() -> ResumeToken.make(bookmark, secret()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ID));
  }

  private byte[] secret() {
    var secret = new byte[ResumeToken.SECRET_BYTES];
    random.nextBytes(secret);
    return secret;
  }
}
