package skein;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.attribute.RecordAttribute;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Records with tokens, passwords or keys do not print them: a text of one gets into log lines and
 * messages of exceptions unnoticed.
 */
class SecretsInTextsTest {
  private static final Pattern SECRET =
      Pattern.compile("(?i)token|secret|password|apiKey|authorization|access|refresh|verifier");

  /** Components that are secrets, though their names do not say so. */
  private static final Set<String> MORE =
      Set.of(
          "skein.activities.ActivityContext$ResumeLink.url",
          "skein.expressions.Scope$Link.url",
          "skein.identity.AccessTokens$Keys.texts",
          "skein.identity.ApiKeys$Made.key",
          "skein.identity.BrowserSignIn$Returned.code",
          "skein.peers.ClusterTls$Texts.key",
          "skein.peers.ServerTls$Texts.key");

  /** The address of an endpoint. */
  private static final Set<String> HARMLESS =
      Set.of("skein.identity.ProviderMetadata.authorization");

  @Test
  void records_do_not_print_the_secrets_in_them() {
    var found = new TreeSet<String>();
    var printed = new ArrayList<String>();
    for (var type : ProjectClasses.all()) {
      if (type.isRecord()) {
        var model = read(type);
        for (var component : secrets(model, type.getName())) {
          var name = type.getName() + "." + component;
          found.add(name);
          if (prints(model, component)) {
            printed.add(name);
          }
        }
      }
    }

    assertThat(found).containsAll(MORE).contains("skein.identity.Credential$Bearer.token");
    assertThat(printed).as("components that toString prints: override it").isEmpty();
  }

  private static ClassModel read(JavaClass type) {
    var source = type.getSource().orElseThrow();
    try (var in = source.getUri().toURL().openStream()) {
      return ClassFile.of().parse(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> secrets(ClassModel model, String type) {
    return model.findAttribute(Attributes.record()).stream()
        .map(RecordAttribute::components)
        .flatMap(List::stream)
        .filter(component -> isSecret(component, type))
        .map(component -> component.name().stringValue())
        .toList();
  }

  private static boolean isSecret(RecordComponentInfo component, String type) {
    var name = component.name().stringValue();
    boolean isText = component.descriptor().equalsString("Ljava/lang/String;");
    return MORE.contains(type + "." + name)
        || (isText && SECRET.matcher(name).matches() && !HARMLESS.contains(type + "." + name));
  }

  private static boolean prints(ClassModel model, String component) {
    return toStringCode(model).anyMatch(element -> reads(element, model, component));
  }

  private static Stream<CodeElement> toStringCode(ClassModel model) {
    return model.methods().stream()
        .filter(method -> method.methodName().equalsString("toString"))
        .filter(method -> method.methodTypeSymbol().parameterCount() == 0)
        .flatMap(method -> method.code().stream())
        .flatMap(code -> code.elementStream());
  }

  /** What the compiler makes for a record reads all components. */
  private static boolean reads(CodeElement element, ClassModel model, String component) {
    return switch (element) {
      case InvokeDynamicInstruction made ->
          made.bootstrapMethod().owner().displayName().equals("ObjectMethods");
      case FieldInstruction field ->
          isOwn(field.owner().asInternalName(), model) && field.name().equalsString(component);
      case InvokeInstruction call ->
          isOwn(call.owner().asInternalName(), model) && call.name().equalsString(component);
      default -> false;
    };
  }

  private static boolean isOwn(String owner, ClassModel model) {
    return model.thisClass().asInternalName().equals(owner);
  }
}
