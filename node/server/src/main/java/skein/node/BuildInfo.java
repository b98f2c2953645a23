package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The data that the build wrote into the jar. */
record BuildInfo(String version, String postgresql) {
  static BuildInfo read() {
    try (var in = BuildInfo.class.getResourceAsStream("build.properties")) {
      var properties = new Properties();
      properties.load(in);
      return new BuildInfo(
          properties.getProperty("version", "unknown"),
          properties.getProperty("postgresql", "unknown"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
