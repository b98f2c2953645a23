package skein.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes every mail, by SMTP without TLS and log-in, and keeps its lines; or refuses all. */
final class MailServer implements AutoCloseable {
  private static final int BACKLOG = 100;

  private final ServerSocket server;
  private final boolean refuses;
  private final List<List<String>> mails = new CopyOnWriteArrayList<>();

  /** {@code refuses}: wants a log-in, and repeats each that it is given in its refusal. */
  MailServer(boolean refuses) {
    this.refuses = refuses;
    try {
      server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Values of this header, one for each mail that has it. */
  List<String> headers(String name) {
    var prefix = name + ": ";
    return mails.stream()
        .flatMap(List::stream)
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .toList();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var socket = server.accept();
        Thread.ofVirtual().start(() -> converse(socket));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void converse(Socket socket) {
    try (socket) {
      var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      reply(socket, "220 ready");
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        switch (line.split(" ", -1)[0].toUpperCase(Locale.ROOT)) {
          case "DATA" -> {
            reply(socket, "354 end with a dot");
            mails.add(in.lines().takeWhile(text -> !text.equals(".")).toList());
            reply(socket, "250 taken");
          }
          case "EHLO" -> reply(socket, refuses ? "250-ready\r\n250 AUTH PLAIN" : "250 ok");
          case "AUTH" -> reply(socket, refuses ? "535 not " + line : "235 ok");
          case "QUIT" -> {
            reply(socket, "221 bye");
            return;
          }
          default -> reply(socket, "250 ok");
        }
      }
    } catch (IOException _) {
      // The client has gone
    }
  }

  private static void reply(Socket socket, String line) throws IOException {
    socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
