package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.docker.Observability;

/**
 * The dashboards, read strictly as the types that Grafana publishes. Skipped where there is no
 * Node, or npm cannot fetch them.
 */
@Tag("long")
class DashboardTypesIT {
  private static final String HEAD = "import type { Dashboard } from './dashboard';\n";

  /** What the compiler of TypeScript says; empty when it finds nothing. */
  private static String compiled(String name, String text)
      throws IOException, InterruptedException {
    var folder = ClientTools.dashboards();
    Files.writeString(folder.resolve(name), text);
    var compiler =
        new ProcessBuilder(
                "node",
                "node_modules/typescript/bin/tsc",
                "--noEmit",
                "--strict",
                "--skipLibCheck",
                "--module",
                "esnext",
                "--moduleResolution",
                "bundler",
                "--target",
                "es2022",
                name)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    var said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(compiler.waitFor()).as(said).isEqualTo(said.isEmpty() ? 0 : 2);
    return said;
  }

  private static String constant(int number, String json) {
    return "export const dashboard%d: Dashboard = %s;\n".formatted(number, json);
  }

  @Test
  void every_dashboard_has_members_and_values_that_grafana_knows() throws Exception {
    var text = new StringBuilder(HEAD);
    int number = 0;
    for (var file : Observability.dashboards()) {
      text.append(constant(number++, Files.readString(file)));
    }

    assertThat(compiled("all.ts", text.toString())).isEmpty();
  }

  @Test
  void what_is_misspelt_is_found() throws Exception {
    var good = Files.readString(Observability.dashboards().getFirst());
    var text = new StringBuilder(HEAD);
    int number = 0;
    for (var mistake :
        new String[][] {
          {"\"reduceOptions\"", "\"reducedOptions\""},
          {"\"overrides\"", "\"override\""},
          {"\"includeAll\"", "\"includesAll\""},
          {"\"type\": \"timeseries\"", "\"type\": \"graph\""},
          {"\"mode\": \"multi\"", "\"mode\": \"many\""}
        }) {
      assertThat(good).contains(mistake[0]);
      text.append(constant(number++, good.replace(mistake[0], mistake[1])));
    }

    assertThat(compiled("wrong.ts", text.toString()))
        .contains("reducedOptions", "override", "includesAll", "graph", "many");
  }
}
