package skein.node.doctor;

import java.util.regex.Pattern;
import skein.peers.PrivateFile;

/** Advice about settings that cannot be used. */
final class ConfigurationCheck {
  private static final Pattern KEY = Pattern.compile("^([a-z][A-Za-z0-9.-]*): ");

  private ConfigurationCheck() {}

  /** {@code problem}: a sentence that begins with the key. */
  static Diagnosis of(String problem) {
    if (problem.contains(PrivateFile.OPEN)) {
      return Diagnosis.failed(
          "permissions", problem, "chmod 600 the file that the setting names, as its owner");
    }
    var key = KEY.matcher(problem);
    return Diagnosis.failed(
        "configuration",
        problem,
        key.find()
            ? "correct " + key.group(1) + " where it is set; conf/README.md describes it"
            : "correct it; conf/README.md describes all settings");
  }
}
