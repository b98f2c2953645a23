package skein.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.Json;
import skein.activities.WorkResult;
import skein.model.BookmarkId;
import skein.model.Effect;

/** Against a server that speaks as much SMTP as a mail needs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailWorkerTest {
  private final Vertx vertx = Vertx.vertx();
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
  private String answerToRcpt = "250 ok";
  private String taken = "c4nary-old";
  private String takenAfterRefusal = "";
  private NetServer server;

  @BeforeAll
  void start() {
    server = vertx.createNetServer().connectHandler(this::talk).listen(0, "127.0.0.1").await();
  }

  @AfterAll
  void stop() {
    vertx.close().await();
  }

  @BeforeEach
  void forget() {
    heard.clear();
    answerToRcpt = "250 ok";
    taken = "c4nary-old";
    takenAfterRefusal = "";
  }

  private void talk(NetSocket socket) {
    var data = new boolean[1];
    socket.write("220 test\r\n");
    socket.handler(
        RecordParser.newDelimited(
            "\r\n",
            line -> {
              var text = line.toString(StandardCharsets.UTF_8);
              heard.add(text);
              if (data[0]) {
                if (text.equals(".")) {
                  data[0] = false;
                  socket.write("250 taken\r\n");
                }
                return;
              }
              var word = text.split(" ", -1)[0].toUpperCase(Locale.ROOT);
              switch (word) {
                case "EHLO" -> socket.write("250-test\r\n250 AUTH PLAIN\r\n");
                case "AUTH" -> socket.write(answerToLogin(text));
                case "RCPT" -> socket.write(answerToRcpt + "\r\n");
                case "DATA" -> {
                  data[0] = true;
                  socket.write("354 go on\r\n");
                }
                case "QUIT" -> socket.write("221 bye\r\n");
                default -> socket.write("250 ok\r\n");
              }
            }));
  }

  /** It repeats what it refuses. */
  private String answerToLogin(String line) {
    var given = line.substring("AUTH PLAIN ".length());
    if (given.equals(plain(taken))) {
      return "235 ok\r\n";
    }
    if (!takenAfterRefusal.isEmpty()) {
      taken = takenAfterRefusal;
    }
    return "535 not " + given + "\r\n";
  }

  private static String plain(String password) {
    var both = "\0kim\0" + password;
    return Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
  }

  private WorkResult sendAs(MailWorker worker) {
    var request =
        Json.members("to", List.of("ann@example.com"), "subject", "Hi", "html", "<b>x</b>");
    return worker
        .perform(
            new Effect.Work(
                BookmarkId.parse("i1-1"), "mail", request, Duration.ofSeconds(10), "i1:2", 1))
        .await();
  }

  /** The password may be replaced before the server knows the new one, and is in no failure. */
  @Test
  void a_password_is_replaced_between_two_mails() {
    var now = new AtomicReference<>("c4nary-old");
    var options = signedIn(now);
    var worker = new MailWorker(vertx, options);

    assertThat(sendAs(worker)).isInstanceOf(WorkResult.Done.class);
    now.set("c4nary-new");
    assertThat(sendAs(worker))
        .as("the server knows the old one")
        .isInstanceOf(WorkResult.Done.class);
    taken = "c4nary-new";
    assertThat(sendAs(worker)).as("it knows the new one").isInstanceOf(WorkResult.Done.class);
    assertThat(heard).contains("AUTH PLAIN " + plain("c4nary-new"));
    now.set("c4nary-wrong");
    taken = "nothing";
    var refused = failed(sendAs(new MailWorker(vertx, options)));
    assertThat(refused.message()).contains("***").doesNotContain("c4nary", "AGtpbQ");
  }

  private MailOptions signedIn(AtomicReference<String> password) {
    return new MailOptions(
        new MailOptions.Server(
            "127.0.0.1",
            server.actualPort(),
            MailOptions.Security.NONE,
            "kim",
            new Password(password.get(), password::get)),
        "noreply@example.com",
        Duration.ofSeconds(10),
        2,
        100);
  }

  /** The new one is refused, then the server takes it, and the old one is refused. */
  @Test
  void a_password_is_changed_at_the_server_between_two_trials() {
    var now = new AtomicReference<>("c4nary-old");
    var worker = new MailWorker(vertx, signedIn(now));
    now.set("c4nary-new");
    takenAfterRefusal = "c4nary-new";

    assertThat(sendAs(worker)).isInstanceOf(WorkResult.Done.class);

    assertThat(heard.stream().filter(line -> line.startsWith("AUTH")))
        .containsExactly(
            "AUTH PLAIN " + plain("c4nary-new"),
            "AUTH PLAIN " + plain("c4nary-old"),
            "AUTH PLAIN " + plain("c4nary-new"));
  }

  /** Servers lock accounts after some wrong passwords. */
  @Test
  void where_both_passwords_are_refused_the_next_mail_tries_one_alone() {
    var now = new AtomicReference<>("c4nary-old");
    var worker = new MailWorker(vertx, signedIn(now));
    now.set("c4nary-wrong");
    taken = "nothing";

    failed(sendAs(worker));
    assertThat(logIns()).isEqualTo(3);
    failed(sendAs(worker));
    assertThat(logIns()).isEqualTo(4);

    taken = "c4nary-new";
    now.set("c4nary-new");
    assertThat(sendAs(worker)).isInstanceOf(WorkResult.Done.class);
  }

  private long logIns() {
    return heard.stream().filter(line -> line.startsWith("AUTH")).count();
  }

  private WorkResult send(String host, Object... namesAndValues) {
    var options =
        new MailOptions(
            new MailOptions.Server(
                host, server.actualPort(), MailOptions.Security.NONE, "", Password.NONE),
            "noreply@example.com",
            Duration.ofSeconds(10),
            2,
            100);
    var request =
        Json.members("to", List.of("ann@example.com"), "subject", "Hi", "html", "<b>x</b>");
    request.putAll(Json.members(namesAndValues));
    return new MailWorker(vertx, options)
        .perform(
            new Effect.Work(
                BookmarkId.parse("i1-1"), "mail", request, Duration.ofSeconds(10), "i1:2", 1))
        .await();
  }

  private static WorkResult.Failed failed(WorkResult result) {
    assertThat(result).isInstanceOf(WorkResult.Failed.class);
    return (WorkResult.Failed) result;
  }

  @Test
  void a_text_with_two_addresses_is_no_recipient() {
    for (var to : List.of("a@x.example,evil@y.example", "a@x.example;b@y", "a@x b@y")) {
      var result = send("127.0.0.1", "from", "me@acme.example", "to", List.of(to));

      assertThat(failed(result).type()).as(to).isEqualTo("InvalidMail");
    }
  }

  @Test
  void a_mail_reaches_everybody_with_a_message_id_that_follows_from_the_key() {
    var result =
        send(
            "127.0.0.1",
            "from",
            "me@acme.example",
            "to",
            List.of("ann@example.com", "Bo <bo@example.com>"),
            "bcc",
            List.of("cy@example.com"),
            "attachments",
            List.of(Map.of("filename", "a.txt", "contentType", "text/plain", "content", "aGV5")));

    assertThat(result).isInstanceOf(WorkResult.Done.class);
    assertThat(heard)
        .contains(
            "MAIL FROM:<me@acme.example>",
            "RCPT TO:<ann@example.com>",
            "RCPT TO:<bo@example.com>",
            "RCPT TO:<cy@example.com>",
            "Subject: Hi",
            "Message-ID: <i1.2@acme.example>");
    var text = String.join("\n", heard);
    assertThat(text).contains("<b>x</b>", "a.txt", "aGV5").doesNotContain("Bcc:");
  }

  @Test
  void the_configuration_says_who_sends_by_default() {
    send("127.0.0.1");

    assertThat(heard).contains("MAIL FROM:<noreply@example.com>");
  }

  @ParameterizedTest
  @CsvSource({"451 later,MailNotSent,true", "550 nobody,MailRefused,false"})
  void the_code_of_the_server_says_whether_it_passes(String answer, String type, boolean passing) {
    answerToRcpt = answer;

    var result = failed(send("127.0.0.1"));

    assertThat(result.type()).isEqualTo(type);
    assertThat(result.passing()).isEqualTo(passing);
  }

  @Test
  void without_a_server_it_says_what_to_set() {
    assertThat(failed(send("")))
        .isEqualTo(
            new WorkResult.Failed(
                "MailNotConfigured", "No mail server is set: give mail.host", false));
  }

  /** Backtracking over these 60 KB took half a minute of an event loop. */
  @Test
  void a_long_content_type_takes_no_time() {
    var type = "a/" + "a".repeat(60_000) + "\n";
    long start = System.nanoTime();

    var result =
        send(
            "127.0.0.1",
            "attachments",
            List.of(Map.of("filename", "a", "contentType", type, "content", "aGV5")));

    assertThat(result).isInstanceOf(WorkResult.Done.class);
    assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(5).toNanos());
    assertThat(String.join("\n", heard)).contains("application/octet-stream");
  }

  @Test
  void nothing_can_be_slipped_into_the_conversation() {
    assertThat(failed(send("127.0.0.1", "to", List.of("a@b\r\nDATA"))).type())
        .isEqualTo("InvalidMail");
    assertThat(failed(send("127.0.0.1", "from", "nobody")).type()).isEqualTo("InvalidMail");
    assertThat(failed(send("127.0.0.1", "attachments", List.of("text"))).type())
        .isEqualTo("InvalidMail");
    assertThat(
            failed(send("127.0.0.1", "attachments", List.of(Map.of("content", "A".repeat(400)))))
                .message())
        .contains("mail.bytes-max");
    assertThat(send("127.0.0.1", "subject", "a\r\nBcc: x@y")).isInstanceOf(WorkResult.Done.class);
    assertThat(heard).contains("Subject: a Bcc: x@y").doesNotContain("Bcc: x@y");
  }
}
