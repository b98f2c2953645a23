package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import skein.messages.Command;
import skein.model.Alteration;
import skein.model.InstanceId;

class MessageBytesTest {
  /** Every sample as a line of a golden file: the family and the bytes in hex. */
  private static List<String> lines() {
    var lines = new ArrayList<String>();
    var version = Format.newest();
    Samples.requests().forEach(m -> lines.add(line("request", MessageBytes.encode(m, version))));
    Samples.requests2().forEach(m -> lines.add(line("request", MessageBytes.encode(m, version))));
    Samples.commands().forEach(m -> lines.add(line("command", MessageBytes.encode(m, version))));
    Samples.commands2().forEach(m -> lines.add(line("command", MessageBytes.encode(m, version))));
    Samples.replies().forEach(m -> lines.add(line("reply", MessageBytes.encode(m, version))));
    Samples.replies2().forEach(m -> lines.add(line("reply", MessageBytes.encode(m, version))));
    Samples.clusterEvents().forEach(m -> lines.add(line("event", MessageBytes.encode(m, version))));
    return lines;
  }

  private static List<Object> samples() {
    var samples = new ArrayList<Object>(Samples.requests());
    samples.addAll(Samples.requests2());
    samples.addAll(Samples.commands());
    samples.addAll(Samples.commands2());
    samples.addAll(Samples.replies());
    samples.addAll(Samples.replies2());
    samples.addAll(Samples.clusterEvents());
    return samples;
  }

  private static String line(String family, byte[] bytes) {
    return family + " " + HexFormat.of().formatHex(bytes);
  }

  private static byte[] bytes(String line) {
    return HexFormat.of().parseHex(line.substring(line.indexOf(' ') + 1));
  }

  private static Function<byte[], Object> reader(String line) {
    return switch (line.substring(0, line.indexOf(' '))) {
      case "request" -> MessageBytes::request;
      case "command" -> MessageBytes::command;
      case "reply" -> MessageBytes::reply;
      default -> MessageBytes::clusterEvent;
    };
  }

  private static Object read(String line) {
    return reader(line).apply(bytes(line));
  }

  private static List<String> golden(String name) throws IOException {
    try (var file = Samples.class.getResourceAsStream(name)) {
      assertThat(file).as(name).isNotNull();
      return file == null
          ? List.of()
          : new String(file.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }

  private static byte[] message(int kind, int... rest) {
    var bytes = new byte[2 + rest.length];
    bytes[0] = (byte) Format.newest();
    bytes[1] = (byte) kind;
    for (int i = 0; i < rest.length; i++) {
      bytes[2 + i] = (byte) rest[i];
    }
    return bytes;
  }

  @Test
  void every_message_survives_its_bytes() {
    assertThat(lines().stream().map(MessageBytesTest::read)).isEqualTo(samples());
  }

  @Test
  void version_1_is_read_for_ever() throws IOException {
    var read = golden("messages-1.txt").stream().map(MessageBytesTest::read).toList();

    var samples = new ArrayList<Object>(Samples.requests());
    samples.addAll(Samples.commands());
    samples.addAll(Samples.replies());
    samples.addAll(Samples.clusterEvents());
    assertThat(read).isEqualTo(samples);
  }

  @Test
  void version_2_is_read_and_written_for_ever() throws IOException {
    assertThat(lines()).isEqualTo(golden("messages-2.txt"));
  }

  @Test
  void bytes_behind_a_message_are_refused() {
    for (var line : lines()) {
      var whole = bytes(line);
      var longer = Arrays.copyOf(whole, whole.length + 1);

      assertThatThrownBy(() -> reader(line).apply(longer)).isInstanceOf(BadBytesException.class);
    }
  }

  @Test
  void bytes_cut_off_anywhere_are_refused() {
    for (var line : lines()) {
      var whole = bytes(line);
      for (int length = 0; length < whole.length; length++) {
        var cut = Arrays.copyOf(whole, length);

        assertThat(catchThrowable(() -> reader(line).apply(cut)))
            .isInstanceOf(BadBytesException.class);
      }
    }
  }

  @Test
  void a_kind_of_message_that_is_not_known_is_left_to_newer_nodes() {
    for (var line : List.of("request ", "command ", "reply ", "event ")) {
      assertThatThrownBy(() -> reader(line).apply(message(99)))
          .isInstanceOfSatisfying(BadBytesException.class, e -> assertThat(e.isNewer()).isTrue())
          .hasMessageContaining("a kind of message this node does not know");
    }
  }

  @Test
  void what_a_command_has_that_is_not_known_is_left_to_newer_nodes() {
    var instance = new InstanceId("i");
    var resume =
        MessageBytes.encode(
            new Command.Resume(instance, null, Map.of(), new Command.Via.Api(), false),
            Format.newest());
    resume[resume.length - 2] = 99; // Before the flag for the state.
    var alter =
        MessageBytes.encode(
            new Command.Alter(instance, List.of(new Alteration.Cancel()), null), Format.newest());
    alter[alter.length - 2] = 99; // Before the actor, who is not there.
    var claim =
        MessageBytes.encode(
            new Command.Task(
                Samples.BOOKMARK, new Command.TaskAction.Claim(), null, List.of(), null),
            Format.newest());
    claim[claim.length - 4] = 99; // Before user, groups and actor, who are not there.

    for (var bytes : List.of(resume, alter, claim)) {
      assertThatThrownBy(() -> MessageBytes.command(bytes))
          .isInstanceOfSatisfying(BadBytesException.class, e -> assertThat(e.isNewer()).isTrue())
          .hasMessageContaining("this node does not know");
    }
  }

  @Test
  void a_message_that_its_sender_could_not_write_says_why() {
    var bytes = MessageBytes.unwritten("too deep", Format.newest());

    for (var line : List.of("request ", "command ", "reply ", "event ")) {
      assertThatThrownBy(() -> reader(line).apply(bytes))
          .isInstanceOf(BadBytesException.class)
          .hasMessageContaining("its sender could not write it: too deep");
    }
  }

  @Test
  void replies_are_kept_in_the_oldest_format_that_is_written() {
    for (var reply : Samples.replies()) {
      var bytes = ReplyBytes.encode(reply);

      assertThat(bytes[0]).isEqualTo((byte) Format.oldestWritten());
      assertThat(ReplyBytes.decode(bytes)).isEqualTo(reply);
    }
  }
}
