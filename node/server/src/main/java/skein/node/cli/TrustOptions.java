package skein.node.cli;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import skein.node.dev.CannotStartException;
import skein.peers.ClientTls;
import skein.peers.UnusableTlsException;

/** The certificates of HTTPS nodes that a command trusts. */
public final class TrustOptions {
  @Option(
      names = "--ca-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "Authorities in PEM that have signed the certificates of nodes with https:// addresses."
              + " Default: $$SKEIN_CA_FILE, else those that Java knows.")
  private @Nullable Path file;

  /**
   * What makes clients that take them.
   *
   * @param profile comes before the environment
   * @throws CannotStartException the file cannot be used
   */
  HttpClient.Builder clients(Profile profile) {
    var found = file(profile, System.getenv());
    var builder = HttpClient.newBuilder();
    return found == null ? builder : builder.sslContext(trusting(found));
  }

  /**
   * What verifies the certificates of nodes, for commands that know no profiles.
   *
   * @throws CannotStartException the file cannot be used
   */
  public SSLContext context() {
    var found = file(Profile.NONE, System.getenv());
    try {
      return found == null ? SSLContext.getDefault() : trusting(found);
    } catch (NoSuchAlgorithmException e) {
      throw new CannotStartException("This Java cannot be used for HTTPS: " + e, e);
    }
  }

  /** Throws {@link CannotStartException} when the file cannot be used. */
  static SSLContext trusting(Path authorities) {
    try {
      return ClientTls.trusting(authorities);
    } catch (UnusableTlsException e) {
      throw new CannotStartException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The option comes first, then the profile, then the environment; null: none names a file. */
  @Nullable Path file(Profile profile, Map<String, String> environment) {
    if (file != null) {
      return file;
    }
    if (profile.caFile() != null) {
      return profile.caFile();
    }
    var named = environment.get("SKEIN_CA_FILE");
    return named == null || named.isBlank() ? null : Path.of(named.strip());
  }
}
