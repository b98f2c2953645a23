package skein.work;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.mail.LoginOption;
import io.vertx.ext.mail.MailAttachment;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailConfig;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.SMTPException;
import io.vertx.ext.mail.StartTLSOptions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.model.Effect;

/**
 * Sends mail. Every attempt has the same {@code Message-ID}, by which mailboxes know a mail that
 * comes twice.
 */
public final class MailWorker implements Worker {
  /** How a media type begins; never backtracks. */
  private static final Pattern MEDIA_TYPE = Pattern.compile("[\\w.+-]++/[\\w.+-]++");

  private static final int RECIPIENTS_MAX = 1_000;

  private final MailOptions options;
  private final @Nullable MailLogin login;

  public MailWorker(Vertx vertx, MailOptions options) {
    this.options = options;
    this.login =
        options.server().host().isEmpty()
            ? null
            : new MailLogin(
                vertx,
                options.server().password(),
                password -> MailClient.create(vertx, config(options, password)),
                options.timeout());
  }

  private static MailConfig config(MailOptions options, String password) {
    var config =
        new MailConfig(options.server().host(), options.server().port())
            .setSsl(options.server().security() == MailOptions.Security.TLS)
            .setStarttls(
                options.server().security() == MailOptions.Security.STARTTLS
                    ? StartTLSOptions.REQUIRED
                    : StartTLSOptions.DISABLED)
            .setLogin(options.server().user().isEmpty() ? LoginOption.NONE : LoginOption.REQUIRED)
            .setMaxPoolSize(options.connectionsMax())
            .setConnectTimeout(Math.toIntExact(options.timeout().toMillis()))
            .setIdleTimeout(Math.toIntExact(options.timeout().toMillis()))
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    config.setHostnameVerificationAlgorithm("HTTPS");
    return options.server().user().isEmpty()
        ? config
        : config.setUsername(options.server().user()).setPassword(password);
  }

  @Override
  public String kind() {
    return WorkOrder.MAIL;
  }

  @Override
  public Future<WorkResult> perform(Effect.Work order) {
    var sender = login;
    if (sender == null) {
      return failed("MailNotConfigured", "No mail server is set: give mail.host", false);
    }
    MailMessage message;
    try {
      message = message(order);
    } catch (WorkRefusedException e) {
      return Future.succeededFuture(e.result());
    }
    long timeout = Math.min(order.timeout().toMillis(), options.timeout().toMillis());
    return sender
        .send(client -> client.sendMail(message))
        .timeout(timeout, TimeUnit.MILLISECONDS)
        .<WorkResult>map(
            sent -> new WorkResult.Done(Json.members("messageId", sent.getMessageID()), false))
        .recover(MailWorker::failed)
        .map(result -> sender.used(options.server().user()).hiddenInFailure(result));
  }

  /** A server says by a code that begins with 4 that it may take the mail later. */
  private static Future<WorkResult> failed(Throwable e) {
    var message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return switch (e) {
      case TimeoutException _ -> failed("Timeout", "The mail server did not answer in time", true);
      case SMTPException smtp when smtp.getReplyCode() >= 500 ->
          failed("MailRefused", message, false);
      case IllegalArgumentException _, IllegalStateException _ ->
          failed("InvalidMail", message, false);
      default -> failed("MailNotSent", message, true);
    };
  }

  private static Future<WorkResult> failed(String type, String message, boolean passing) {
    return Future.succeededFuture(new WorkResult.Failed(type, message, passing));
  }

  private MailMessage message(Effect.Work order) {
    var request = order.request();
    var from = text(request, "from");
    var message =
        new MailMessage()
            .setFrom(checked("From", from.isBlank() ? options.from() : from))
            .setTo(addresses(request, "to"))
            .setCc(addresses(request, "cc"))
            .setBcc(addresses(request, "bcc"))
            .setSubject(text(request, "subject").replaceAll("[\\r\\n]+", " "))
            .setHtml(text(request, "html"))
            .setAttachment(attachments(request));
    var host = message.getFrom().replaceFirst("^.*@", "").replaceAll("[^A-Za-z0-9.-]", "");
    var id = order.key().replaceAll("[^A-Za-z0-9.-]", ".");
    message.setHeaders(
        MultiMap.caseInsensitiveMultiMap().add("Message-ID", "<" + id + "@" + host + ">"));
    return message;
  }

  private static List<String> addresses(Map<String, @Nullable Object> request, String member) {
    var addresses = new ArrayList<String>();
    for (var item : Json.list(request.get(member))) {
      var address = String.valueOf(item).strip();
      if (!address.isEmpty()) {
        addresses.add(checked(member, address));
      }
    }
    if (addresses.size() > RECIPIENTS_MAX) {
      throw new WorkRefusedException(
          "InvalidMail", "More than " + RECIPIENTS_MAX + " recipients in " + member);
    }
    return addresses;
  }

  /** A line break could inject a header, or a command to the server; a comma another recipient. */
  private static String checked(String what, String address) {
    int at = address.indexOf('@');
    if (at < 1 || address.indexOf('@', at + 1) > 0 || !address.matches("[^,;\\p{Cntrl}]+")) {
      throw new WorkRefusedException(
          "InvalidMail", "\"" + what + "\" has something that is not one mail address");
    }
    return address;
  }

  private List<MailAttachment> attachments(Map<String, @Nullable Object> request) {
    var attachments = new ArrayList<MailAttachment>();
    long size = 0;
    for (var item : Json.list(request.get("attachments"))) {
      var file = Json.object(item);
      var content = file == null ? null : Json.text(file, "content");
      if (file == null || content == null) {
        throw new WorkRefusedException(
            "InvalidMail",
            "An attachment is an object with filename, contentType and content in Base64");
      }
      var bytes = decoded(content);
      size += bytes.length();
      if (size > options.bytesMax()) {
        throw new WorkRefusedException(
            "InvalidMail",
            "The attachments have more than "
                + options.bytesMax()
                + " bytes: raise mail.bytes-max");
      }
      var name = Json.text(file, "filename");
      var type = Json.text(file, "contentType");
      attachments.add(
          MailAttachment.create()
              .setName(name == null ? "file" : name.replaceAll("[\\p{Cntrl}\"\\\\/]", "_"))
              .setContentType(
                  type == null
                          || !MEDIA_TYPE.matcher(type).lookingAt()
                          || type.chars().anyMatch(Character::isISOControl)
                      ? "application/octet-stream"
                      : type)
              .setData(bytes));
    }
    return attachments;
  }

  private static Buffer decoded(String base64) {
    try {
      return Buffer.buffer(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      throw new WorkRefusedException(
          "InvalidMail", "The content of an attachment must be given in Base64");
    }
  }

  private static String text(Map<String, @Nullable Object> request, String member) {
    var text = Json.text(request, member);
    return text == null ? "" : text;
  }
}
