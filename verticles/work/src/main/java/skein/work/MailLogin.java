package skein.work;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.SMTPException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Mail clients by the password that they sign in with, which may be replaced. Until the server
 * takes the new one, the one before it is tried after it: a mail whose sender was refused was not
 * sent. Thread-safe.
 */
final class MailLogin {
  /** The server does not take who signs in. */
  private static final int NOT_AUTHENTICATED = 535;

  /** After both passwords were refused; servers lock accounts that fail to log in often. */
  private static final Duration OLD_TRIED_AGAIN = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final Password password;
  private final Function<String, MailClient> clients;
  private final Duration closedAfter;
  private Login current;
  private @Nullable Login before;
  private @Nullable Long bothRefusedAt;

  private record Login(String password, MailClient client) {
    @Override
    public String toString() {
      return "Login";
    }
  }

  /**
   * @param clients by password
   * @param closedAfter within which a mail has ended that was begun
   */
  MailLogin(
      Vertx vertx, Password password, Function<String, MailClient> clients, Duration closedAfter) {
    this.vertx = vertx;
    this.password = password;
    this.clients = clients;
    this.closedAfter = closedAfter;
    this.current = new Login(password.first(), clients.apply(password.first()));
  }

  /** With the client that may send it. */
  <T> Future<T> send(Function<MailClient, Future<T>> mail) {
    return password
        .read(vertx, current().password())
        .compose(now -> {
          var login = login(now);
          var other = usableBefore();
          return other == null ? mail.apply(login.client()) : send(mail, login, other);
        });
  }

  /**
   * With the new password, the old one, and the new one again: the server may take it after the
   * first trial, and the old one is not taken any more then. Where that is refused too, the old one
   * is left alone for a while.
   */
  private <T> Future<T> send(Function<MailClient, Future<T>> mail, Login login, Login other) {
    Supplier<Future<T>> newOne = () -> mail.apply(login.client());
    return newOne
        .get()
        .onSuccess(_ -> forget(other))
        .recover(e -> isRefusal(e) ? mail.apply(other.client()) : Future.failedFuture(e))
        .recover(e ->
            isRefusal(e)
                ? newOne.get().onSuccess(_ -> forget(other)).onFailure(this::bothRefused)
                : Future.failedFuture(e));
  }

  private synchronized void bothRefused(Throwable e) {
    if (isRefusal(e)) {
      bothRefusedAt = System.nanoTime();
    }
  }

  /** Null: there is none, or it has been refused just now, as the new one was. */
  private synchronized @Nullable Login usableBefore() {
    var at = bothRefusedAt;
    return at != null && System.nanoTime() - at < OLD_TRIED_AGAIN.toNanos() ? null : before;
  }

  /** The secrets that the server's messages may contain: passwords, also as they are sent. */
  UsedSecrets used(String user) {
    var texts = new ArrayList<String>();
    addTo(texts, user, current());
    addTo(texts, user, before());
    return UsedSecrets.of(texts);
  }

  private static void addTo(List<String> texts, String user, @Nullable Login login) {
    if (login != null) {
      texts.add(login.password());
      texts.add("\0" + user + "\0" + login.password());
    }
  }

  private synchronized Login current() {
    return current;
  }

  private synchronized @Nullable Login before() {
    return before;
  }

  private synchronized Login login(String now) {
    if (!now.equals(current.password())) {
      forget(before);
      before = current;
      bothRefusedAt = null;
      current = new Login(now, clients.apply(now));
    }
    return current;
  }

  /** Mails that are being sent with it are not interrupted. */
  private synchronized void forget(@Nullable Login old) {
    if (old != null && old.equals(before)) {
      before = null;
      vertx.setTimer(closedAfter.toMillis(), _ -> old.client().close());
    }
  }

  private static boolean isRefusal(Throwable e) {
    return e instanceof SMTPException smtp && smtp.getReplyCode() == NOT_AUTHENTICATED;
  }
}
