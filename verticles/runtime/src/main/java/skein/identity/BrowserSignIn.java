package skein.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.metrics.SecurityMetrics.Refusal;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.SessionStore.Whose;

/**
 * Signs people in at an OpenID provider, by the authorization code flow with PKCE. The cluster is
 * the client; browsers carry what belongs to one attempt sealed, so that any node may continue it,
 * and never see the provider's tokens. Thread-safe.
 *
 * @see <a href="https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowAuth">OpenID Connect
 *     Core 1.0, 3.1</a>
 */
public final class BrowserSignIn {
  /** As long as a person may take at the provider. */
  public static final Duration ATTEMPT_MAX = Duration.ofMinutes(10);

  private static final String ATTEMPT = "attempt";

  /** The cookie for which a page gets its tokens. */
  static final String HANDOVER = "handover";

  private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");

  /** Errors of the authorization endpoint that say nothing about the person: RFC 6749, 4.1.2.1. */
  private static final Set<String> OUTAGES = Set.of("server_error", "temporarily_unavailable");

  private final OpenIdClient client;
  private final KnownProvider provider;
  private final ProviderCalls calls;
  private final IdTokens idTokens;
  private final SignIn signIn;
  private final SealedTexts sealed;
  private final InstantSource clock;

  BrowserSignIn(
      OpenIdClient client,
      KnownProvider provider,
      ProviderCalls calls,
      IdTokens idTokens,
      SignIn signIn,
      SealedTexts sealed,
      InstantSource clock) {
    this.client = client;
    this.provider = provider;
    this.calls = calls;
    this.idTokens = idTokens;
    this.signIn = signIn;
    this.sealed = sealed;
    this.clock = clock;
  }

  /**
   * @param location where the browser is sent
   * @param cookie what it keeps until it comes back
   */
  public record Begun(String location, String cookie) {
    @Override
    public String toString() {
      return "Begun";
    }
  }

  /**
   * What a browser comes back with from the provider.
   *
   * @param cookie what it was given to keep
   * @param issuer who says that it has sent it, as RFC 9207 has it
   */
  public record Returned(
      @Nullable String cookie,
      @Nullable String state,
      @Nullable String code,
      @Nullable String error,
      @Nullable String issuer) {
    @Override
    public String toString() {
      return "Returned";
    }
  }

  /**
   * @param name of the person
   * @param tenant whose they are; empty: of the default tenant
   * @param cookie for which their page gets its tokens, once
   */
  public record Arrived(String name, String tenant, String returnTo, String cookie) {
    @Override
    public String toString() {
      return "Arrived[name=" + name + "]";
    }
  }

  /** The key of the provider in the configuration, and in the address that it sends browsers to. */
  public String key() {
    return client.key();
  }

  /** The name of the provider, as people see it. */
  public String name() {
    return client.name();
  }

  public String issuer() {
    return idTokens.issuer();
  }

  /**
   * Fails with {@link ErrorCode#PROVIDER_UNAVAILABLE}.
   *
   * @param returnTo the page to come back to, of this cluster
   * @param callback where the provider sends the browser, and no other provider
   */
  public Future<Begun> begin(String returnTo, String callback) {
    return provider
        .metadata()
        .map(metadata -> {
          var attempt = SignInAttempt.at(client.key(), returnTo, clock.instant().plus(ATTEMPT_MAX));
          var query = new LinkedHashMap<String, String>();
          query.put("response_type", "code");
          query.put("client_id", client.id());
          query.put("redirect_uri", callback);
          query.put("scope", String.join(" ", client.scopes()));
          query.put("state", attempt.state());
          query.put("nonce", attempt.nonce());
          query.put("code_challenge", base64(Secrets.sha256(attempt.verifier())));
          query.put("code_challenge_method", "S256");
          return new Begun(
              with(metadata.authorization(), query), sealed.seal(ATTEMPT, attempt.text()));
        });
  }

  /**
   * Fails with {@link ErrorCode#SIGN_IN_INVALID} for what does not answer an attempt of this
   * browser, with {@link ErrorCode#FORBIDDEN} for people who may do nothing here, and with {@link
   * ErrorCode#PROVIDER_UNAVAILABLE}.
   *
   * @param callback as {@link #begin} said it
   * @param address of the caller
   */
  public Future<Arrived> finish(Returned returned, String callback, String address) {
    return signIn
        .slowly(
            address,
            () -> {
              var attempt = attempt(returned);
              return provider
                  .metadata()
                  .compose(metadata -> exchanged(metadata, attempt, returned.code(), callback))
                  .compose(
                      token -> idTokens.verify(token, attempt.nonce()).recover(this::untrusted))
                  .compose(person -> arrived(attempt, person));
            })
        .onFailure(e -> {
          if (e instanceof SkeinException refusal
              && refusal.code() != ErrorCode.TOO_MANY_ATTEMPTS) {
            signIn.refused(Refusal.PROVIDER);
          }
        });
  }

  private SignInAttempt attempt(Returned returned) {
    var cookie = returned.cookie();
    var attempt = SignInAttempt.of(cookie == null ? null : sealed.open(ATTEMPT, cookie));
    if (attempt == null || clock.instant().isAfter(attempt.until())) {
      throw invalid(
          "This browser has begun no sign-in here, not at this address, or more than "
              + ATTEMPT_MAX.toMinutes()
              + " minutes ago");
    }
    var state = returned.state();
    if (state == null
        || !MessageDigest.isEqual(state.getBytes(UTF_8), attempt.state().getBytes(UTF_8))) {
      throw invalid("This is the answer to another sign-in");
    }
    boolean same =
        attempt.provider().equals(client.key())
            && (returned.issuer() == null || returned.issuer().equals(issuer()));
    if (!same) {
      throw invalid("This is the answer of another provider");
    }
    if (returned.error() != null) {
      throw refusal(returned.error());
    }
    if (returned.code() == null) {
      throw invalid(client.name() + " has sent no code");
    }
    return attempt;
  }

  /** A provider that cannot sign anybody in now has not refused this person. */
  private SkeinException refusal(String error) {
    return OUTAGES.contains(error)
        ? provider.unusable(
            new IllegalArgumentException("The authorization endpoint answered " + error))
        : invalid(client.name() + " has not signed you in: " + error(error));
  }

  static SkeinException invalid(String why) {
    return new SkeinException(ErrorCode.SIGN_IN_INVALID, why + ": begin again");
  }

  private static String error(String text) {
    return ERROR.matcher(text).matches() ? text : "an error without a name";
  }

  private Future<String> exchanged(
      ProviderMetadata metadata, SignInAttempt attempt, @Nullable String code, String callback) {
    return client
        .secret()
        .now()
        .compose(secret -> exchanged(metadata, form(attempt, code, callback), secret));
  }

  private static Map<String, String> form(
      SignInAttempt attempt, @Nullable String code, String callback) {
    var form = new LinkedHashMap<String, String>();
    form.put("grant_type", "authorization_code");
    form.put("code", code == null ? "" : code);
    form.put("redirect_uri", callback);
    form.put("code_verifier", attempt.verifier());
    return form;
  }

  private Future<String> exchanged(
      ProviderMetadata metadata, Map<String, String> form, String secret) {
    boolean basic = metadata.basic() && !secret.isEmpty();
    if (!basic) {
      form.put("client_id", client.id());
      if (!secret.isEmpty()) {
        form.put("client_secret", secret);
      }
    }
    return calls
        .tokens(metadata.tokens(), form, basic ? basic(secret) : null)
        .recover(e -> Future.failedFuture(provider.unusable(e)))
        .map(this::idToken);
  }

  /** RFC 6749, 2.3.1: both are encoded as a form has them. */
  private String basic(String secret) {
    var both = encoded(client.id()) + ":" + encoded(secret);
    return Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
  }

  private String idToken(JsonObject answer) {
    if (answer.getValue("error") instanceof String error) {
      throw error.equals("invalid_grant")
          ? invalid(client.name() + " does not know the code, or not any more")
          : provider.unusable(
              new IllegalArgumentException("The token endpoint answered " + error(error)));
    }
    if (answer.getValue("id_token") instanceof String token) {
      return token;
    }
    throw provider.unusable(new IllegalArgumentException("The token endpoint sent no id_token"));
  }

  /** Defects of a token that came from the provider itself are for the operator, not the user. */
  private Future<Whose.Person> untrusted(Throwable e) {
    return Future.failedFuture(
        e instanceof SkeinException refusal && refusal.code() != ErrorCode.NOT_READY
            ? refusal
            : provider.unusable(e));
  }

  private Future<Arrived> arrived(SignInAttempt attempt, Whose.Person person) {
    // One session for an attempt, whatever provider and browser send a second time.
    var id = UUID.nameUUIDFromBytes(Secrets.sha256("session:" + attempt.state()));
    return signIn
        .begin(id, person, client.sessionMax())
        .map(refresh -> {
          if (refresh == null) {
            throw invalid("This answer has been used");
          }
          return new Arrived(
              person.name(), person.tenant(), attempt.returnTo(), sealed.seal(HANDOVER, refresh));
        });
  }

  /**
   * Where a browser is sent to sign out at the provider, too; null: the provider has no such place,
   * or does not say it now.
   *
   * @param returnTo where the provider sends it then
   */
  public Future<@Nullable String> signOutUrl(String returnTo) {
    return provider
        .metadata()
        .<@Nullable String>map(metadata ->
            metadata.endSession() == null
                ? null
                : with(
                    metadata.endSession(),
                    Map.of("client_id", client.id(), "post_logout_redirect_uri", returnTo)))
        .otherwise((@Nullable String) null);
  }

  private static String with(String url, Map<String, String> query) {
    return url + (url.indexOf('?') < 0 ? "?" : "&") + form(query);
  }

  private static String form(Map<String, String> values) {
    return values.entrySet().stream()
        .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
