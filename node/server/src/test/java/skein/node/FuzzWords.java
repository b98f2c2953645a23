package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.StringEntry;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/**
 * Words that requests are made of: names of members and parameters are the constants of the classes
 * that read requests, in the jar that is attacked, so that a new name is found by itself.
 */
final class FuzzWords {
  private static final Pattern READING =
      Pattern.compile(
          "skein/(http|codecs|schedules|forms|ingress|exchange|graph|definitions|activities)/"
              + "[A-Za-z0-9$]+\\.class");

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,39}");

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "0",
          "-1",
          "1",
          "999999999",
          "2147483647",
          "2147483648",
          "-2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "1e309",
          "NaN",
          "0x10",
          "٣",
          "true",
          "null",
          "undefined",
          "[]",
          "{}",
          "{\"a\":",
          "'; drop table workflow_instances; --",
          "%",
          "_",
          "\\",
          "%s%n%x",
          "${jndi:ldap://127.0.0.1/a}",
          "../../../etc/passwd",
          "<script>alert(1)</script>",
          "a\r\nX-Injected: 1",
          "a\u0000b",
          "\u0001\u001b[2J\u007f\u0085\u009b",
          "\u200b\u202e\ufeff",
          "\ud800",
          "\udc00x",
          "\uffff",
          "é",
          "e\u0301",
          "ß",
          "ı",
          "😀😀😀",
          "2026-01-01T00:00:00Z",
          "2026-02-30T00:00:00Z",
          "0001-01-01T00:00:00Z",
          "0000-01-01T00:00:00Z",
          "-0001-01-01T00:00:00Z",
          "9999-12-31T23:59:59.999999999Z",
          "+10000-01-01T00:00:00Z",
          "+300000-01-01T00:00:00Z",
          "-300000-01-01T00:00:00Z",
          "+999999999-12-31T23:59:59.999999999Z",
          "-999999999-01-01T00:00:00Z",
          "2026-01-01T00:00:00+18:00",
          "2026-01-01",
          "infinity",
          "-infinity",
          "PT1S",
          "PT0S",
          "-PT1S",
          "PT9223372036854775807S",
          "P999999999D",
          "00:00:01",
          "10675199.02:48:05.4775807",
          "-00:00:01",
          "* * * * *",
          "*/1 * * * * *",
          "0 0 31 2 *",
          "0 0 29 2 *",
          "0-59/0 * * * *",
          "R/PT1S",
          "Europe/Berlin",
          "UTC+18",
          "Etc/Nowhere",
          "1,2,3",
          "Latest",
          "AllVersions",
          "Published",
          "LatestAndPublished",
          "Draft",
          "Running",
          "Finished",
          "Faulted",
          "Suspended",
          "Synchronous",
          "Asynchronous",
          "Ascending",
          "desc",
          "Created",
          "CreatedAt",
          "UpdatedAt",
          "FinishedAt",
          "GreaterThan",
          "Is",
          "IsNot",
          "Cancel",
          "Retry",
          "Migrate",
          "ModifyVariable",
          "ScheduleActivity",
          "CancelActivity",
          "JavaScript",
          "Liquid",
          "Literal",
          "Object",
          "Variable",
          "Input",
          "Elsa.Sequence",
          "Elsa.Flowchart",
          "Elsa.SetVariable",
          "Elsa.ExecuteWorkflow",
          "Elsa.Delay",
          "Elsa.Timer",
          "Elsa.Cron",
          "Elsa.StartAt",
          "Elsa.Http.None",
          "Skein.UserTask",
          "System.Collections.Generic.List`1[[System.String]]",
          "Int32",
          "Int64",
          "Decimal",
          "DateTimeOffset",
          "TimeSpan",
          "Byte[]",
          "String[]",
          "Guid",
          "[1,2",
          "http://127.0.0.1:1/",
          "http://[::1",
          "file:///etc/passwd",
          "1 + 1",
          "while (true) {}",
          "'a'.repeat(16000000).length",
          "Object.keys(new String('a'.repeat(1000000))).length",
          "throw null",
          "getR().a.b.c",
          "setVariable('R', globalThis)",
          "({get a() { return this.a }}).a",
          "{{ 'a' | append: 'b' }}",
          "{% for i in (1..100000000) %}x{% endfor %}",
          "{{ x | date: '%'",
          "^(.*)(.*)(.*)(.*)(.*)c$",
          "(a+)+$",
          "#/$defs/a",
          "$.a[?(@.b)]",
          "bytes=0-0,1-2,-1",
          "gzip",
          "\"1\"",
          "W/\"1\"",
          "*");

  private final List<String> names;

  /** By the path of a route below the API: the names in the classes that have it. */
  private final Map<String, List<String>> ofRoutes = new HashMap<>();

  /** {@code jar}: the program. */
  FuzzWords(Path jar) {
    names = read(jar);
  }

  private List<String> read(Path jar) {
    var found = new TreeSet<String>();
    try (var file = new JarFile(jar.toFile())) {
      for (var entry : file.stream().filter(e -> READING.matcher(e.getName()).matches()).toList()) {
        try (var in = file.getInputStream(entry)) {
          var texts = texts(in.readAllBytes());
          var own = texts.stream().filter(text -> NAME.matcher(text).matches()).toList();
          found.addAll(own);
          texts.stream()
              .filter(text -> text.startsWith("/") && !own.isEmpty())
              .forEach(path -> ofRoutes.put(path, own));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (found.size() < 500) {
      throw new IllegalStateException("Only " + found.size() + " names in " + jar);
    }
    return List.copyOf(found);
  }

  private static List<String> texts(byte[] type) {
    var texts = new TreeSet<String>();
    for (var constant : ClassFile.of().parse(type).constantPool()) {
      if (constant instanceof StringEntry text) {
        texts.add(text.stringValue());
      }
    }
    return List.copyOf(texts);
  }

  /** Mostly one that the class of this route has. */
  String name(String route, Random random) {
    var own = ofRoutes.get(route.substring(route.indexOf('/')).replaceFirst("^/elsa/api", ""));
    return own == null || random.nextInt(3) == 0
        ? name(random)
        : own.get(random.nextInt(own.size()));
  }

  String name(Random random) {
    return names.get(random.nextInt(names.size()));
  }

  /** Whatever may be hard to take, seldom of a megabyte. */
  String text(Random random) {
    return switch (random.nextInt(40)) {
      case 0 -> String.valueOf((char) ('a' + random.nextInt(26))).repeat(255);
      case 1 -> "é".repeat(256);
      case 2 -> TEXTS.get(random.nextInt(TEXTS.size())).repeat(1 + random.nextInt(20));
      case 3 -> name(random);
      case 4 -> "x".repeat(random.nextInt(20) == 0 ? 1_000_000 : 5_000);
      default -> TEXTS.get(random.nextInt(TEXTS.size()));
    };
  }
}
