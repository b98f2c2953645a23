package skein.node.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import skein.node.dev.CannotStartException;
import skein.node.logging.Logging;

/**
 * A server with an API below {@code /elsa/api}: a node, or Elsa.
 *
 * @param authorization the header; null: none
 * @param option that names its address, for messages
 */
record RemoteServer(
    URI url, @Nullable String authorization, HttpClient.Builder clients, String option) {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  /**
   * Asks, and waits for the answer.
   *
   * @param path below the API's root, with its query
   * @param body JSON; null: none
   * @param headers names and values in turn
   * @throws CannotStartException when it does not answer; the message says what to do
   */
  HttpResponse<String> send(String method, String path, @Nullable String body, String... headers) {
    Logging.silence();
    var at = URI.create(url.toString().replaceAll("/+$", "") + "/elsa/api" + path);
    try (var client = clients.build()) {
      var request = HttpRequest.newBuilder(at).timeout(ANSWER_MAX);
      if (headers.length > 0) {
        request.headers(headers);
      }
      if (authorization != null) {
        request.header("Authorization", authorization);
      }
      if (body == null) {
        request.method(method, BodyPublishers.noBody());
      } else {
        request
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
      }
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (HttpTimeoutException e) {
      throw new CannotStartException(
          url + " did not answer within " + ANSWER_MAX.toSeconds() + " s: try again", e);
    } catch (IOException e) {
      throw new CannotStartException(url + advice(e) + e + ")", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private String advice(IOException e) {
    return e instanceof SSLException
        ? " has a certificate that is not trusted: give the file of its authority as "
            + caOption()
            + " ("
        : " does not answer: give a node's address as " + option + " (";
  }

  /** The interrupt stays set. */
  static CannotStartException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CannotStartException("Interrupted", e);
  }

  private String caOption() {
    return option.equals("--url") ? "--ca-file" : option + "-ca-file";
  }

  /** The same, of which messages say that this option names it. */
  RemoteServer namedBy(String other) {
    return new RemoteServer(url, authorization, clients, other);
  }

  /** Without its secret. */
  @Override
  public String toString() {
    return "RemoteServer[url=" + url + "]";
  }
}
