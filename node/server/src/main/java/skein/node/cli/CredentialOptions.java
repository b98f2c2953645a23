package skein.node.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import skein.node.dev.CannotStartException;

/**
 * The credentials for a node that authenticates callers. Secrets are read from files or from the
 * environment: other users of the machine can see command lines.
 */
public final class CredentialOptions {
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
   * The header {@code Authorization}; null: none.
   *
   * @throws CannotStartException a file cannot be read
   */
  public @Nullable String authorization() {
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

  /**
   * A secret in a file, without the blanks around it.
   *
   * @throws CannotStartException the file cannot be read
   */
  static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new CannotStartException(file + " cannot be read: " + e, e);
    }
  }
}
