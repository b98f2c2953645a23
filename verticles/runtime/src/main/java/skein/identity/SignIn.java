package skein.identity;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.loop.Delays;
import skein.metrics.SecurityMetrics;
import skein.metrics.SecurityMetrics.Refusal;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.SessionStore;
import skein.storage.SessionStore.Rotation;
import skein.storage.SessionStore.Whose;
import skein.storage.UserStore;

/**
 * Names and passwords, and the tokens that are given to those who have signed in: an access token
 * that is valid for a short time, and a refresh token that gives the next pair once. Thread-safe.
 */
public final class SignIn {
  private static final Logger log = LoggerFactory.getLogger(SignIn.class);
  private static final Duration REPEATED_AFTER = Duration.ofMillis(200);

  private final Accounts accounts;
  private final SessionStore sessions;
  private final RolePermissions roles;
  private final AccessTokens tokens;
  private final Guard guard;
  private final Duration refreshLifetime;

  /**
   * Users with a password.
   *
   * @param reserved names with which none of them signs in
   */
  record Accounts(UserStore users, Passwords passwords, ReservedNames reserved) {}

  /** The delays of guesses, and their counters. */
  record Guard(Throttle throttle, Delays delays, SecurityMetrics metrics) {
    SkeinException tooMany() {
      metrics.refused(Refusal.THROTTLED);
      return new SkeinException(
          ErrorCode.TOO_MANY_ATTEMPTS,
          "Too many sign-ins from this address at once: wait for the answers, and try again");
    }
  }

  SignIn(
      Accounts accounts,
      SessionStore sessions,
      RolePermissions roles,
      AccessTokens tokens,
      Guard guard,
      Duration refreshLifetime) {
    this.accounts = accounts;
    this.sessions = sessions;
    this.roles = roles;
    this.tokens = tokens;
    this.guard = guard;
    this.refreshLifetime = refreshLifetime;
  }

  /** The tokens of a user, which must not be logged. */
  public record Tokens(String name, String access, String refresh) {
    @Override
    public String toString() {
      return "Tokens";
    }
  }

  /**
   * Null when they do not belong together, or the name is reserved by now: a user may have been
   * made before the provider was configured whose people have such names. After some refusals of
   * the address or the name that takes longer.
   *
   * @param address of the caller
   */
  public Future<@Nullable Tokens> withPassword(String name, String password, String address) {
    if (!guard.throttle().enter(address)) {
      return Future.failedFuture(guard.tooMany());
    }
    return waited(guard.throttle().delay(address, name))
        .compose(_ -> accounts.users().findByName(name))
        .compose(user -> checked(user, password))
        .compose(user -> user == null ? wrong(name, address) : begin(user, name, address))
        .onComplete(_ -> guard.throttle().leave(address));
  }

  private Future<Void> waited(Duration delay) {
    return delay.isZero() ? Future.succeededFuture() : guard.delays().after(delay);
  }

  private Future<UserStore.@Nullable User> checked(UserStore.@Nullable User user, String password) {
    return user == null
        ? accounts.passwords().verifyNobody(password).map((UserStore.@Nullable User) null)
        : accounts
            .passwords()
            .verify(user.password(), password)
            .map(right -> right && mayBeNamed(user.name()) ? user : null);
  }

  /** Says why in the log, where the name is reserved. */
  private boolean mayBeNamed(String name) {
    var prefix = accounts.reserved().prefixOf(name);
    if (prefix == null) {
      return true;
    }
    log.atWarn()
        .addKeyValue("user", name)
        .addKeyValue("prefix", prefix)
        .addKeyValue(
            "cause",
            "Names that begin so are those of applications, certificates or people of an OpenID"
                + " provider: make the user again with another name")
        .log("signIn.nameReserved");
    return false;
  }

  /** Null when the user was changed since the password was compared. */
  private Future<@Nullable Tokens> begin(UserStore.User user, String name, String address) {
    var refresh = Secrets.random();
    return sessions
        .begin(UUID.randomUUID(), user, Secrets.sha256(refresh), refreshLifetime)
        .compose(begun -> {
          if (!begun) {
            return wrong(name, address);
          }
          guard.throttle().succeeded(address, name);
          guard.metrics().signIns().increment();
          return tokens(user, refresh);
        });
  }

  private Future<@Nullable Tokens> wrong(String name, String address) {
    guard.throttle().failed(address, name);
    guard.metrics().refused(Refusal.PASSWORD);
    return Future.succeededFuture(null);
  }

  /** Work that is done for an unauthenticated caller. */
  interface Attempt<T> {
    Future<T> run();
  }

  /** So many of an address at once, and later after some refusals of it. */
  <T> Future<T> slowly(String address, Attempt<T> attempt) {
    if (!guard.throttle().enter(address)) {
      return Future.failedFuture(guard.tooMany());
    }
    return waited(guard.throttle().delay(address, null))
        .compose(_ -> attempt.run())
        .onFailure(e -> {
          if (!(e instanceof SkeinException refusal && refusal.code().isTransient())) {
            guard.throttle().failed(address, null);
          }
        })
        .onComplete(_ -> guard.throttle().leave(address));
  }

  void refused(Refusal why) {
    guard.metrics().refused(why);
  }

  /**
   * The first refresh token of a person that an OpenID provider has signed in; null when the id has
   * begun a session before.
   *
   * @param max after which the session ends, however often it is prolonged
   */
  Future<@Nullable String> begin(UUID id, Whose.Person person, Duration max) {
    var refresh = Secrets.random();
    return sessions
        .begin(id, person, Secrets.sha256(refresh), refreshLifetime, max)
        .map(begun -> {
          if (!begun) {
            return null;
          }
          guard.metrics().signIns().increment();
          return refresh;
        });
  }

  /** Ends the session of a refresh token; null when it is of none that was still to end. */
  public Future<SessionStore.@Nullable Ended> end(String token, String address) {
    if (!guard.throttle().enter(address)) {
      return Future.failedFuture(guard.tooMany());
    }
    return waited(guard.throttle().delay(address, null))
        .compose(_ -> sessions.end(Secrets.sha256(token)))
        .onSuccess(ended -> {
          if (ended == null) {
            guard.throttle().failed(address, null);
          }
        })
        .onComplete(_ -> guard.throttle().leave(address));
  }

  /**
   * Null when the token is not valid any more; one that was used before ends its session. All that
   * is given for it is made first, so that no look-up can fail once it is used up. Whose request is
   * given up before that is done, by its time, has to sign in again.
   */
  public Future<@Nullable Tokens> withRefreshToken(String token, String address) {
    if (!guard.throttle().enter(address)) {
      return Future.failedFuture(guard.tooMany());
    }
    var hash = Secrets.sha256(token);
    var next = Secrets.random();
    return waited(guard.throttle().delay(address, null))
        .compose(_ -> sessions.find(hash))
        .compose(whose -> prepared(whose, next))
        .compose(tokens ->
            rotate(hash, Secrets.sha256(next))
                .compose(rotation -> rotated(rotation, tokens, address)))
        .onComplete(_ -> guard.throttle().leave(address));
  }

  /** Null for nobody, and for a user who is deleted, or may not be named so any more. */
  private Future<@Nullable Tokens> prepared(@Nullable Whose whose, String refresh) {
    return switch (whose) {
      case null -> Future.succeededFuture(null);
      case Whose.User(var userId) ->
          accounts
              .users()
              .findById(userId)
              .compose(user ->
                  user == null || !mayBeNamed(user.name())
                      ? Future.succeededFuture(null)
                      : tokens(user, refresh));
      case Whose.Person person -> tokens(person, refresh);
    };
  }

  /**
   * Once more where the database has not answered: it may have been done, and says so then. Not at
   * once, since the pool learns of a lost connection after those who wait for its answers.
   */
  private Future<Rotation> rotate(byte[] token, byte[] next) {
    return sessions
        .rotate(token, next, refreshLifetime)
        .recover(e ->
            e instanceof SkeinException failure && failure.code() == ErrorCode.STORAGE_UNAVAILABLE
                ? guard
                    .delays()
                    .after(REPEATED_AFTER)
                    .compose(_ -> sessions.rotate(token, next, refreshLifetime))
                : Future.failedFuture(e));
  }

  /**
   * A user who was changed or deleted since they were looked up has no session any more, which the
   * rotation has found.
   *
   * @param tokens null: the token is to be used up, and nothing is given for it
   */
  private Future<@Nullable Tokens> rotated(
      Rotation rotation, @Nullable Tokens tokens, String address) {
    if (rotation == Rotation.REUSED) {
      log.atWarn().addKeyValue("address", address).log("session.refreshTokenReused");
    }
    return rotation == Rotation.ROTATED && tokens != null
        ? Future.succeededFuture(tokens)
        : refused(address);
  }

  private Future<@Nullable Tokens> refused(String address) {
    guard.throttle().failed(address, null);
    guard.metrics().refused(Refusal.REFRESH_TOKEN);
    return Future.succeededFuture(null);
  }

  private Future<@Nullable Tokens> tokens(UserStore.User user, String refresh) {
    return tokens(
        user.id(),
        new Caller.User(user.name(), user.roles(), Permissions.NONE, user.tenant(), user.id()),
        refresh);
  }

  private Future<@Nullable Tokens> tokens(Whose.Person person, String refresh) {
    var own = Permissions.of(person.permissions());
    return tokens(
        person.subject(),
        new Caller.User(person.name(), person.roles(), own, person.tenant()),
        refresh);
  }

  /** With what their roles allow now. */
  private Future<@Nullable Tokens> tokens(String subject, Caller.User user, String refresh) {
    return roles
        .of(user.roles())
        .map(found -> {
          var all = found.permissions().plus(user.permissions());
          var caller =
              new Caller.User(user.name(), user.roles(), all, user.tenant(), user.userId());
          return new Tokens(user.name(), tokens.issue(subject, caller), refresh);
        });
  }
}
