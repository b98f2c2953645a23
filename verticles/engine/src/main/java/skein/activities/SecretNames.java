package skein.activities;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Headers and query parameters that hold credentials, by name in any case, with hyphens or
 * underscores. In a configured name {@code *} stands for any characters. Immutable.
 */
public final class SecretNames {
  /** Shown in place of a credential. */
  public static final String HIDDEN = "***";

  /** Whatever is configured. */
  private static final List<String> ALWAYS =
      List.of(
          "authorization",
          "proxy-authorization",
          "cookie",
          "cookie2",
          "set-cookie",
          "set-cookie2",
          "x-api-key");

  /** Headers that services commonly expect credentials in. */
  public static final List<String> HEADERS =
      List.of(
          "*-authorization",
          "*-token",
          "*-csrftoken",
          "*-accesstoken",
          "api-key",
          "apikey",
          "*-api-key",
          "*-apikey",
          "*-auth-key",
          "*-access-key",
          "*-subscription-key",
          "*-functions-key",
          "*-secret",
          "*-password",
          "*-jwt-assertion",
          "x-amzn-oidc-data");

  /** Query parameters that commonly hold credentials. */
  public static final List<String> PARAMETERS =
      List.of(
          "token",
          "access_token",
          "accesstoken",
          "refresh_token",
          "id_token",
          "auth_token",
          "api_key",
          "apikey",
          "client_secret",
          "client_assertion",
          "password",
          "sig",
          "x-amz-signature",
          "x-amz-security-token",
          "x-goog-signature");

  public static final SecretNames DEFAULT = new SecretNames(HEADERS, PARAMETERS);

  private static final Pattern USER_INFO = Pattern.compile("^([a-zA-Z][a-zA-Z0-9+.-]*://)[^/?#]*@");
  private static final Pattern PARAMETER = Pattern.compile("([?&;])([^=&;#?]++)=([^&;#]*)");

  private final Pattern headers;
  private final Pattern parameters;

  public SecretNames(List<String> headers, List<String> parameters) {
    this.headers = pattern(Stream.concat(ALWAYS.stream(), headers.stream()));
    this.parameters = pattern(parameters.stream());
  }

  private static Pattern pattern(Stream<String> names) {
    var any =
        names
            .map(name ->
                Stream.of(plain(name).split("\\*", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*")))
            .collect(Collectors.joining("|"));
    return Pattern.compile(any.isEmpty() ? "(?!)" : any);
  }

  /** {@code Access_Token} is {@code access-token}. */
  private static String plain(String name) {
    return name.strip().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public boolean isHeader(String name) {
    return headers.matcher(plain(name)).matches();
  }

  public boolean isParameter(String name) {
    return parameters.matcher(plain(name)).matches();
  }

  /** With {@link #HIDDEN} for the values of headers that hold credentials. */
  public @Nullable Object hideHeaders(@Nullable Object given) {
    var named = Json.object(given);
    if (named == null) {
      return given == null || (given instanceof List<?> list && list.isEmpty()) ? given : HIDDEN;
    }
    var shown = new LinkedHashMap<String, @Nullable Object>();
    named.forEach((name, value) -> shown.put(name, isHeader(name) ? HIDDEN : value));
    return Collections.unmodifiableMap(shown);
  }

  /** Without the user of a URL, and with {@link #HIDDEN} for parameters that hold credentials. */
  public String hideInUrl(String url) {
    var hidden = USER_INFO.matcher(url).replaceFirst("$1" + HIDDEN + "@");
    if (hidden.indexOf('=') < 0) {
      return hidden;
    }
    return PARAMETER
        .matcher(hidden)
        .replaceAll(found -> {
          var shown = isParameter(found.group(2)) ? HIDDEN : found.group(3);
          return Matcher.quoteReplacement(found.group(1) + found.group(2) + "=" + shown);
        });
  }

  /**
   * The memory of an execution, as callers may see it: headers of a request that it has ordered are
   * shown without their values; of the work of a custom activity nothing is shown.
   */
  public static Map<String, @Nullable Object> hideInMemory(Map<String, @Nullable Object> memory) {
    var order = Json.object(memory.get(WorkOrder.KEPT));
    if (order != null && WorkOrder.OWN.equals(order.get("kind"))) {
      var shown = new LinkedHashMap<>(memory);
      shown.put(WorkOrder.KEPT, Json.members("kind", WorkOrder.OWN, "request", HIDDEN));
      return Collections.unmodifiableMap(shown);
    }
    var request = order == null ? null : Json.object(order.get("request"));
    if (order == null || request == null) {
      return memory;
    }
    var shownRequest = new LinkedHashMap<>(request);
    shownRequest.computeIfPresent("authorization", (_, _) -> HIDDEN);
    shownRequest.computeIfPresent(
        "headers", (_, headers) -> new SecretNames(List.of("*"), List.of()).hideHeaders(headers));
    shownRequest.computeIfPresent(
        "url", (_, url) -> url instanceof String text ? DEFAULT.hideInUrl(text) : url);
    var shownOrder = new LinkedHashMap<>(order);
    shownOrder.put("request", shownRequest);
    var shown = new LinkedHashMap<>(memory);
    shown.put(WorkOrder.KEPT, shownOrder);
    return Collections.unmodifiableMap(shown);
  }
}
