package skein.node.cli;

/** Paths of instances below the API. */
final class InstancePath {
  static final String ALL = "/workflow-instances";

  private InstancePath() {}

  /** {@code more}: what follows the instance, such as {@code /journal}; may be empty. */
  static String of(String id, String more) {
    return ALL + "/" + RemoteOptions.encoded(id) + more;
  }
}
