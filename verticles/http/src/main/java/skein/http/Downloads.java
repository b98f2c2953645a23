package skein.http;

/** Names of files that a browser saves. */
final class Downloads {
  private Downloads() {}

  /** A Content-Disposition whose file name has letters, digits, dots and dashes alone. */
  static String attachment(String fileName) {
    return "attachment; filename=\"" + safe(fileName) + "\"";
  }

  /** Letters, digits, dots and dashes stay. */
  static String safe(String fileName) {
    return fileName.replaceAll("[^A-Za-z0-9._-]", "_");
  }
}
