package skein.identity;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.storage.SessionStore.Ended;

/** Where people sign in with a browser: at any number of OpenID providers. Thread-safe. */
public final class BrowserSignIns {
  /** As long as a page may take to fetch its tokens. */
  public static final Duration HANDOVER_MAX = Duration.ofMinutes(1);

  private final List<BrowserSignIn> providers;
  private final SignIn signIn;
  private final SealedTexts sealed;

  BrowserSignIns(List<BrowserSignIn> providers, SignIn signIn, SealedTexts sealed) {
    this.providers = List.copyOf(providers);
    this.signIn = signIn;
    this.sealed = sealed;
  }

  /** All providers in the order in which people are offered them. */
  public List<BrowserSignIn> all() {
    return providers;
  }

  /** {@code issuer}: null is the only one, or the first. */
  public Optional<BrowserSignIn> ofIssuer(@Nullable String issuer) {
    return providers.stream()
        .filter(provider -> issuer == null || issuer.equals(provider.issuer()))
        .findFirst();
  }

  /** The one whose answers come to this address. */
  public Optional<BrowserSignIn> ofKey(String key) {
    return providers.stream().filter(provider -> key.equals(provider.key())).findFirst();
  }

  /**
   * The one that had signed the user in; sessions from before there were several do not name it.
   */
  public Optional<BrowserSignIn> of(Ended ended) {
    return !ended.byProvider() || (ended.issuer() == null && providers.size() > 1)
        ? Optional.empty()
        : ofIssuer(ended.issuer());
  }

  /**
   * The tokens of the page that a person has come back to. Fails with {@link
   * ErrorCode#SIGN_IN_INVALID} for a cookie that gives none, or not any more.
   */
  public Future<SignIn.Tokens> handOver(@Nullable String cookie, String address) {
    var refresh = cookie == null ? null : sealed.open(BrowserSignIn.HANDOVER, cookie);
    if (refresh == null) {
      return Future.failedFuture(BrowserSignIn.invalid("There is no sign-in to answer"));
    }
    return signIn
        .withRefreshToken(refresh, address)
        .map(tokens ->
            Optional.ofNullable(tokens)
                .orElseThrow(
                    () -> BrowserSignIn.invalid("The tokens of this sign-in have been fetched")));
  }
}
