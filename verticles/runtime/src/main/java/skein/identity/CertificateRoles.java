package skein.identity;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The programs that say by a certificate who they are: which role each has. Thread-safe. */
final class CertificateRoles {
  private final Map<String, String> byName;
  private final RolePermissions roles;
  private final InstantSource clock;
  private final Recheck recheck;

  /**
   * @param byName roles by the common name of the subject
   * @param recheck for how long roles may still be taken as they were
   */
  CertificateRoles(
      Map<String, String> byName, RolePermissions roles, InstantSource clock, Duration recheck) {
    this.byName = Map.copyOf(byName);
    this.roles = roles;
    this.clock = clock;
    this.recheck = new Recheck(clock, recheck);
  }

  boolean knows(Credential.Certificate certificate) {
    return byName.containsKey(certificate.name());
  }

  /** It fails for one that is not known, or over: a connection may outlive its certificate. */
  Future<Validated> verify(Credential.Certificate certificate) {
    var role = byName.get(certificate.name());
    if (role == null || !clock.instant().isBefore(certificate.end())) {
      return Future.failedFuture(new IllegalArgumentException("No certificate that is taken here"));
    }
    return roles
        .of(List.of(role))
        .map(found ->
            new Validated(
                new Caller.Certificate(certificate.name(), List.of(role), found.permissions()),
                recheck.until(certificate.end())));
  }
}
