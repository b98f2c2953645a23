package skein.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadLinesTest {
  private static final String HEAD = "GET / HTTP/1.1\r\nHost: a\r\nB: c\r\n";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void lines_are_those_of_the_head_in_whatever_pieces_it_comes(int piece) {
    assertThat(lines(HEAD, piece)).isEqualTo(3);
    assertThat(lines(HEAD + "\r\n", piece)).isEqualTo(3);
    assertThat(lines(HEAD + "\r\na\nb\nc\n", piece)).isEqualTo(3);
    assertThat(lines(HEAD.replace("\r", "") + "\na\nb\nc\n", piece)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void empty_lines_may_come_first(int piece) {
    assertThat(lines("\r\n\n" + HEAD, piece)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void of_http_2_it_is_the_line_of_the_preface(int piece) {
    assertThat(lines("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\na\nb\n", piece)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRI / HTTP/1.1\r\n",
        "PRINT / HTTP/1.1\r\n",
        "1 / HTTP/1.1\r\n",
        " \r\n\t\r\n\r\nGET / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\n\r\r\n"
      })
  void no_beginning_hides_the_lines_that_follow(String beginning) {
    assertThat(lines(beginning + "A: b\r\n".repeat(9), 1)).isGreaterThanOrEqualTo(10);
  }

  private static int lines(String text, int piece) {
    var head = new HeadLines();
    int lines = 0;
    for (int at = 0; at < text.length(); at += piece) {
      var part = text.substring(at, Math.min(text.length(), at + piece));
      lines = head.add(Unpooled.wrappedBuffer(part.getBytes(ISO_8859_1)));
    }
    return lines;
  }
}
