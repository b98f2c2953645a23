package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.dev.Ports;

/**
 * Hazelcast does without what the build leaves out of it though classes name it: those that do
 * belong to what is switched off, or do so only where they would serve a client.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
@Tag("alone")
class LeftOutIT {
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "com[/.]hazelcast[/.]("
              + "client[/.]HazelcastClient(?!\\w)"
              + "|client[/.](cache|map|impl[/.](clientside|connection|proxy|querycache|spi))[/.]\\w+"
              + "|client[/.]impl[/.]protocol[/.]codec[/.](?!Client)[A-Z]\\w*"
              + "|client[/.]impl[/.]protocol[/.]task[/.][a-z]\\w*[/.]\\w*MessageTask"
              + "|(flakeidgen[/.]impl|internal[/.]longregister|jet[/.]impl|sql[/.]impl)[/.]client[/.]\\w+"
              + "|jet[/.]impl[/.](connector|pipeline)[/.]\\w+"
              + "|shaded[/.](com[/.](fasterxml|zaxxer)|(nonapi[/.])?io[/.]github|org[/.](everit|json)"
              + "|tools[/.]jackson[/.]core[/.]internal[/.]shaded)[/.]\\w+)");

  private static final Pattern CODECS =
      Pattern.compile(
          "io[/.]netty[/.]handler[/.]codec[/.]"
              + "((rtsp|socks|spdy)[/.]|compression[/.](Bzip2|FastLz|Lz4|Lzf|Lzma))\\w+");

  private static final Pattern APPENDERS =
      Pattern.compile(
          "ch[/.]qos[/.]logback[/.]"
              + "(classic[/.](encoder[/.]JsonEncoder|(html|net)[/.]\\w+)"
              + "|core[/.](html[/.]|net[/.](Abstract|SMTP|Syslog|server[/.])"
              + "|rolling[/.](?!RolloverFailure))\\w+)");

  /** Logback reads no configuration from files here, and there are no patterns for Syslog. */
  private static final Set<String> OF_LOG_FILES =
      Set.of(
          "ch/qos/logback/classic/joran/action/ConsolePluginAction",
          "ch/qos/logback/classic/model/processor/CallerContradictionAnalyser",
          "ch/qos/logback/classic/pattern/SyslogStartConverter",
          "ch/qos/logback/classic/util/LevelToSyslogSeverity",
          "ch/qos/logback/core/model/processor/FileCollisionAnalyser",
          "ch/qos/logback/core/recovery/ResilientSyslogOutputStream");

  /** Clients, Jet, SQL, JCache, connections to databases: of a member, only switched off. */
  private static final Pattern UNUSED =
      Pattern.compile(
          "com/hazelcast/(client|jet|sql|cache|dataconnection|security/impl/function)/.*");

  /** What else names something of it. */
  private static final Set<String> OTHERS =
      Set.of(
          "com/hazelcast/cp/CPSubsystemStubImpl",
          "com/hazelcast/instance/impl/IntegrityChecker",
          "com/hazelcast/internal/config/YamlConfigSchemaValidator",
          "com/hazelcast/internal/serialization/ReflectionClassNameFilter",
          "com/hazelcast/internal/util/ServiceLoader",
          "com/hazelcast/internal/yaml/YamlToJsonConverter",
          "com/hazelcast/shaded/tools/jackson/core/io/BigDecimalParser",
          "com/hazelcast/shaded/tools/jackson/core/io/BigIntegerParser",
          "com/hazelcast/shaded/tools/jackson/core/io/NumberInput");

  /**
   * What of all that a member that works has loaded. It makes what these name when a client has
   * connected, or when Jet, a connection to a database or the check of its own jar is switched on;
   * the loader of services looks whether there is a client.
   */
  private static final Set<String> LOADED =
      Set.of(
          "com/hazelcast/client/impl/ClientEngineImpl",
          "com/hazelcast/client/impl/protocol/DefaultMessageTaskFactoryProvider",
          "com/hazelcast/cp/CPSubsystemStubImpl",
          "com/hazelcast/dataconnection/HazelcastDataConnection",
          "com/hazelcast/dataconnection/impl/JdbcDataConnection",
          "com/hazelcast/instance/impl/IntegrityChecker",
          "com/hazelcast/internal/util/ServiceLoader",
          "com/hazelcast/jet/core/JetDataSerializerHook$Factory",
          "com/hazelcast/jet/impl/execution/init/JetInitDataSerializerHook$Factory",
          "com/hazelcast/jet/impl/util/ReflectionUtils",
          "com/hazelcast/jet/impl/util/Util");

  private static final Pattern OF_HAZELCAST = Pattern.compile("\\bcom\\.hazelcast\\.[\\w.$]+");

  private static JarFile jar;

  @BeforeAll
  static void open() throws IOException {
    jar = new JarFile(ServerProcess.jar());
  }

  @AfterAll
  static void close() throws IOException {
    jar.close();
  }

  @Test
  void only_what_is_not_used_names_it() throws IOException {
    var naming = new TreeSet<String>();
    for (var entry : jar.stream().filter(one -> !one.isDirectory()).toList()) {
      assertThat(LEFT_OUT.matcher(entry.getName()).lookingAt()).as(entry.getName()).isFalse();
      if (entry.getName().endsWith(".class") && names(entry)) {
        naming.add(entry.getName().replaceFirst("\\.class$", ""));
      }
    }
    assertThat(naming).contains("com/hazelcast/client/impl/ClientEngineImpl");
    naming.removeIf(name -> UNUSED.matcher(name).matches());
    assertThat(naming).containsExactlyInAnyOrderElementsOf(OTHERS);
  }

  @Test
  void nothing_names_the_codecs_of_netty_that_are_left_out() throws IOException {
    var naming = new TreeSet<String>();
    for (var entry : jar.stream().filter(one -> one.getName().endsWith(".class")).toList()) {
      if (names(entry, CODECS)) {
        naming.add(entry.getName());
      }
    }
    assertThat(naming).isEmpty();
  }

  @Test
  void only_the_configuration_by_files_names_the_appenders_that_are_left_out() throws IOException {
    var naming = new TreeSet<String>();
    for (var entry : jar.stream().filter(one -> one.getName().endsWith(".class")).toList()) {
      assertThat(APPENDERS.matcher(entry.getName()).lookingAt()).as(entry.getName()).isFalse();
      if (names(entry, APPENDERS)) {
        naming.add(entry.getName().replaceFirst("\\.class$", ""));
      }
    }
    assertThat(naming).isSubsetOf(OF_LOG_FILES);
  }

  private static boolean names(JarEntry entry) throws IOException {
    return names(entry, LEFT_OUT);
  }

  private static boolean names(JarEntry entry, Pattern what) throws IOException {
    try (var in = jar.getInputStream(entry)) {
      var content = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      return what.matcher(content).find();
    }
  }

  @Test
  void a_cluster_that_works_has_loaded_hardly_anything_that_names_it(TestPostgres postgres)
      throws IOException {
    var folder = TestClusters.folder();
    var logs = List.of(folder.resolve("loaded-1.log"), folder.resolve("loaded-2.log"));
    var options =
        logs.stream()
            .map(log -> List.of("-Xlog:class+load:file=" + log + "::filecount=0"))
            .toList();
    try (var cluster =
        new TestCluster(
            postgres, folder, "left_out", Ports.free(2), Map.of(), List.of(), options)) {
      cluster.startAll();
      cluster.api(0).publish(Workflows.approval("left-out"));
      cluster.api(0).publish(Workflows.delay("left-out-delay", 1));
      work(cluster);
      cluster.node(1).kill();
      assertThat(cluster.node(0).isReady()).isTrue();
      cluster.startAll(); // a member leaves, another one joins
      work(cluster);

      assertThat(cluster.logged("NoClassDefFoundError")).isEmpty();
      assertThat(cluster.logged("ClassNotFoundException")).isEmpty();
      var loaded = new TreeSet<String>();
      for (var log : logs) {
        loaded.addAll(loaded(log));
      }
      assertThat(loaded).hasSizeGreaterThan(1_000);
      var naming = new ArrayList<String>();
      for (var name : loaded) {
        var entry = jar.getJarEntry(name + ".class");
        if (entry != null && names(entry)) {
          naming.add(name);
        }
      }
      assertThat(naming).containsExactlyInAnyOrderElementsOf(LOADED);
    }
  }

  private static void work(TestCluster cluster) {
    for (int i = 0; i < 20; i++) {
      var id = cluster.api(i).start("left-out");
      assertThat(cluster.api(i + 1).resume(id).status()).isEqualTo(200);
    }
    var delayed = cluster.api(0).start("left-out-delay");
    assertThat(
            Eventually.isTrue(
                Duration.ofSeconds(30),
                () -> "Finished".equals(cluster.api(1).instance(delayed).getString("status"))))
        .isTrue();
  }

  private static Set<String> loaded(Path log) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines
          .map(OF_HAZELCAST::matcher)
          .filter(found -> found.find())
          .map(found -> found.group().replace('.', '/'))
          .collect(Collectors.toSet());
    }
  }
}
