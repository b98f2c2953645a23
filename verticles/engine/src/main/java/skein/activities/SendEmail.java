package skein.activities;

import java.util.List;
import java.util.stream.Stream;

/**
 * Sends a mail. Attachments are files: {@code {filename, contentType, content}}, the content in
 * Base64.
 */
final class SendEmail implements Activity {
  private static final Input FROM =
      Input.of("From", "String").described("The sender; that of the configuration when empty.");
  private static final Input TO = Input.of("To", "String[]").described("The recipients.");
  private static final Input CC =
      Input.of("Cc", "String[]").described("Recipients of copies.").grouped("More");
  private static final Input BCC =
      Input.of("Bcc", "String[]")
          .described("Recipients of copies, hidden from the others.")
          .grouped("More");
  private static final Input SUBJECT = Input.of("Subject", "String").described("The subject.");
  private static final Input BODY =
      Input.of("Body", "String").edited(Editor.MULTI_LINE).described("The text, as HTML.");
  private static final Input ATTACHMENTS =
      Input.of("Attachments", "Object")
          .edited(Editor.MULTI_LINE)
          .described("Files, or a list of them.");
  private static final Port ERROR = Port.of("error");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.SendEmail", "Email", "Sends a mail.")
          .with(FROM, TO, CC, BCC, SUBJECT, ATTACHMENTS, BODY)
          .with(ERROR);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var to = addresses(context, TO);
    if (to.isEmpty()) {
      throw new FaultException("MissingInput", "The input To is empty");
    }
    context.perform(
        new WorkOrder(
            WorkOrder.MAIL,
            Json.members(
                "from",
                context.text(FROM),
                "to",
                to,
                "cc",
                addresses(context, CC),
                "bcc",
                addresses(context, BCC),
                "subject",
                context.text(SUBJECT),
                "html",
                context.text(BODY),
                "attachments",
                Json.list(context.get(ATTACHMENTS)))));
  }

  /**
   * A text that the definition spells out may name several, between commas or semicolons; what an
   * expression gives is one each, whatever it holds: it may be untrusted.
   */
  private static List<String> addresses(ActivityContext context, Input input) {
    if (context.node().literalTexts(input) == null) {
      return context.texts(input);
    }
    return context.texts(input).stream()
        .flatMap(text -> Stream.of(text.split("[,;]", -1)))
        .map(String::strip)
        .filter(address -> !address.isEmpty())
        .toList();
  }

  /** With an activity for errors that one runs; without, the mail that was not sent is a fault. */
  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var result = WorkResult.read(resumption.input());
    var error = context.node().child(ERROR);
    if (result instanceof WorkResult.Failed && error != null) {
      context.schedule(error);
      return;
    }
    if (result != null) {
      result.orFault();
    }
    context.complete();
  }
}
