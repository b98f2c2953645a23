package skein.model;

/**
 * Points at one immutable version of a workflow definition.
 *
 * @param definitionId shared by all versions
 * @param versionId names this version alone (Elsa's {@code id})
 * @param version 1 or more
 */
public record DefinitionRef(String definitionId, String versionId, int version) {}
