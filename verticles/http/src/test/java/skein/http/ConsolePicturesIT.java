package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Writes pictures of all pages, tabs and dialogs, light and dark, of a desktop and of a phone, into
 * the folder that {@code -Dskein.pictures} names, for people who look at them; in its folder
 * "pages" are those of the README, small enough to be kept. {@code -Dskein.pictures.only} takes a
 * regular expression of the names that are wanted.
 */
@Tag("long")
@EnabledIfSystemProperty(named = "skein.pictures", matches = ".+")
class ConsolePicturesIT {
  private static final int KEPT_BYTES_MAX = 40_000;

  private static final Map<String, int[]> SIZES =
      Map.of("desktop", new int[] {1360, 860}, "phone", new int[] {375, 720});

  /** Those of the README. */
  private static final List<String> KEPT =
      List.of(
          "overview",
          "instances",
          "instance-faulted",
          "definition-usage",
          "task",
          "schedule",
          "cluster",
          "access-users");

  /** As WebP of a quality from 0 to 1. */
  private static final String COMPRESS =
      """
      async ([data, quality]) => {
        const image = new Image();
        image.src = 'data:image/png;base64,' + data;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.width;
        canvas.height = image.height;
        canvas.getContext('2d').drawImage(image, 0, 0);
        return canvas.toDataURL('image/webp', quality).split(',')[1];
      }
      """;

  @RegisterExtension
  static final ConsoleVisitor<GuardedServer> CONSOLE = ConsoleVisitor.ofGuardedServer();

  private static final ConsoleWorld.Words USUAL = (usual, _) -> usual;

  private static GuardedServer server;
  private static List<ConsoleStops.Stop> stops;

  private final Path folder = Path.of(System.getProperty("skein.pictures", "target/pictures"));

  @BeforeAll
  static void start() throws Exception {
    server = CONSOLE.server();
    new ConsoleCluster(USUAL, false).serve(server);
    stops = ConsoleStops.of(ConsoleWorld.fill(server, USUAL));
  }

  private static boolean isWanted(String name) {
    return name.matches(System.getProperty("skein.pictures.only", ".*"));
  }

  @Test
  void of_all_pages_tabs_and_dialogs() throws IOException {
    Files.createDirectories(folder.resolve("pages"));
    var failures = new ArrayList<String>();
    for (var size : SIZES.entrySet()) {
      for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        CONSOLE.beginAnew(scheme);
        var page = CONSOLE.page();
        page.setDefaultTimeout(8_000);
        page.setViewportSize(size.getValue()[0], size.getValue()[1]);
        new ConsoleCluster(USUAL, false).answer(page);
        var suffix = size.getKey() + "-" + scheme.name().toLowerCase(Locale.ROOT);
        page.navigate(server.at("/console").toString());
        page.getByLabel("Name").waitFor();
        photograph(page, "sign-in", suffix, false);
        signIn(page);
        for (var stop : stops) {
          if (isWanted(stop.name())) {
            try {
              ConsoleStops.visit(page, server.at("/console").toString(), stop);
              photograph(page, stop.name(), suffix, !stop.isDialog());
            } catch (RuntimeException e) {
              failures.add(stop.name() + " " + suffix + ": " + e);
            }
          }
        }
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void of_the_tour_and_of_a_paused_cluster() throws Exception {
    Files.createDirectories(folder.resolve("pages"));
    for (var scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      CONSOLE.beginAnew(scheme);
      var page = CONSOLE.page();
      new ConsoleCluster(USUAL, true).answer(page);
      page.navigate(server.at("/console").toString());
      signIn(page);
      page.locator(".tour").waitFor();
      for (var size : SIZES.entrySet()) {
        page.setViewportSize(size.getValue()[0], size.getValue()[1]);
        var suffix = size.getKey() + "-" + scheme.name().toLowerCase(Locale.ROOT);
        photograph(page, "tour", suffix, true);
        pause("pause", "{\"reason\": \"The database is moved to another machine\"}");
        page.reload();
        page.locator(".banner").waitFor();
        photograph(page, "paused", suffix, false);
        pause("resume", "{}");
        page.reload();
        page.locator(".tour").waitFor();
      }
    }
  }

  private static void pause(String action, String body) throws IOException, InterruptedException {
    server.send("POST", server.api("/admin/workflow-runtime/" + action), server.admin(), body);
  }

  private static void signIn(Page page) {
    page.getByLabel("Name").fill(GuardedServer.ADMIN);
    page.getByLabel("Password").fill(GuardedServer.PASSWORD);
    page.getByLabel("Password").press("Enter");
    page.locator("nav.side-nav").waitFor();
  }

  private void photograph(Page page, String name, String suffix, boolean whole) throws IOException {
    if (!isWanted(name)) {
      return;
    }
    page.waitForTimeout(200); // until colours that fade have faded
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(folder.resolve(name + "-" + suffix + ".png"))
            .setFullPage(whole));
    if (KEPT.contains(name) && suffix.startsWith("desktop")) {
      keep(page.screenshot(), name + suffix.replace("desktop", "") + ".webp");
    }
  }

  /** In the best quality that is small enough. */
  private void keep(byte[] png, String name) throws IOException {
    var page = CONSOLE.browser().page(ColorScheme.LIGHT);
    var data = Base64.getEncoder().encodeToString(png);
    var kept = new byte[0];
    for (double quality = 0.9; quality > 0.1; quality -= 0.1) {
      kept = Base64.getDecoder().decode((String) page.evaluate(COMPRESS, List.of(data, quality)));
      if (kept.length <= KEPT_BYTES_MAX) {
        break;
      }
    }
    page.context().close();
    Files.write(folder.resolve("pages").resolve(name), kept);
  }
}
