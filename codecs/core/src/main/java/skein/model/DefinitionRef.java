package skein.model;

/**
 * Points at one immutable version of a workflow definition.
 *
 * @param definitionId shared by all versions
 * @param versionId names this version alone (Elsa's {@code id})
 * @param version 1 or more
 * @param tenant its owner, the same in all versions, and the owner of its instances; empty: the
 *     default tenant
 */
public record DefinitionRef(String definitionId, String versionId, int version, String tenant) {
  /** The default tenant, which owns everything where there are no others. */
  public static final String DEFAULT_TENANT = "";

  /** A definition of the default tenant. */
  public DefinitionRef(String definitionId, String versionId, int version) {
    this(definitionId, versionId, version, DEFAULT_TENANT);
  }

  /** The same definition as one of a tenant. */
  public DefinitionRef of(String owner) {
    return new DefinitionRef(definitionId, versionId, version, owner);
  }
}
