package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

class CallTest {
  private final Map<Object, Object> ofContext = new HashMap<>();
  private final HttpServerRequest request =
      made(
          HttpServerRequest.class,
          (_, method, _) ->
              method.getReturnType() == MultiMap.class ? MultiMap.caseInsensitiveMultiMap() : null);
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
                default -> throw new UnsupportedOperationException(method.getName());
              });

  private static <T> T made(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Call call() {
    return new Call(context, JsonLimits.DEFAULT, Callers.DEFAULT);
  }

  /** It takes the event loop's time in proportion to its size. */
  @Test
  void a_body_is_read_once_however_often_it_is_asked_for() {
    ofContext.put(Bodies.KEY, "{\"a\":[1]}".getBytes(StandardCharsets.UTF_8));

    var body = call().body();

    assertThat(body).isEqualTo(JsonText.parseObject("{\"a\":[1]}", JsonLimits.DEFAULT));
    assertThat(call().body()).isSameAs(body);
    assertThat(call().largeBody(JsonLimits.DEFAULT).result()).isSameAs(body);
    assertThatThrownBy(() -> body.put("b", 2L)).isInstanceOf(UnsupportedOperationException.class);
  }
}
