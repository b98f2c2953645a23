package skein.activities;

/**
 * Sends a mail. Attachments are files: {@code {filename, contentType, content}}, the content in
 * Base64.
 */
final class SendEmail implements Activity {
  private static final Input FROM = Input.of("From", "String");
  private static final Input TO = Input.of("To", "String[]");
  private static final Input CC = Input.of("Cc", "String[]");
  private static final Input BCC = Input.of("Bcc", "String[]");
  private static final Input SUBJECT = Input.of("Subject", "String");
  private static final Input BODY = Input.of("Body", "String");
  private static final Input ATTACHMENTS = Input.of("Attachments", "Object");
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
    var to = context.texts(TO);
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
                context.texts(CC),
                "bcc",
                context.texts(BCC),
                "subject",
                context.text(SUBJECT),
                "html",
                context.text(BODY),
                "attachments",
                Json.list(context.get(ATTACHMENTS)))));
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
