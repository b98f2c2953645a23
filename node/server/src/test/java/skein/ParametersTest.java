package skein;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What takes more than seven things is grouped into records that have a meaning each. */
class ParametersTest {
  private static final int MAX = 7;

  /** Made of a WebAssembly module by its compiler. */
  private static final String GENERATED = "skein.scripts.QuickJsModuleMachine";

  private static final String STORED =
      "a value of the storage and wire formats: a group would be in none of them";
  private static final String ROW = "a row of a table or list, with the names that readers see";
  private static final String SETTINGS = "a group of settings, with the names that operators see";

  /** Records that have more components, with the reason. */
  private static final Map<String, String> EXCEPTIONS =
      Map.ofEntries(
          Map.entry("skein.model.WorkflowInstance", STORED),
          Map.entry("skein.model.Transition", STORED),
          Map.entry("skein.model.Bookmark", STORED),
          Map.entry("skein.model.JournalEntry", STORED),
          Map.entry("skein.model.ActivityExecution", STORED),
          Map.entry("skein.model.Incident", STORED),
          Map.entry("skein.model.Schedule", STORED),
          Map.entry("skein.model.Schedule$State", STORED),
          Map.entry("skein.storage.ApplicationStore$Application", ROW),
          Map.entry("skein.storage.AuditList$Line", ROW),
          Map.entry("skein.storage.InstanceStore$Summary", ROW),
          Map.entry("skein.storage.OverviewStore$OfDefinition", ROW),
          Map.entry("skein.storage.RetentionStore$Candidate", ROW),
          Map.entry("skein.node.config.NodeConfig", SETTINGS),
          Map.entry("skein.node.config.ClusterConfig$Bus", SETTINGS),
          Map.entry("skein.node.config.ClusterConfig", SETTINGS),
          Map.entry("skein.node.config.DatabaseConfig", SETTINGS),
          Map.entry("skein.node.config.ExecutionConfig", SETTINGS),
          Map.entry("skein.node.config.ExpressionsConfig", SETTINGS),
          Map.entry("skein.node.config.HttpConfig", SETTINGS),
          Map.entry("skein.node.config.LoggingConfig", SETTINGS),
          Map.entry("skein.node.config.ExecutionConfig$PerInstance", SETTINGS),
          Map.entry("skein.node.config.HttpConfig$Protocol", SETTINGS),
          Map.entry("skein.node.config.ScannerConfig", SETTINGS),
          Map.entry("skein.node.config.SecurityConfig", SETTINGS),
          Map.entry("skein.node.config.WorkConfig$Http", SETTINGS),
          Map.entry("skein.node.config.WorkConfig$Mail", SETTINGS));

  private final JavaClasses classes = ProjectClasses.all();

  @Test
  void records_have_at_most_seven_components_but_for_those_with_a_reason() {
    var found = new TreeSet<String>();
    for (var type : classes) {
      if (type.isRecord() && components(type) > MAX) {
        found.add(type.getName());
      }
    }

    assertThat(found).isEqualTo(new TreeSet<>(EXCEPTIONS.keySet()));
  }

  @Test
  void methods_and_constructors_take_at_most_seven_parameters() {
    var found = new TreeMap<String, Integer>();
    for (var type : classes) {
      for (var unit : type.getCodeUnits()) {
        int count = unit.getRawParameterTypes().size();
        if (count > MAX && isWritten(unit) && !EXCEPTIONS.containsKey(type.getName())) {
          found.put(unit.getFullName(), count);
        }
      }
    }

    assertThat(classes).hasSizeGreaterThan(500);
    assertThat(found).isEmpty();
  }

  private static long components(JavaClass type) {
    return type.getFields().stream().filter(ParametersTest::isComponent).count();
  }

  private static boolean isComponent(JavaField field) {
    return !field.getModifiers().contains(JavaModifier.STATIC);
  }

  /** Lambdas take what they capture. */
  private static boolean isWritten(JavaCodeUnit unit) {
    return !unit.getModifiers().contains(JavaModifier.SYNTHETIC)
        && !unit.getOwner().getName().startsWith(GENERATED);
  }
}
