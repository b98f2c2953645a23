package skein.activities;

import org.jspecify.annotations.Nullable;

/**
 * A variable of a workflow or of a container.
 *
 * @param typeName with {@code []} behind it where the variable is an array
 * @param defaultValue a JSON value, already of that type
 */
public record VariableDeclaration(
    String id, String name, String typeName, @Nullable Object defaultValue) {}
