package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Bodies that come byte by byte, as a client may send them. */
class RequestBodiesTest {
  private static final int FILE_BYTES = 20_000;

  private final MultiMap headers = MultiMap.caseInsensitiveMultiMap();
  private final MultiMap fields = MultiMap.caseInsensitiveMultiMap();
  private final Map<Object, Object> ofContext = new HashMap<>();
  private @Nullable Throwable failure;
  private boolean read;
  private Handler<Buffer> chunks = _ -> {};
  private Handler<Void> end = _ -> {};

  private final HttpServerRequest request =
      made(
          HttpServerRequest.class,
          (request, method, arguments) ->
              switch (method.getName()) {
                case "headers" -> headers;
                case "getHeader" -> headers.get(String.valueOf(arguments[0]));
                case "method" -> HttpMethod.POST;
                case "version" -> HttpVersion.HTTP_1_1;
                case "formAttributes" -> fields;
                case "exceptionHandler" -> request;
                case "handler" -> {
                  chunks = handler(arguments[0]);
                  yield request;
                }
                case "endHandler" -> {
                  end = handler(arguments[0]);
                  yield request;
                }
                default -> throw new UnsupportedOperationException(method.getName());
              });
  private final RoutingContext context =
      made(
          RoutingContext.class,
          (context, method, arguments) ->
              switch (method.getName()) {
                case "get" -> ofContext.get(arguments[0]);
                case "put" -> {
                  ofContext.put(arguments[0], arguments[1]);
                  yield context;
                }
                case "request" -> request;
                case "addEndHandler" -> 0;
                case "failed" -> failure != null;
                case "fail" -> {
                  failure = (Throwable) arguments[0];
                  yield null;
                }
                case "next" -> {
                  read = true;
                  yield null;
                }
                default -> throw new UnsupportedOperationException(method.getName());
              });

  private static <T> T made(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @SuppressWarnings("unchecked") // as the methods of the request say
  private static <T> Handler<T> handler(Object argument) {
    return (Handler<T>) argument;
  }

  private void sendByteByByte(String body) {
    for (byte one : body.getBytes(StandardCharsets.UTF_8)) {
      chunks.handle(Buffer.buffer(new byte[] {one}));
    }
    end.handle(null);
  }

  @Test
  void the_decoder_of_parts_is_given_few_pieces() {
    headers.set("Content-Type", "multipart/form-data; boundary=b");
    var pieces = new ArrayList<Integer>();
    var form = new Multipart.Limits(10, 1_000_000);
    Multipart.read(context, form, (_, _, _) -> piece -> pieces.add(piece.length()));

    sendByteByByte(
        "--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n"
            + "é".repeat(5_000)
            + "\r\n--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\n\r\n"
            + "x".repeat(FILE_BYTES)
            + "\r\n--b--\r\n");

    assertThat(failure).isNull();
    assertThat(read).isTrue();
    assertThat(fields.get("text")).isEqualTo("é".repeat(5_000));
    assertThat(pieces).hasSizeLessThan(2 * FILE_BYTES / ChunkBuffer.BYTES_MIN + 4);
    assertThat(pieces.stream().mapToInt(Integer::intValue).sum()).isEqualTo(FILE_BYTES);
  }

  @Test
  void a_form_is_decoded_when_all_of_it_is_there() {
    headers.set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8");
    headers.set("Transfer-Encoding", "chunked");
    new Bodies(Bodies.LIMIT, 100_000).handle(context);

    sendByteByByte("a=1+%2B&b=%C3%BC&&c&a=2=3&d=" + "x".repeat(9_000) + "\r\n");

    assertThat(failure).isNull();
    assertThat(read).isTrue();
    assertThat(fields.getAll("a")).isEqualTo(List.of("1 +", "2=3"));
    assertThat(fields.get("b")).isEqualTo("ü");
    assertThat(fields.get("c")).isEmpty();
    assertThat(fields.get("d")).hasSize(9_000);
    assertThat(Bodies.of(context)).asString().startsWith("a=1+%2B&b=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=%zz", "a=%", "a=1&%4=x"})
  void a_form_that_cannot_be_read_is_refused(String form) {
    headers.set("Content-Type", "application/x-www-form-urlencoded");
    headers.set("Transfer-Encoding", "chunked");
    new Bodies(Bodies.LIMIT, 100_000).handle(context);

    sendByteByByte(form);

    assertThat(read).isFalse();
    assertThat(failure)
        .isInstanceOfSatisfying(
            SkeinException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
  }

  @Test
  void a_body_of_no_bytes_is_not_waited_for() {
    headers.set("Content-Length", "0");
    new Bodies(Bodies.LIMIT, 100_000).handle(context);

    assertThat(read).isTrue();
    assertThat(Bodies.of(context)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"Content-Length, 1", "Content-Length, 00", "Transfer-Encoding, chunked"})
  void any_other_body_is_waited_for(String name, String value) {
    headers.set(name, value);
    new Bodies(Bodies.LIMIT, 100_000).handle(context);

    assertThat(read).isFalse();
    sendByteByByte("1");
    assertThat(read).isTrue();
    assertThat(Bodies.of(context)).asString().isEqualTo("1");
  }

  @Test
  void of_a_form_with_too_many_fields_none_more_is_taken() {
    var form = "a&".repeat(1_000).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> UrlEncodedForm.read(form, 999, fields))
        .hasMessageContaining("more than 999 fields");
    assertThat(fields.getAll("a")).hasSize(999);
  }
}
