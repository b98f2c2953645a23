package skein.identity;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.storage.ApplicationStore;
import skein.storage.ApplicationStore.Application;

/** The keys of programs. Each is shown once, when it is made; its hash is kept. Thread-safe. */
public final class ApiKeys {
  private static final Logger log = LoggerFactory.getLogger(ApiKeys.class);
  private static final int KEY_CHARS_MAX = 200;

  private final ApplicationStore store;
  private final RolePermissions roles;
  private final InstantSource clock;
  private final Recheck recheck;

  /** {@code recheck}: for how long a key that was deleted may still be taken. */
  ApiKeys(ApplicationStore store, RolePermissions roles, InstantSource clock, Duration recheck) {
    this.store = store;
    this.roles = roles;
    this.clock = clock;
    this.recheck = new Recheck(clock, recheck);
  }

  /**
   * @param key not to be logged
   */
  public record Made(Application application, String key) {
    @Override
    public String toString() {
      return "Made[application=" + application + "]";
    }
  }

  /**
   * @param permissions beside those of the roles
   * @param expiresAt null: never
   * @param tenant whose it is; empty: of the default tenant
   */
  public Future<Made> make(
      String name,
      List<String> roles,
      List<String> permissions,
      @Nullable Instant expiresAt,
      String tenant) {
    var clientId = Ids.random();
    var key = clientId + "-" + Secrets.random();
    var made =
        new Application(
            Ids.random(),
            name,
            clientId,
            roles,
            permissions,
            expiresAt,
            null,
            clock.instant(),
            tenant);
    return store.insert(made, Secrets.sha256(key)).map(new Made(made, key));
  }

  /** It fails for a key that is not known, or has expired. */
  Future<Validated> verify(String key) {
    if (key.length() > KEY_CHARS_MAX) {
      return Future.failedFuture(new IllegalArgumentException("Too long for an API key"));
    }
    return store
        .findByKey(Secrets.sha256(key))
        .compose(found ->
            found == null
                ? Future.failedFuture(new IllegalArgumentException("No such API key"))
                : roles.of(found.roles()).map(allowed -> validated(found, allowed.permissions())));
  }

  private Validated validated(Application found, Permissions ofRoles) {
    store
        .used(found.id())
        .onFailure(
            e -> log.atDebug().addKeyValue("cause", e.getMessage()).log("apiKey.useNotNoted"));
    var caller =
        new Caller.Application(
            found.name(),
            found.roles(),
            ofRoles.plus(Permissions.of(found.permissions())),
            found.tenant());
    var end = found.expiresAt();
    return new Validated(caller, recheck.until(end == null ? Instant.MAX : end));
  }
}
