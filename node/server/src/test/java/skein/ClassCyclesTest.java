package skein;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Classes of one package do not depend on each other in a circle; nested ones count as those that
 * they are in. Between packages {@link ArchitectureTest} says it.
 */
class ClassCyclesTest {
  /** Made of a WebAssembly module by its compiler. */
  private static final String GENERATED = "skein.scripts.QuickJsModule";

  /**
   * Packages that have circles, with all classes in them: an entry may only become shorter.
   *
   * <p>In {@code skein.activities} an activity is given its node and its children's, and a node has
   * the activity that runs there: the interpreter needs both ways. With an interface in between,
   * code that schedules the child that an activity names would have to cast it back to a node.
   */
  private static final Map<String, Set<String>> KNOWN =
      Map.of("skein.activities", Set.of("Activity", "ActivityContext", "ActivityNode", "Child"));

  /** By class, the others of its package that it depends on. */
  private final Map<JavaClass, Set<JavaClass>> next = new HashMap<>();

  @Test
  void classes_of_a_package_form_no_circle_but_for_those_that_are_known() {
    var classes = ProjectClasses.all();
    assertThat(classes).hasSizeGreaterThan(500);
    for (var type : classes) {
      if (type.getName().startsWith(GENERATED)) {
        continue;
      }
      var from = outermost(type);
      var others = next.computeIfAbsent(from, _ -> new HashSet<>());
      type.getDirectDependenciesFromSelf().stream()
          .map(Dependency::getTargetClass)
          .map(JavaClass::getBaseComponentType)
          .map(ClassCyclesTest::outermost)
          .filter(to -> !to.equals(from) && to.getPackageName().equals(from.getPackageName()))
          .forEach(others::add);
    }

    var found =
        next.keySet().stream().filter(type -> reaches(type, type)).map(JavaClass::getName).toList();
    var known =
        KNOWN.entrySet().stream()
            .flatMap(each -> each.getValue().stream().map(name -> each.getKey() + "." + name))
            .toList();
    assertThat(found).containsExactlyInAnyOrderElementsOf(known);
  }

  private static JavaClass outermost(JavaClass type) {
    var outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }

  private boolean reaches(JavaClass from, JavaClass wanted) {
    var seen = new HashSet<JavaClass>();
    var open = new ArrayDeque<>(next.getOrDefault(from, Set.of()));
    while (!open.isEmpty()) {
      var type = open.pop();
      if (type.equals(wanted)) {
        return true;
      }
      if (seen.add(type)) {
        open.addAll(next.getOrDefault(type, Set.of()));
      }
    }
    return false;
  }
}
