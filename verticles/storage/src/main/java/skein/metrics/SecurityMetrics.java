package skein.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of authenticated and refused callers of a node. Thread-safe. */
public final class SecurityMetrics {
  /** Why a caller was not authenticated. */
  public enum Refusal {
    /** A name and a password that do not belong together. */
    PASSWORD("password"),
    /** A user who came back from an OpenID provider, and was not signed in. */
    PROVIDER("provider"),
    /** A refresh token that is not valid, or was used before. */
    REFRESH_TOKEN("refresh_token"),
    /** A bearer token that is not valid. */
    BEARER("bearer"),
    /** An API key that is not valid. */
    API_KEY("api_key"),
    /** A certificate that is not valid any more. */
    CERTIFICATE("certificate"),
    /** Nothing, or nothing that could be used, was brought. */
    NO_CREDENTIAL("no_credential"),
    /** It is known who it is, and they lack a permission. */
    FORBIDDEN("forbidden"),
    /** Too many at once from one address. */
    THROTTLED("throttled");

    private final String label;

    Refusal(String label) {
      this.label = label;
    }

    /** As in the exposition. */
    public String label() {
      return label;
    }
  }

  private final Map<Refusal, LongAdder> refused = new EnumMap<>(Refusal.class);
  private final LongAdder signIns = new LongAdder();

  public SecurityMetrics() {
    for (var why : Refusal.values()) {
      refused.put(why, new LongAdder());
    }
  }

  public void refused(Refusal why) {
    counter(why).increment();
  }

  public long refusals(Refusal why) {
    return counter(why).sum();
  }

  /** By name and password, or at an OpenID provider. */
  public LongAdder signIns() {
    return signIns;
  }

  private LongAdder counter(Refusal why) {
    var counter = refused.get(why);
    if (counter == null) {
      throw new IllegalStateException("No counter of " + why);
    }
    return counter;
  }
}
