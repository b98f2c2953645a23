package skein.node.cli;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import skein.node.dev.CannotStartException;
import skein.node.logging.Logging;

/** The options of a command that asks a running node, and how it shows the answer. */
final class RemoteOptions {
  private static final URI LOCAL = URI.create("http://localhost:5001");

  private enum Output {
    TABLE,
    JSON,
    YAML
  }

  @Option(
      names = "--url",
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      description =
          "Any node of the cluster. Default: that of --profile, else $$SKEIN_URL, else that of the"
              + " profile \"default\", else http://localhost:5001.")
  private @Nullable String given;

  @Option(
      names = "--profile",
      scope = ScopeType.INHERIT,
      paramLabel = "NAME",
      description =
          "A section of ~/.config/skein/profiles with url, token-file, api-key-file and"
              + " ca-file. Default: $$SKEIN_PROFILE.")
  private @Nullable String profileName;

  private @Nullable RemoteServer server;

  @Mixin private CredentialOptions credentials = new CredentialOptions();
  @Mixin private TrustOptions trust = new TrustOptions();

  @Option(
      names = {"-o", "--output"},
      scope = ScopeType.INHERIT,
      paramLabel = "table|json|yaml",
      description = "For people, the default, or for programs.")
  private Output output = Output.TABLE;

  @Option(
      names = "--watch",
      scope = ScopeType.INHERIT,
      description = "Repeat the list or the view until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--every",
      scope = ScopeType.INHERIT,
      paramLabel = "SECONDS",
      description = "Seconds between two reads of --watch and tail. Default: 2.")
  private int intervalSeconds = 2;

  /** A part of a path or a query, with what may not stand there written otherwise. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** As {@link #call} without a body. */
  JsonObject get(String path) {
    return call("GET", path, null);
  }

  /**
   * Returns the answer; an empty one is an empty object.
   *
   * @param path below the API's root, with its query
   * @param headers names and values in turn
   * @throws RefusedArgumentException when the node says that the request is wrong
   * @throws CannotStartException when it does not answer, or refuses for another reason; the
   *     message says what to do
   */
  JsonObject call(String method, String path, @Nullable JsonObject body, String... headers) {
    return answer(method, path, body, headers).orThrow();
  }

  /** The answer of a node, refusals included; throws as {@link #call} without one. */
  RemoteAnswer answer(String method, String path, @Nullable JsonObject body, String... headers) {
    var answer = send(method, path, body, headers);
    try {
      var json = answer.body().isEmpty() ? new JsonObject() : new JsonObject(answer.body());
      return new RemoteAnswer(answer.statusCode(), json);
    } catch (DecodeException e) {
      throw new CannotStartException(
          answer.uri()
              + " answered "
              + answer.statusCode()
              + ", but not as a node: give the address of a node as --url, not of another server",
          e);
    }
  }

  /** A document as the node has written it, with its numbers; as {@link #get} otherwise. */
  String text(String path) {
    var answer = send("GET", path, null);
    if (answer.statusCode() >= 300) {
      throw new RemoteAnswer(answer.statusCode(), new JsonObject(answer.body())).refusal();
    }
    return answer.body();
  }

  private HttpResponse<String> send(
      String method, String path, @Nullable JsonObject body, String... headers) {
    return server().send(method, path, body == null ? null : body.encode(), headers);
  }

  /** The node that is asked. */
  RemoteServer server() {
    if (server == null) {
      server = find(System.getenv());
    }
    return server;
  }

  /** A named profile comes before the environment, the profile "default" after it. */
  private RemoteServer find(Map<String, String> environment) {
    var file = Profile.file(environment, System.getProperty("user.home", ""));
    var name = profileName == null ? environment.get("SKEIN_PROFILE") : profileName;
    boolean named = name != null && !name.isBlank();
    var fromEnvironment = environment.get("SKEIN_URL");
    boolean said = given != null || (fromEnvironment != null && !fromEnvironment.isBlank());
    var profile = named || !said ? Profile.named(file, named ? name : null) : Profile.NONE;
    URI url;
    if (given != null) {
      url = Profile.address(given);
    } else if (named && profile.url() != null) {
      url = profile.url();
    } else if (said) {
      url = Profile.address(String.valueOf(fromEnvironment));
    } else {
      url = profile.url() == null ? LOCAL : profile.url();
    }
    return new RemoteServer(
        url, credentials.authorization(profile), trust.clients(profile), "--url");
  }

  /** For what asks again and again. */
  static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw RemoteServer.interrupted(e);
    }
  }

  /** {@code table} is asked for when people read it. */
  void print(PrintWriter out, JsonObject found, Supplier<String> table) {
    out.println(
        switch (output) {
          case JSON -> found.encodePrettily();
          case YAML -> YamlText.of(found);
          case TABLE -> Terminal.isColoured() ? Terminal.painted(table.get()) : table.get();
        });
    out.flush();
  }

  /** Prints what a node answers, once or repeatedly until it is interrupted. */
  int show(PrintWriter out, Supplier<JsonObject> ask, Function<JsonObject, String> table) {
    while (true) {
      var found = ask.get();
      if (watch && output == Output.TABLE && Terminal.isTerminal()) {
        out.print(Terminal.cleared());
      }
      print(out, found, () -> table.apply(found));
      if (!watch) {
        return 0;
      }
      pause(interval());
    }
  }

  /** Between two looks; a second at least. */
  Duration interval() {
    return Duration.ofSeconds(Math.max(1, intervalSeconds));
  }

  boolean isTable() {
    return output == Output.TABLE;
  }

  /**
   * A JSON value from a command line: itself, {@code @FILE} or {@code -} for standard input.
   *
   * @throws RefusedArgumentException it is not JSON
   */
  static @Nullable Object jsonArgument(String option, @Nullable String given) {
    if (given == null) {
      return null;
    }
    Logging.silence(); // Reading JSON would log.
    try {
      var text =
          given.equals("-")
              ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
              : given.startsWith("@") ? Files.readString(Path.of(given.substring(1))) : given;
      return Json.decodeValue(text);
    } catch (IOException e) {
      throw new RefusedArgumentException(option + ": " + given + " cannot be read: " + e);
    } catch (DecodeException e) {
      throw new RefusedArgumentException(
          option + ": not JSON: write \"text\" in quotes, {...}, @FILE or - for standard input");
    }
  }
}
