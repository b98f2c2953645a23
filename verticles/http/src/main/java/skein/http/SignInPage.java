package skein.http;

import java.util.Map;
import skein.messages.Reply;

/** The page after a failed sign-in at a provider: no script, one link back. */
final class SignInPage {
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer");

  private SignInPage() {}

  /** {@code back}: the path of a page where people begin again. */
  static Answer refused(Reply.Refused refusal, String back) {
    var code = refusal.code();
    var page =
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Not signed in</title>
        <meta name="viewport" content="width=device-width"></head>
        <body><main><h1>Not signed in</h1>
        <p>%s</p>
        <p><code>%s</code></p>
        <p><a href="%s">Back to the sign-in</a></p></main></body>
        </html>
        """
            .formatted(ResumePage.escaped(refusal.detail()), code.name(), ResumePage.escaped(back));
    var answer = Answer.html(Problems.status(code), page).refusing(code);
    for (var header : HEADERS.entrySet()) {
      answer = answer.with(header.getKey(), header.getValue());
    }
    return answer;
  }
}
