package skein.node.cli;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import skein.node.elsa.ElsaApi;
import skein.node.elsa.ElsaDatabase;
import skein.node.elsa.ElsaSource;
import skein.node.elsa.JsonServer;

/** The options that say which Elsa is read, and how. */
final class ElsaSourceOptions {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The address of Elsa, whose API is at /elsa/api there.")
  private @Nullable String url;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description =
          "Instead of --url: Elsa's PostgreSQL, as postgresql://elsa@host:5432/elsa, with sslmode"
              + " and sslrootcert where needed.")
  private @Nullable String database;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with an access token of Elsa. Default: $$ELSA_TOKEN.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description = "File with an API key of Elsa. Default: $$ELSA_API_KEY.")
  private @Nullable Path keyFile;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "Authorities in PEM that have signed Elsa's certificate. Default: those that Java knows.")
  private @Nullable Path caFile;

  @Option(
      names = "--database-password-file",
      paramLabel = "FILE",
      description =
          "File with the password of the role of --database. Default: $$ELSA_DATABASE_PASSWORD,"
              + " else that of the URL.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--schema",
      paramLabel = "NAME",
      description = "The schema of Elsa's tables. Default: ${DEFAULT-VALUE}.")
  private String schema = "Elsa";

  @Option(
      names = "--tenant",
      paramLabel = "ID",
      description =
          "With --database: whose rows are taken. Default: those of the default tenant. The API"
              + " shows what belongs to the tenant of the caller.")
  private String tenant = "";

  /**
   * Opens it.
   *
   * @throws RefusedArgumentException when the options contradict each other
   * @throws skein.node.dev.CannotStartException when it cannot be opened
   */
  ElsaSource open(Map<String, String> environment) {
    var api = url;
    var uri = database;
    if (api != null && uri == null) {
      var server =
          new RemoteServer(Profile.address(api), authorization(environment), clients(), "--url");
      return new ElsaApi(asked(server));
    }
    if (uri != null && api == null) {
      return ElsaDatabase.open(uri, password(environment), schema, tenant);
    }
    throw new RefusedArgumentException("Give --url or --database: where Elsa is read");
  }

  /** The server, for what knows nothing of this command line. */
  static JsonServer asked(RemoteServer server) {
    return (method, path, body) -> {
      var answer = server.send(method, path, body);
      return new JsonServer.Answer(answer.statusCode(), answer.body());
    };
  }

  private @Nullable String authorization(Map<String, String> environment) {
    if (keyFile != null) {
      return "ApiKey " + CredentialOptions.read(keyFile);
    }
    if (tokenFile != null) {
      return "Bearer " + CredentialOptions.read(tokenFile);
    }
    var key = environment.get("ELSA_API_KEY");
    if (key != null && !key.isBlank()) {
      return "ApiKey " + key.strip();
    }
    var token = environment.get("ELSA_TOKEN");
    return token == null || token.isBlank() ? null : "Bearer " + token.strip();
  }

  private HttpClient.Builder clients() {
    var builder = HttpClient.newBuilder();
    return caFile == null ? builder : builder.sslContext(TrustOptions.trusting(caFile));
  }

  private @Nullable String password(Map<String, String> environment) {
    if (passwordFile != null) {
      return CredentialOptions.read(passwordFile);
    }
    var password = environment.get("ELSA_DATABASE_PASSWORD");
    return password == null || password.isEmpty() ? null : password;
  }
}
