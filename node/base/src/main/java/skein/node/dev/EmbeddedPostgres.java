package skein.node.dev;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A PostgreSQL that belongs to one folder: {@code postgresql} holds its data, {@code user}, {@code
 * password} and {@code port} how to reach it on loopback, {@code postgresql.log} what it says. As
 * durable as any other: what was committed survives the end of this process, of the server and of
 * the machine.
 *
 * <p>A server that an earlier process left behind is stopped first. A folder serves one process at
 * a time. Not thread-safe.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  /** As in the guide, whose statements then find the schema of this name by themselves. */
  public static final String USER = "elsa";

  public static final String DATABASE = "elsa";
  private static final Duration START_MAX = Duration.ofSeconds(60);
  private static final Duration FIRST_SIGN_MAX = Duration.ofSeconds(10);
  private static final long LOG_BYTES_MAX = 10 << 20;
  private static final String LOCK = "lock";
  private static final String DATA = "postgresql";
  private static final String NEW_DATA = "postgresql.new";

  private static final Map<String, String> DEFAULTS =
      Map.of("max_connections", "200", "shared_buffers", "64MB", "log_checkpoints", "off");

  /** Durability is stated though it is the default: no file in the folder may take it away. */
  private static final Map<String, String> FIXED =
      Map.of(
          "fsync", "on",
          "synchronous_commit", "on",
          "full_page_writes", "on",
          "listen_addresses", "127.0.0.1",
          "unix_socket_directories", "");

  private final Path folder;
  private final FileChannel lock;
  private final PostgresBinaries binaries;
  private final Postmaster postmaster;
  private final Map<String, String> settings;
  private int port;
  private String password = "";

  private EmbeddedPostgres(
      Path folder, FileChannel lock, PostgresBinaries binaries, Map<String, String> settings) {
    this.folder = folder;
    this.lock = lock;
    this.binaries = binaries;
    this.settings = settings;
    this.postmaster = new Postmaster(binaries, directory());
  }

  /**
   * Starts the server, making the folder and the database when they are missing.
   *
   * @param version of the PostgreSQL in the jar, such as {@code 17.11.0}
   * @throws CannotStartException when the folder is in use, of another version or not writable
   */
  public static EmbeddedPostgres start(
      Path folder, String version, Map<String, String> environment) {
    return start(folder, version, environment, Map.of());
  }

  /**
   * The same, with settings of the server such as {@code shared_buffers}; those that durability and
   * the address need cannot be changed.
   *
   * @throws IllegalArgumentException for a setting that is not a name with a plain value
   */
  public static EmbeddedPostgres start(
      Path folder, String version, Map<String, String> environment, Map<String, String> settings) {
    settings.forEach(EmbeddedPostgres::requirePlain);
    try {
      Folders.createForUserAlone(folder);
      var absolute = folder.toRealPath();
      requireOwn(absolute);
      var lock = lock(absolute);
      try {
        var caches = List.of(Folders.cache(environment), absolute);
        requireVersion(absolute, version);
        var binaries = PostgresBinaries.unpacked(version, caches);
        var postgres = new EmbeddedPostgres(absolute, lock, binaries, Map.copyOf(settings));
        postgres.start();
        return postgres;
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new CannotStartException(
          "The data folder " + folder + " cannot be used (" + e + "): name another with --data", e);
    }
  }

  /** Other files could be in the way, or be taken for ours and deleted. */
  private static void requireOwn(Path folder) throws IOException {
    boolean own =
        Files.isRegularFile(folder.resolve(LOCK))
            || Files.isRegularFile(folder.resolve(DevSecret.NAME))
            || Files.isRegularFile(folder.resolve(DATA).resolve("PG_VERSION"))
            || Files.isDirectory(folder.resolve(NEW_DATA));
    if (!own && !Folders.isEmpty(folder)) {
      throw new CannotStartException(
          "The data folder "
              + folder
              + " is not empty, and what is in it is not from skein: name a new or an empty folder"
              + " with --data");
    }
  }

  /** They become words of a command line. */
  private static void requirePlain(String name, String value) {
    if (!name.matches("[a-z_.]+") || !value.matches("[\\w.-]+")) {
      throw new IllegalArgumentException("Not a setting of PostgreSQL: " + name + "=" + value);
    }
  }

  /** The server's command line, in a stable order. */
  private String options() {
    var all = new TreeMap<>(DEFAULTS);
    all.putAll(settings);
    all.putAll(FIXED);
    return all.entrySet().stream()
        .map(e -> "-c " + e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(" "));
  }

  /**
   * Nothing but this channel may open the file: POSIX takes a lock away when the process closes any
   * descriptor of the file. So the holder's number stands in a file of its own.
   */
  private static FileChannel lock(Path folder) throws IOException {
    var holder = folder.resolve("process");
    var channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        Files.writeString(holder, Long.toString(ProcessHandle.current().pid()));
        return channel;
      }
    } catch (OverlappingFileLockException _) {
      // this process has it
    }
    channel.close();
    throw new CannotStartException(
        "The data folder "
            + folder
            + " is in use by another skein (process "
            + String.join("", Folders.lines(holder))
            + "): stop that one, or name another folder with --data");
  }

  private static void requireVersion(Path folder, String version) throws IOException {
    var found = Folders.lines(folder.resolve(DATA).resolve("PG_VERSION"));
    var major = version.substring(0, version.indexOf('.'));
    if (!found.isEmpty() && !found.getFirst().strip().equals(major)) {
      throw new CannotStartException(
          "The data in "
              + folder
              + " was written by PostgreSQL "
              + found.getFirst().strip()
              + ", this skein brings "
              + major
              + ": move it over with pg_dump and pg_restore, or name another folder with --data");
    }
  }

  private Path directory() {
    return folder.resolve(DATA);
  }

  private void start() throws IOException {
    postmaster.stop();
    if (!Files.isDirectory(directory())) {
      initialize();
    }
    postmaster.removeFileOfAnotherProcess();
    password = Files.readString(folder.resolve("password")).strip();
    if (!Files.exists(folder.resolve("user"))) {
      addUser();
    }
    port = port();
    var log = folder.resolve("postgresql.log");
    if (Files.exists(log) && Files.size(log) > LOG_BYTES_MAX) {
      Files.delete(log);
    }
    binaries.run(
        "",
        "pg_ctl",
        "start",
        "-W",
        "-D",
        directory().toString(),
        "-l",
        log.toString(),
        "-o",
        "-p " + port + " " + options());
    awaitReady(log);
  }

  /** Beside, then renamed: an initialization that was cut short leaves nothing behind. */
  private void initialize() throws IOException {
    var beside = folder.resolve(NEW_DATA);
    Folders.delete(beside);
    var secret = new byte[24];
    new SecureRandom().nextBytes(secret);
    var file = folder.resolve("password");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, HexFormat.of().formatHex(secret));
    binaries.run(
        "",
        "initdb",
        "--pgdata=" + beside,
        "--username=" + USER,
        "--pwfile=" + file,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C");
    runAlone(beside, "create database " + DATABASE);
    Files.writeString(folder.resolve("user"), USER);
    Files.move(beside, directory());
  }

  /** The first versions named the user otherwise, and wrote no file that says so. */
  private void addUser() throws IOException {
    var role = "create role %s superuser login password '%s'".formatted(USER, password);
    runAlone(directory(), role);
    Files.writeString(folder.resolve("user"), USER);
  }

  /** While no server runs. */
  private void runAlone(Path data, String sql) {
    binaries.run(sql + "\n", "postgres", "--single", "-D", data.toString(), "template1");
  }

  /** The one of last time while it is free, so that tools find the database again. */
  private int port() throws IOException {
    var file = folder.resolve("port");
    var remembered = Folders.lines(file);
    if (!remembered.isEmpty() && remembered.getFirst().matches("\\d{1,5}")) {
      int last = Integer.parseInt(remembered.getFirst());
      if (Ports.isFree(last)) {
        return last;
      }
    }
    int free = Ports.free(1).getFirst();
    Files.writeString(file, Integer.toString(free));
    return free;
  }

  private void awaitReady(Path log) throws IOException {
    long end = System.nanoTime() + START_MAX.toNanos();
    long firstSign = System.nanoTime() + FIRST_SIGN_MAX.toNanos();
    boolean seen = false;
    while (!postmaster.isReady()) {
      boolean running = postmaster.process().isPresent();
      seen |= running;
      boolean tooLate = System.nanoTime() > (seen ? end : firstSign);
      if ((seen && !running) || tooLate) {
        throw new CannotStartException("PostgreSQL did not start: " + tail(log));
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(Duration.ofMillis(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStartException("The start of PostgreSQL was interrupted", e);
    }
  }

  private static String tail(Path log) throws IOException {
    var lines = Folders.lines(log);
    return log
        + ": "
        + String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  public Path folder() {
    return folder;
  }

  /** Without the password: {@code postgresql://elsa@127.0.0.1:5432/elsa}. */
  public String uri() {
    return "postgresql://" + USER + "@127.0.0.1:" + port + "/" + DATABASE;
  }

  public String password() {
    return password;
  }

  /** The server; its children are the sessions and the writers. Empty when it does not run. */
  public Optional<ProcessHandle> process() {
    return postmaster.process();
  }

  /** Ends the server that a killed process may have left on the folder, and removes both. */
  static void discard(Path folder) throws IOException {
    if (Files.exists(folder)) {
      Postmaster.end(folder.toRealPath().resolve(DATA));
      Folders.delete(folder);
    }
  }

  /** Stops the server and gives the folder back. */
  @Override
  public void close() {
    postmaster.stop();
    try {
      lock.close();
    } catch (IOException e) {
      throw new CannotStartException("The lock of " + folder + " cannot be given back", e);
    }
  }
}
