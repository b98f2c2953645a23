package skein.work;

import java.time.Duration;

/**
 * How mail is sent.
 *
 * @param from who sends where a definition does not say; may be empty
 * @param timeout of one mail
 * @param connectionsMax more mails wait
 * @param bytesMax of the attachments of one mail
 */
public record MailOptions(
    Server server, String from, Duration timeout, int connectionsMax, int bytesMax) {

  /**
   * The server that takes mail.
   *
   * @param host empty: no mail is sent
   * @param security of the connection
   * @param user empty: without log-in
   */
  public record Server(String host, int port, Security security, String user, Password password) {
    /** Without the password. */
    @Override
    public String toString() {
      return "MailOptions.Server[" + host + ":" + port + ", " + security + ", " + user + "]";
    }
  }

  /** How a connection is protected. */
  public enum Security {
    /** Not at all. */
    NONE,
    /** It begins open, and nothing is sent before it is protected. */
    STARTTLS,
    /** From the first byte. */
    TLS
  }
}
