package skein.node;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.node.ConsoleUser.count;
import static skein.node.ConsoleUser.grows;
import static skein.node.ConsoleUser.says;
import static skein.node.ConsoleUser.seen;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What an operator looks at and does in the views of the console of a busy cluster, each of them at
 * another node than the one before, and mostly without a mouse.
 */
final class ConsoleViews {
  /** The parts into which instances are divided. */
  static final int PARTS = 271;

  private static final int NODES = 3;
  private static final Pattern PARTS_OF_NODE = Pattern.compile("(n\\d): (\\d+)");
  private static final Duration CHANGED_MAX = Duration.ofSeconds(20);
  private static final String SCHEDULE = "nightly";
  private static final String LOGGER = "skein.demo";
  private static final String LEVEL_CHANGED = "logging.levelChanged";

  private final BusyCluster cluster;
  private final ConsoleUser user;

  ConsoleViews(BusyCluster cluster, ConsoleUser user) {
    this.cluster = cluster;
    this.user = user;
  }

  /** Counts that grow, and all nodes. */
  void overview(String definition) {
    user.visit("");
    says(figure(user, "Nodes ready"), "3 / 3");
    says(user.live(), "Live");
    grows(figure(user, "Completed"));
    grows(user.row("By definition", definition).locator("td").nth(1));
    user.usableByAll();
  }

  static Locator figure(ConsoleUser user, String label) {
    return user.page()
        .locator(".figure", new Page.LocatorOptions().setHasText(label))
        .locator("strong");
  }

  /**
   * The list, the diagram of one, and the heat map of what has run until now.
   *
   * @param count how many there are
   */
  void definitions(int count, String definition) {
    user.visit("/definitions");
    count(user.rows("Definitions"), count);
    user.choose(definition);
    says(user.page().locator("h1"), definition);
    seen(user.page().locator(".diagram text.name").getByText("approve"));
    user.usableByAll();
    user.visit("/definitions/" + definition);
    user.choose("Heat map");
    seen(user.page().locator(".diagram .hot").first());
    assertThat(user.page().locator("main"))
        .containsText(Pattern.compile("[1-9][0-9,]* instances of this version"));
    user.usableByAll();
  }

  /**
   * A search while the list grows, the instance that it finds, and its history.
   *
   * @param busy the definition of instances that are started all the time
   * @param resumed an instance that was resumed once and waits for "wait2"
   */
  void instances(String busy, String resumed) {
    user.visit("/instances?definition=" + busy);
    grows(user.page().locator(".head .sub"));
    user.usableByAll();
    user.visit("/instances");
    grows(user.page().locator(".head .sub"));
    user.press("/");
    user.type(resumed);
    count(user.page().locator(".grid .view .row"), 1);
    user.goTo("Instances");
    user.press("j", "Enter");
    says(user.page().locator("h1"), resumed);
    says(user.page().locator(".head"), "Waits for wait2 (Event)");
    user.choose("History");
    says(user.page().locator("main"), "Burst 2 of 2");
    user.choose("Burst before");
    says(user.page().locator("main"), "Burst 1 of 2");
    user.usableByAll();
  }

  /**
   * A timer and a schedule of one node, which is paused at another and seen to be so at the third.
   *
   * @param delayed an instance that waits for a time
   * @param definition what the schedule starts
   */
  void time(String delayed, String definition) {
    var schedule =
        new JsonObject()
            .put("id", SCHEDULE)
            .put("definitionId", definition)
            .put("cron", "0 30 2 * * ?")
            .put("timeZone", "Europe/Zurich");
    cluster.api(1).http().post("/elsa/api/schedules", schedule).orThrow();
    user.visit("/time");
    seen(user.row("Timers due", delayed));
    says(user.row("Schedules", SCHEDULE), "Active");
    user.choose("Pause");
    says(user.row("Schedules", SCHEDULE), "Paused");
    user.visit("/time");
    says(user.row("Schedules", SCHEDULE), "Paused");
    user.usableByAll();
    user.visit("/time/" + SCHEDULE);
    says(user.page().locator("main"), "Paused");
    user.usableByAll();
  }

  /**
   * Nodes with their parts, locks, and a log level that is set for all nodes.
   *
   * @param reader another user, who follows the log of a node, and is told there of the level
   */
  void cluster(ConsoleUser reader) {
    reader.visit("/cluster/n2?tab=log");
    var lines = reader.page().locator(".log div");
    seen(lines.first());
    int before = lines.count();
    assertThat(Eventually.isTrue(CHANGED_MAX, () -> lines.count() > before)).isTrue();
    reader.type("Find", LEVEL_CHANGED);
    count(lines, 0);
    reader.usableByAll();

    user.visit("/cluster");
    count(user.rows("Nodes"), NODES);
    for (int node = 1; node <= NODES; node++) {
      says(user.row("Nodes", "n" + node), "READY");
    }
    var parts = parts(user);
    assertThat(parts).containsOnlyKeys("n1", "n2", "n3");
    assertThat(parts.values()).allMatch(count -> count > 0);
    assertThat(sum(parts)).isEqualTo(PARTS);
    count(user.page().locator(".cells .cell"), PARTS);
    user.usableByAll();

    user.goTo("Refresh: Locks");
    boolean locked =
        Eventually.isTrue(
            CHANGED_MAX,
            () -> {
              user.press("Enter");
              return user.rows("Locks").count() > 0;
            });
    assertThat(locked).isTrue();

    user.choose("Set…");
    user.type("Logger", LOGGER);
    user.choose("Set");
    count(user.row("Log levels", LOGGER), NODES);
    says(lines, LOGGER);
  }

  /** How many each node owns, by its name. */
  static Map<String, Long> parts(ConsoleUser user) {
    var found = new LinkedHashMap<String, Long>();
    var label = user.page().locator(".cells").getAttribute("aria-label");
    PARTS_OF_NODE
        .matcher(label)
        .results()
        .forEach(part -> found.put(part.group(1), Long.valueOf(part.group(2))));
    return found;
  }

  static long sum(Map<String, Long> parts) {
    return parts.values().stream().mapToLong(Long::longValue).sum();
  }
}
