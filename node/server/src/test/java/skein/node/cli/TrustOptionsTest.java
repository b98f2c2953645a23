package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TrustOptionsTest {
  private static final Map<String, String> ENVIRONMENT = Map.of("SKEIN_CA_FILE", " /env/ca.pem ");

  private static TrustOptions given(String... arguments) {
    var options = new TrustOptions();
    new CommandLine(options).parseArgs(arguments);
    return options;
  }

  private static Profile profile(String caFile) {
    return new Profile(null, null, null, Path.of(caFile));
  }

  @Test
  void the_option_comes_before_the_profile_and_that_before_the_environment() {
    var profile = profile("/profile/ca.pem");
    assertThat(given("--ca-file", "/option/ca.pem").file(profile, ENVIRONMENT))
        .isEqualTo(Path.of("/option/ca.pem"));
    assertThat(given().file(profile, ENVIRONMENT)).isEqualTo(Path.of("/profile/ca.pem"));
    assertThat(given().file(Profile.NONE, ENVIRONMENT)).isEqualTo(Path.of("/env/ca.pem"));
  }

  @Test
  void without_any_of_them_what_java_trusts_counts() {
    assertThat(given().file(Profile.NONE, Map.of())).isNull();
    assertThat(given().file(Profile.NONE, Map.of("SKEIN_CA_FILE", " "))).isNull();
  }
}
