package skein.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions and values of expressions as TypeScript declarations. */
final class TypeDefinitions {
  private static final String FUNCTIONS =
      """
      declare function getVariable(name: string): any;
      declare function setVariable(name: string, value: any): void;
      declare function getInput(name: string): any;
      declare function getOutputFrom(activityIdOrName: string, outputName?: string): any;
      declare function getLastResult(): any;
      declare function getWorkflowInstanceId(): string;
      declare function getWorkflowInstanceName(): string;
      declare function setWorkflowInstanceName(name: string): void;
      declare function getWorkflowDefinitionId(): string;
      declare function getWorkflowDefinitionVersionId(): string;
      declare function getWorkflowDefinitionVersion(): number;
      declare function getCorrelationId(): string;
      declare function setCorrelationId(value: string): void;
      declare function getGuid(): string;
      declare function getGuidString(): string;
      declare function getShortGuid(): string;
      declare function isNullOrEmpty(value: string): boolean;
      declare function isNullOrWhiteSpace(value: string): boolean;
      declare function toJson(value: any): string;
      declare function stringToBase64(value: string): string;
      declare function stringFromBase64(value: string): string;
      declare function createEventTriggerUrl(eventName: string, lifetimeOrExpiresAt?: any): string;
      declare function generateBookmarkTriggerUrl(bookmarkIdOrActivity: string, lifetimeOrExpiresAt?: any): string;
      declare const args: any;
      """;

  private TypeDefinitions() {}

  /** {@code definition}: its document; empty when there is none yet. */
  static String of(Map<String, ?> definition) {
    var text = new StringBuilder(FUNCTIONS);
    var members = new StringBuilder();
    for (var variable : objects(definition.get("variables"))) {
      var name = identifier(variable.get("name"));
      if (name != null) {
        var type = type(variable, "typeName");
        text.append("declare function get%s(): %s;\n".formatted(capitalised(name), type));
        text.append(
            "declare function set%s(value: %s): void;\n".formatted(capitalised(name), type));
        members.append("  %s: %s;\n".formatted(name, type));
      }
    }
    text.append("declare const variables: {\n").append(members).append("};\n");
    for (var input : objects(definition.get("inputs"))) {
      var name = identifier(input.get("name"));
      if (name != null) {
        text.append(
            "declare function get%s(): %s;\n".formatted(capitalised(name), type(input, "type")));
      }
    }
    return text.toString();
  }

  private static List<? extends Map<?, ?>> objects(@Nullable Object list) {
    return list instanceof List<?> items
        ? items.stream().filter(Map.class::isInstance).map(item -> (Map<?, ?>) item).toList()
        : List.of();
  }

  /** Null for a name that no script can say. */
  private static @Nullable String identifier(@Nullable Object name) {
    return name instanceof String text && text.matches("[A-Za-z_$][A-Za-z0-9_$]*") ? text : null;
  }

  private static String capitalised(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static String type(Map<?, ?> declaration, String member) {
    var name = String.valueOf(declaration.get(member));
    boolean array = name.endsWith("[]") || Boolean.TRUE.equals(declaration.get("isArray"));
    var element = name.endsWith("[]") ? name.substring(0, name.length() - 2) : name;
    var type =
        switch (element) {
          case "String", "Guid", "DateTime", "DateTimeOffset", "TimeSpan" -> "string";
          case "Boolean" -> "boolean";
          case "Int16", "Int32", "Int64", "Long", "Single", "Double", "Decimal" -> "number";
          default -> "any";
        };
    return array ? type + "[]" : type;
  }
}
