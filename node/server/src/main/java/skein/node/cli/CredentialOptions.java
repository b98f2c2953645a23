package skein.node.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import skein.node.dev.CannotStartException;

/**
 * Who asks a node that wants to know it. Secrets are read from files or from the environment: what
 * stands on a command line, others on the machine see.
 */
final class CredentialOptions {
  @Option(
      names = "--token-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "File with an access token. Default: $$SKEIN_TOKEN.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--api-key-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "File with an API key. Default: $$SKEIN_API_KEY.")
  private @Nullable Path keyFile;

  /**
   * The header {@code Authorization}; null says nothing.
   *
   * @throws CannotStartException a file cannot be read
   */
  @Nullable String authorization() {
    return authorization(Profile.NONE);
  }

  /** As {@link #authorization()}; what the profile names comes before the environment. */
  @Nullable String authorization(Profile profile) {
    if (keyFile != null) {
      return "ApiKey " + read(keyFile);
    }
    if (tokenFile != null) {
      return "Bearer " + read(tokenFile);
    }
    if (profile.keyFile() != null) {
      return "ApiKey " + read(profile.keyFile());
    }
    if (profile.tokenFile() != null) {
      return "Bearer " + read(profile.tokenFile());
    }
    var key = System.getenv("SKEIN_API_KEY");
    if (key != null && !key.isBlank()) {
      return "ApiKey " + key.strip();
    }
    var token = System.getenv("SKEIN_TOKEN");
    return token == null || token.isBlank() ? null : "Bearer " + token.strip();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new CannotStartException(file + " cannot be read: " + e, e);
    }
  }
}
