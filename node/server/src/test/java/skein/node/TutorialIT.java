package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.dev.Ports;

/** The tutorial, command by command, in an empty folder. */
@Tag("long")
@Tag("alone")
class TutorialIT {
  private static final Path TEXT = Path.of("../../conf/TUTORIAL.md");

  /** A fenced block: commands, or a file with its name. */
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(sh|json (\\S+))$\\n(.*?)^```$");

  private static final Duration MAX = Duration.ofMinutes(4);

  @TempDir Path folder;
  private final List<String> mails = new CopyOnWriteArrayList<>();

  /** Takes every mail, as far as SMTP needs it. */
  private void takeMail(ServerSocket server) {
    while (true) {
      try (var client = server.accept()) {
        take(client);
      } catch (IOException e) {
        return; // It was closed.
      }
    }
  }

  private void take(Socket client) throws IOException {
    var in =
        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
    say(client, "220 test");
    boolean data = false;
    var mail = new StringBuilder();
    for (var line = in.readLine(); line != null; line = in.readLine()) {
      if (data) {
        if (line.equals(".")) {
          data = false;
          mails.add(mail.toString());
          say(client, "250 taken");
        } else {
          mail.append(line).append('\n');
        }
      } else if (line.startsWith("DATA")) {
        data = true;
        say(client, "354 go on");
      } else if (line.startsWith("QUIT")) {
        say(client, "221 bye");
        return;
      } else {
        say(client, "250 ok");
      }
    }
  }

  private static void say(Socket client, String line) throws IOException {
    client.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** All commands as one script; files are written where the text has them. */
  private static String script(String text) {
    var script = new StringBuilder("set -euo pipefail\n");
    var block = BLOCK.matcher(text);
    while (block.find()) {
      if (block.group(2) == null) {
        block.group(3).lines().forEach(line -> script.append(line).append('\n'));
      } else {
        script.append("cat > ").append(block.group(2)).append(" <<'END_OF_FILE'\n");
        script.append(block.group(3)).append("END_OF_FILE\n");
      }
    }
    return script.toString();
  }

  /** In the place of the launcher, which is tested by itself: the jar of this build. */
  private Path launcher() throws IOException {
    var command = ServerProcess.java();
    command.addAll(TrainedJvm.options());
    command.add("-XX:TieredStopAtLevel=1"); // few of these commands live for more than seconds
    var java = command.stream().map(part -> "'" + part + "'").collect(Collectors.joining(" "));
    var file = Files.createDirectories(folder.resolve("bin")).resolve("skein");
    Files.writeString(
        file,
        "#!/bin/sh\nexec %s -ea:skein... -jar '%s' \"$@\"\n"
            .formatted(java, Path.of(ServerProcess.jar()).toAbsolutePath()));
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void every_command_of_the_tutorial_does_what_the_text_says() throws Exception {
    try (var smtp = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> takeMail(smtp));
      var ports = Ports.free(3);
      var text =
          Files.readString(TEXT)
              .replace("5001", ports.getFirst().toString())
              .replace("1025", Integer.toString(smtp.getLocalPort()));

      var output = run(script(text), ports);

      assertThat(output)
          .contains(
              "misspelt.json:",
              "UNKNOWN_INPUT",
              "did you mean \"message\"?",
              "UNKNOWN_PORT",
              "did you mean \"Approve\"?",
              "exit code 1",
              "Order version 1 is published",
              "Order of 42",
              "Charged 7",
              "Refunded 7",
              "Order refused: The order was not approved",
              "skein_workflows_finished_total");
      assertThat(mails).hasSize(1);
      assertThat(mails.getFirst()).contains("kim@example.com", "It is on its way.");
    }
  }

  private String run(String script, List<Integer> ports) throws Exception {
    var log = folder.resolve("output");
    var builder =
        new ProcessBuilder("bash", "-c", script)
            .directory(Files.createDirectories(folder.resolve("work")).toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    var environment = builder.environment();
    environment.put("PATH", launcher().getParent() + ":" + environment.get("PATH"));
    environment.put("SKEIN_URL", "http://localhost:" + ports.get(0));
    environment.put("SKEIN_HTTP_PORT", ports.get(0).toString());
    environment.put("SKEIN_CLUSTER_PORT", ports.get(1).toString());
    environment.put("SKEIN_CLUSTER_BUS_PORT", ports.get(2).toString());
    var process = builder.start();
    try {
      assertThat(process.waitFor(MAX.toSeconds(), TimeUnit.SECONDS)).as(() -> read(log)).isTrue();
      assertThat(process.exitValue()).as(() -> read(log) + serverLog()).isZero();
      return read(log);
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroyForcibly();
    }
  }

  private String serverLog() {
    return read(folder.resolve("work/shop/skein.log"));
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : file + " is not there";
    } catch (IOException e) {
      return e.toString();
    }
  }
}
