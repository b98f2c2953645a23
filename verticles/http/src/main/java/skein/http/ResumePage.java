package skein.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import skein.messages.Reply;
import skein.model.ErrorCode;

/** The pages behind a resume link: no script, nothing loaded from elsewhere. */
final class ResumePage {
  private static final String STYLE =
      "body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;"
          + "color:#1b1b1f}button{font:inherit;padding:.6rem 1.4rem;border:0;border-radius:.4rem;"
          + "background:#1f4b99;color:#fff;cursor:pointer}";

  /** The style is allowed by its hash, nothing else is allowed at all. */
  static final String POLICY =
      "default-src 'none'; style-src 'sha256-"
          + sha256(STYLE)
          + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private ResumePage() {}

  static String question() {
    return page(
        "Continue the workflow?",
        """
        <p>You were asked to let a workflow continue. The link works once.</p>
        <form method="post"><button type="submit">Continue</button></form>
        """);
  }

  static String done() {
    return page("Done", "<p>The workflow continues. You can close this page.</p>\n");
  }

  static String refused(Reply.Refused refusal) {
    return page("This did not work", "<p>" + escaped(words(refusal)) + "</p>\n");
  }

  private static String words(Reply.Refused refusal) {
    var code = refusal.code();
    if (code == ErrorCode.ALREADY_RESUMED || code == ErrorCode.INSTANCE_FINISHED) {
      return "This link has been used already, or the workflow no longer waits for it.";
    }
    return refusal.detail();
  }

  private static String page(String title, String body) {
    return """
    <!doctype html>
    <html lang="en">
    <head><meta charset="utf-8"><title>%s</title>
    <meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
    <style>%s</style></head>
    <body><h1>%s</h1>
    %s</body>
    </html>
    """
        .formatted(title, STYLE, title, body);
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return Base64.getEncoder()
          .encodeToString(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
