package skein.faults;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.faults.CommitFault.Kind;
import skein.faults.Link.Way;
import skein.faults.Proxy.Connection;

/**
 * Reads along on one connection to PostgreSQL (protocol 3.0, without TLS) and lets faults befall
 * the statements that commit bursts, or that are about idempotency keys: they are bound and
 * executed, and end with Sync.
 */
final class CommitTap {
  /** Statements that faults may befall. */
  enum Statement {
    /** Only the statement of {@code CommitStatement} writes it. */
    COMMIT("insert into journal (workflow_instance_id"),

    /** Claims an idempotency key, looks for it, keeps its answer or releases it. */
    KEY("idempotency_keys");

    private final String words;

    Statement(String words) {
      this.words = words;
    }

    /** Null for all others. */
    static @Nullable Statement of(String sql) {
      for (var statement : values()) {
        if (sql.contains(statement.words)) {
          return statement;
        }
      }
      return null;
    }
  }

  private static final char PARSE = 'P';
  private static final char BIND = 'B';
  private static final char QUERY = 'Q';
  private static final char SYNC = 'S';
  private static final char READY = 'Z';

  /** Asked at every such statement; null: nothing befalls it. */
  private final Function<Statement, @Nullable CommitFault> faults;

  private final Connection connection;
  private final Map<String, Statement> statements = new HashMap<>();

  /** Answers that were asked for: one for the start of the session, one for each Sync or query. */
  private int asked = 1;

  private volatile int afflicted;
  private volatile @Nullable CommitFault fault;

  CommitTap(Connection connection, Function<Statement, @Nullable CommitFault> faults) {
    this.connection = connection;
    this.faults = faults;
  }

  /** A message with its type before its length, whose body begins at {@link #BODY}. */
  private static final class Message {
    static final int BODY = 5;

    private final byte[] bytes;

    Message(byte[] bytes) {
      this.bytes = bytes;
    }

    char type() {
      return (char) bytes[0];
    }

    /** The text from the {@code number}th to the next zero byte. */
    String text(int number) {
      int from = BODY;
      for (int i = 0; i < number; i++) {
        from = end(from) + 1;
      }
      return new String(bytes, from, end(from) - from, StandardCharsets.UTF_8);
    }

    private int end(int from) {
      int end = from;
      while (bytes[end] != 0) {
        end++;
      }
      return end;
    }
  }

  void there(InputStream in, OutputStream out) throws IOException, InterruptedException {
    var client = new DataInputStream(in);
    out.write(session(client));
    out.flush();
    while (true) {
      var message = message(client);
      if (message.type() == PARSE) {
        note(message.text(0), Statement.of(message.text(1)));
      }
      var statement = message.type() == BIND ? statements.get(message.text(1)) : null;
      if (statement != null) {
        execute(statement, message, client, out);
      } else {
        pass(message, out);
      }
    }
  }

  private void note(String name, @Nullable Statement statement) {
    if (statement == null) {
      statements.remove(name);
    } else {
      statements.put(name, statement);
    }
  }

  /** The first message has no type. */
  private static byte[] session(DataInputStream client) throws IOException {
    int length = client.readInt();
    var bytes = new byte[length];
    bytes[0] = (byte) (length >>> 24);
    bytes[1] = (byte) (length >>> 16);
    bytes[2] = (byte) (length >>> 8);
    bytes[3] = (byte) length;
    client.readFully(bytes, 4, length - 4);
    return bytes;
  }

  private static Message message(DataInputStream from) throws IOException {
    int type = from.read();
    if (type < 0) {
      throw new EOFException();
    }
    int length = from.readInt();
    var bytes = new byte[length + 1];
    bytes[0] = (byte) type;
    bytes[1] = (byte) (length >>> 24);
    bytes[2] = (byte) (length >>> 16);
    bytes[3] = (byte) (length >>> 8);
    bytes[4] = (byte) length;
    from.readFully(bytes, Message.BODY, length - 4);
    return new Message(bytes);
  }

  private void pass(Message message, OutputStream out) throws IOException, InterruptedException {
    if (message.type() == SYNC || message.type() == QUERY) {
      asked++;
    }
    connection.link().await(Way.THERE);
    out.write(message.bytes);
    out.flush();
  }

  private void execute(Statement statement, Message bind, DataInputStream client, OutputStream out)
      throws IOException, InterruptedException {
    var whole = new ByteArrayOutputStream();
    for (var message = bind; ; message = message(client)) {
      whole.writeBytes(message.bytes);
      if (message.type() == SYNC) {
        break;
      }
    }
    asked++;
    var befalls = faults.apply(statement);
    if (befalls != null) {
      if (befalls.kind() != Kind.DROP_AFTER) {
        befalls.then().run();
      }
      if (befalls.kind() == Kind.DROP_BEFORE) {
        throw new EOFException("dropped before it arrived");
      }
      afflicted = asked;
      fault = befalls;
      if (befalls.kind() == Kind.LATE) {
        Link.reset(connection.client());
      }
      if (befalls.kind() == Kind.HOLD || befalls.kind() == Kind.LATE) {
        Thread.sleep(befalls.hold());
      }
    }
    connection.link().await(Way.THERE);
    out.write(whole.toByteArray());
    out.flush();
    if (befalls != null && befalls.kind() == Kind.LATE) {
      Thread.sleep(befalls.hold()); // the other direction closes when the answer is there
    }
  }

  void back(InputStream in, OutputStream out) throws IOException, InterruptedException {
    var server = new DataInputStream(in);
    for (int answered = 0; ; ) {
      var message = message(server);
      boolean hit = fault != null && answered + 1 == afflicted;
      if (message.type() == READY) {
        answered++;
      }
      if (!hit) {
        connection.link().await(Way.BACK);
        out.write(message.bytes);
        out.flush();
      } else if (!answer(message, out)) {
        return;
      }
    }
  }

  /** False when this was the end of the connection. */
  private boolean answer(Message message, OutputStream out)
      throws IOException, InterruptedException {
    var befallen = fault;
    if (befallen == null) {
      return true;
    }
    boolean done = message.type() == READY;
    if (befallen.kind() == Kind.DROP_AFTER && done) {
      befallen.then().run();
    }
    if (befallen.kind() == Kind.DROP_AFTER || befallen.kind() == Kind.LATE) {
      return !done;
    }
    if (befallen.kind() == Kind.HOLD_ANSWER && done) {
      Thread.sleep(befallen.hold());
    }
    connection.link().await(Way.BACK);
    out.write(message.bytes);
    out.flush();
    return true;
  }
}
