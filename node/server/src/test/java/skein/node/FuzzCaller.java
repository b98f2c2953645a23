package skein.node;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.node.FuzzRequest.Sending;

/** Sends one request after the other, on one connection as long as the server lets it. */
final class FuzzCaller implements AutoCloseable {
  private static final int CONNECT_MS = 10_000;
  private static final int PIPELINED = 3;

  private final int port;
  private final int answerMs;
  private @Nullable Socket socket;
  private InputStream in = InputStream.nullInputStream();

  /** {@code answerMs}: how long the server may take to say anything. */
  FuzzCaller(int port, int answerMs) {
    this.port = port;
    this.answerMs = answerMs;
  }

  /** Empty when the request does not demand an answer and has none. */
  List<FuzzAnswer> send(FuzzRequest request) throws IOException {
    boolean fresh = socket == null;
    try {
      return exchange(request);
    } catch (IOException e) {
      close();
      if (!request.sending().isWhole()) {
        return List.of();
      }
      if (fresh) {
        throw e;
      }
      return exchange(request); // the server may end a connection that has been used
    }
  }

  private List<FuzzAnswer> exchange(FuzzRequest request) throws IOException {
    var open = socket == null ? connect() : socket;
    IOException refused = null;
    try {
      write(open, request);
      if (request.sending() == Sending.TORN) {
        close();
        return List.of();
      }
    } catch (IOException e) {
      refused = e; // the answer may be there all the same
    }
    var answers = new ArrayList<FuzzAnswer>();
    int expected = request.sending() == Sending.PIPELINED ? PIPELINED : 1;
    try {
      while (answers.size() < expected) {
        var answer = FuzzAnswer.read(in, request.method().equals("HEAD"));
        answers.add(answer);
        if (answer.closes() || request.method().equals("CONNECT")) {
          close();
          return answers;
        }
      }
    } catch (IOException e) {
      close();
      if (answers.isEmpty()) {
        if (refused != null) {
          e.addSuppressed(refused);
        }
        throw e;
      }
      return answers; // of several, those behind a refused one are not read
    }
    if (!request.sending().isWhole() || refused != null) {
      close();
    }
    return answers;
  }

  private Socket connect() throws IOException {
    var made = new Socket();
    made.setTcpNoDelay(true);
    made.setSoTimeout(answerMs);
    made.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
    in = new BufferedInputStream(made.getInputStream(), 16_384);
    socket = made;
    return made;
  }

  private static void write(Socket socket, FuzzRequest request) throws IOException {
    var out = socket.getOutputStream();
    var bytes = request.bytes();
    switch (request.sending()) {
      case IN_PARTS -> {
        out.write(bytes, 0, bytes.length / 2);
        Eventually.pause(Duration.ofMillis(100));
        out.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
      }
      case PIPELINED -> {
        for (int i = 0; i < PIPELINED; i++) {
          out.write(bytes);
        }
      }
      case TORN -> out.write(bytes, 0, bytes.length * 2 / 3);
      case TOO_SHORT -> {
        out.write(bytes);
        socket.shutdownOutput();
      }
      default -> out.write(bytes);
    }
  }

  @Override
  public void close() {
    var open = socket;
    socket = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException _) {
        in = InputStream.nullInputStream();
      }
    }
  }
}
