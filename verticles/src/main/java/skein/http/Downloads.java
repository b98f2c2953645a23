package skein.http;

/** Names of files that a browser saves. */
final class Downloads {
  private Downloads() {}

  /** A Content-Disposition whose file name has letters, digits, dots and dashes alone. */
  static String attachment(String fileName) {
    var safe = fileName.replaceAll("[^A-Za-z0-9._-]", "_");
    return "attachment; filename=\"" + safe + "\"";
  }
}
