package skein.node.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The step that a stack counts for: that of its innermost frame that belongs to one, by how the
 * frame's name begins. Frames of the JDK, of JSON and of the model belong to their callers.
 */
enum ProfileStep {
  READ(
      "sockets: read",
      "io.netty.channel.unix.FileDescriptor.read",
      "io.netty.channel.unix.Socket.recv",
      "sun.nio.ch.SocketDispatcher.read"),
  WRITE(
      "sockets: write",
      "io.netty.channel.unix.FileDescriptor.write",
      "io.netty.channel.unix.Socket.send",
      "sun.nio.ch.SocketDispatcher.write"),
  SELECT("sockets: wait for events", "io.netty.channel.epoll.Native.epoll", "sun.nio.ch.EPoll"),
  HTTP_CODEC("HTTP: parse and write", "io.netty.handler.codec.http.", "io.vertx.core.http."),
  ROUTES(
      "HTTP: routes, bodies, answers",
      "io.vertx.ext.web.",
      "skein.http.",
      "skein.identity.",
      "skein.openapi."),
  COMMANDS(
      "commands: routing, lanes, locks, replies",
      "skein.ingress.",
      "skein.execution.",
      "skein.cluster.",
      "skein.messages.",
      "skein.events.",
      "skein.bus.",
      "skein.peers.",
      "skein.metrics.",
      "skein.node.hazelcast.",
      "com.hazelcast."),
  DECISIONS(
      "decide: definition, burst, activities",
      "skein.decisions.",
      "skein.burst.",
      "skein.activities.",
      "skein.graph.",
      "skein.expressions.",
      "skein.scripts.",
      "skein.definitions."),
  CODECS("encode and decode states and messages", "skein.codecs."),
  COMMIT("commit: parameters, journal, results", "skein.storage.", "skein.encryption."),
  CLIENT("PostgreSQL client", "io.vertx.pgclient.", "io.vertx.sqlclient.", "skein.postgres."),
  WORK("work outside the engine", "skein.work.", "skein.spi.", "skein.jobs."),
  VIRTUAL("virtual threads", "java.lang.VirtualThread.", "java.util.concurrent.ForkJoin"),
  LOG("log lines", "skein.node.logging.", "ch.qos.logback.", "org.slf4j."),
  TIMERS("timers, schedules, scanner", "skein.timers.", "skein.firing.", "skein.invariants."),
  LOOPS("event loops and buffers", "io.netty.", "io.vertx.", "skein.loop."),
  OTHER("other");

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // it is immutable
  private final List<String> prefixes;

  ProfileStep(String label, String... prefixes) {
    this.label = label;
    this.prefixes = List.of(prefixes);
  }

  String label() {
    return label;
  }

  /** {@code frames}: class and method, the innermost first. */
  static ProfileStep of(List<String> frames) {
    return frames.stream()
        .flatMap(frame -> of(frame).filter(step -> step != LOOPS).stream())
        .findFirst()
        .orElseGet(() -> frames.stream().anyMatch(frame -> of(frame).isPresent()) ? LOOPS : OTHER);
  }

  private static Optional<ProfileStep> of(String frame) {
    return Arrays.stream(values())
        .filter(step -> step.prefixes.stream().anyMatch(frame::startsWith))
        .findFirst();
  }
}
