package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import skein.node.dev.CannotStartException;

/** Collects what explains an instance, for people who cannot reach the cluster. Used once. */
final class InstanceBundle {
  /** The limit of journal entries, to a page more; newer ones are left out, and that is stated. */
  private static final int ENTRIES_MAX = 20_000;

  private final RemoteOptions remote;
  private final String id;
  private final Redaction redaction;
  private final Map<String, JsonObject> parts = new LinkedHashMap<>();
  private final List<String> missing = new ArrayList<>();

  InstanceBundle(RemoteOptions remote, String id, Redaction redaction) {
    this.remote = remote;
    this.id = id;
    this.redaction = redaction;
  }

  void collect() {
    var instance = remote.get(InstancePath.of(id, ""));
    parts.put("instance", instance);
    parts.put("journal", journal());
    var encoded = RemoteOptions.encoded(id);
    var version = RemoteOptions.encoded(instance.getString("definitionVersionId", ""));
    add("definition", DefinitionCommand.PATH + "/by-id/" + version);
    add("timers", "/timers?pageSize=1000&workflowInstanceId=" + encoded);
    add("locks", "/locks?workflowInstanceId=" + encoded);
    add("audit", "/audit?take=1000&workflowInstanceId=" + encoded);
    add("invariants", "/invariants?take=1000");
    add("cluster", "/cluster");
    add("scheduler", "/scheduler");
    add("log-levels", "/log-levels");
  }

  Set<String> parts() {
    return parts.keySet();
  }

  /** The parts that could not be read, a sentence each. */
  List<String> missing() {
    return missing;
  }

  private JsonObject journal() {
    var all = new JsonArray();
    var pages = new JournalPages(remote, id, 0);
    while (all.size() < ENTRIES_MAX) {
      all.addAll(pages.next());
      if (pages.atEnd()) {
        return new JsonObject().put("items", all);
      }
    }
    missing.add("journal: only the first " + all.size() + " entries");
    return new JsonObject().put("items", all);
  }

  /** A part that is missing, or not for this caller, is named instead. */
  private void add(String name, String path) {
    var answer = remote.answer("GET", path, null);
    if (answer.isRefused()) {
      missing.add(name + ": " + answer.json().getString("code", "HTTP " + answer.status()));
    } else {
      parts.put(name, answer.json());
    }
  }

  /** Readable by its owner alone. */
  void write(Path to) {
    parts.values().forEach(redaction::learn);
    try (var zip = new ZipOutputStream(forOwnerOnly(to), StandardCharsets.UTF_8)) {
      for (var part : parts.entrySet()) {
        put(zip, part.getKey() + ".json", redaction.of(part.getValue()).encodePrettily());
      }
      put(zip, "README.txt", readme());
    } catch (IOException e) {
      throw new CannotStartException(to + " cannot be written: " + e, e);
    }
  }

  private static OutputStream forOwnerOnly(Path to) throws IOException {
    Files.deleteIfExists(to);
    if (to.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return Files.newOutputStream(to, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static void put(ZipOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }

  private String readme() {
    return "Workflow instance "
        + id
        + ", collected at "
        + Instant.now()
        + "\nWhat may be a secret is "
        + Redaction.HIDDEN
        + ".\n"
        + String.join("\n", missing);
  }
}
