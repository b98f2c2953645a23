package skein;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import skein.loop.EventLoop;
import skein.node.Modules;

/** A class that says that it is confined to an event loop checks that where others enter it. */
class ConfinementTest {
  private static final Path PROJECT = Path.of("..", "..");

  /** Its loops are those of Netty, which nothing simulates. */
  private static final String ON_BARE_NETTY = "skein.node.bench";

  private static final String CLAIM = "Confined to one event loop";

  @Test
  void every_entry_of_a_confined_class_checks_its_loop() {
    var claiming = claiming();
    var confined =
        claiming.stream()
            .map(name -> ProjectClasses.all().get(name))
            .filter(type -> !type.isInterface())
            .filter(type -> !type.getPackageName().equals(ON_BARE_NETTY))
            .toList();

    assertThat(confined).hasSizeGreaterThan(15);
    assertThat(confined.stream().flatMap(ConfinementTest::unchecked)).isEmpty();
  }

  private static Stream<String> unchecked(JavaClass type) {
    return type.getMethods().stream()
        .filter(ConfinementTest::isEntry)
        .filter(method -> !checks(method) && !isAccessor(method))
        .map(method -> type.getSimpleName() + "." + method.getName());
  }

  private static boolean isEntry(JavaMethod method) {
    return !method.getModifiers().contains(JavaModifier.PRIVATE)
        && !method.getModifiers().contains(JavaModifier.STATIC)
        && !method.getModifiers().contains(JavaModifier.SYNTHETIC);
  }

  private static boolean checks(JavaMethod method) {
    return method.getMethodCallsFromSelf().stream()
        .anyMatch(call ->
            call.getTarget().getName().equals("check")
                && call.getTargetOwner().isAssignableTo(EventLoop.class));
  }

  /** It reads what never changes, and calls nothing. */
  private static boolean isAccessor(JavaMethod method) {
    return method.getMethodCallsFromSelf().isEmpty()
        && method.getFieldAccesses().stream()
            .allMatch(access ->
                access.getTarget().resolveMember().stream()
                    .allMatch(field -> field.getModifiers().contains(JavaModifier.FINAL)));
  }

  private static List<String> claiming() {
    return Modules.javaFolders(PROJECT, "main").stream()
        .flatMap(folder -> claiming(folder).stream())
        .toList();
  }

  private static List<String> claiming(Path sources) {
    try (var files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> text(file).contains(CLAIM))
          .map(file -> sources.relativize(file).toString().replace(".java", "").replace('/', '.'))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return String.join(" ", List.of(Files.readString(file).split("\\s+\\*?\\s*")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
