package skein.exchange;

import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;

/**
 * The version of a definition that an activity is a use of.
 *
 * @param typeName the type name that the definition has as an activity
 * @param published its published version; null when it has none
 */
public record UsedVersion(
    WorkflowDefinition definition, String typeName, @Nullable DefinitionRef published) {}
