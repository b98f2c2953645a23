package skein.node.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import skein.identity.ReservedNames;

/**
 * Who may use the API.
 *
 * @param busCallers whether those who ask on the event bus say who they are
 * @param managementOpen whether health and metrics answer unauthenticated clients
 * @param rememberedMax credentials that were found right, of one event loop
 * @param providers others whose tokens are taken
 * @param certificateRoles of programs, by the common name of their certificate
 */
public record SecurityConfig(
    Mode mode,
    BusCallers busCallers,
    Admin admin,
    Secret signingKey,
    Lifetimes lifetimes,
    boolean managementOpen,
    int rememberedMax,
    Passwords passwords,
    Guesses guesses,
    List<OidcProvider> providers,
    Map<String, String> certificateRoles) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int KEY_CHARS_MIN = 32;
  private static final int PASSWORD_CHARS_MIN = 8;

  public enum Mode {
    /** Callers are not authenticated, and only this machine can connect. */
    LOOPBACK,
    /** Callers are not authenticated. */
    OPEN,
    /** Callers say who they are, and may do what their roles allow. */
    AUTHENTICATED
  }

  /** On the event bus, where callers say who they are. */
  public enum BusCallers {
    /** Any member of the cluster may ask; with a credential it may do what that allows. */
    MEMBERS,
    /** Each message brings a credential. */
    AUTHENTICATED
  }

  /** The first user; {@code password}: empty makes none. */
  public record Admin(String name, Secret password) {}

  /** {@code apiKeyRecheck}: for how long a deleted API key may still be taken. */
  public record Lifetimes(Duration access, Duration refresh, Duration apiKeyRecheck) {}

  /** How they are hashed. */
  public record Passwords(int iterations, int threads, int queueMax) {}

  /** How guesses are slowed down. */
  public record Guesses(
      int free, Duration delay, Duration delayMax, Duration forget, int knownMax, int atOnceMax) {}

  static SecurityConfig from(Settings s) {
    var config =
        new SecurityConfig(
            s.choice("security.mode", Mode.LOOPBACK),
            s.choice("security.bus-callers", BusCallers.MEMBERS),
            new Admin(
                s.text("security.admin-name", "admin"), s.secretOrFile("security.admin-password")),
            s.secretOrFile("security.signing-key"),
            new Lifetimes(
                s.duration("security.access-token-lifetime", "15m", SECOND),
                s.duration("security.refresh-token-lifetime", "8h", SECOND),
                s.duration("security.api-key-recheck", "30s", Duration.ZERO)),
            s.flag("security.management-open", "true"),
            s.integer("security.credentials-max", "10000", 1, 1_000_000),
            new Passwords(
                s.integer("security.password-iterations", "210000", 1000, 10_000_000),
                s.integer("security.password-threads", "2", 1, 100),
                s.integer("security.password-queue-max", "100", 1, 100_000)),
            new Guesses(
                s.integer("security.guesses-free", "5", 1, 1_000),
                s.duration("security.guess-delay", "200ms", MS),
                s.duration("security.guess-delay-max", "5s", MS),
                s.duration("security.guesses-forget", "15m", SECOND),
                s.integer("security.guessers-max", "10000", 1, 1_000_000),
                s.integer("security.guesses-at-once-max", "8", 1, 10_000)),
            OidcProvider.from(s),
            s.textMap("security.certificate-roles"));
    config.check(s);
    return config;
  }

  private void check(Settings s) {
    var password = admin.password().value();
    s.require(
        password.isEmpty() || password.length() >= PASSWORD_CHARS_MIN,
        "security.admin-password: must have " + PASSWORD_CHARS_MIN + " characters or more");
    s.require(
        busCallers == BusCallers.MEMBERS || mode == Mode.AUTHENTICATED,
        "security.bus-callers: is authenticated with security.mode: authenticated only");
    s.require(!admin.name().isBlank(), "security.admin-name: must not be empty");
    var reserved = reservedNames().prefixOf(admin.name().strip());
    s.require(
        password.isEmpty() || reserved == null,
        "security.admin-name: begins with "
            + reserved
            + " as names of applications, certificates or people of an OpenID provider do: choose"
            + " another one");
    s.require(
        signingKey.value().isEmpty() || areKeys(lines(signingKey.value())),
        "security.signing-key: must have " + KEY_CHARS_MIN + " characters or more in each line");
    s.require(
        guesses.delay().compareTo(guesses.delayMax()) <= 0,
        "security.guess-delay-max: must not be shorter than security.guess-delay");
  }

  private ReservedNames reservedNames() {
    return new ReservedNames(
        providers.stream().map(provider -> provider.claims().namePrefix()).toList());
  }

  /**
   * The keys of access tokens as they are now, a line each; the first signs. May block.
   *
   * @throws IllegalArgumentException their file has none that can be used
   */
  public List<String> signingKeys() {
    var keys = lines(signingKey.now());
    if (!areKeys(keys)) {
      throw new IllegalArgumentException(
          "must have " + KEY_CHARS_MIN + " characters or more in each line");
    }
    return keys;
  }

  private static List<String> lines(String text) {
    return text.lines().filter(line -> !line.isBlank()).toList();
  }

  private static boolean areKeys(List<String> keys) {
    return !keys.isEmpty() && keys.stream().allMatch(key -> key.length() >= KEY_CHARS_MIN);
  }
}
