package skein.node;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.node.ConsoleUser.count;
import static skein.node.ConsoleUser.grows;
import static skein.node.ConsoleUser.says;
import static skein.node.ConsoleUser.seen;
import static skein.node.ConsoleViews.figure;
import static skein.node.ConsoleViews.parts;
import static skein.node.ConsoleViews.sum;

import com.microsoft.playwright.assertions.LocatorAssertions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.http.Browser;

/**
 * The console of a cluster of three nodes that start 100 instances and resume 100 a second, in a
 * real browser: each view is opened at another node than the one before it, what one node does is
 * seen at the others, and the node that the browser is connected to is killed.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
@Tag("alone")
class ConsoleClusterIT {
  private static final int NODES = 3;
  private static final int WARM = 400;
  private static final int MORE = 300;

  /** Changes that are made to each page, and the time from one to the next. */
  private static final int CHANGES = 24;

  private static final Duration CHANGE_INTERVAL = Duration.ofMillis(150);
  private static final Duration ALL_SHOWN_MAX = Duration.ofSeconds(30);
  private static final long LAG_MILLIS_MAX = 5_000;

  /** From the death of a node to the page of another that no longer has it. */
  private static final Duration GONE_MAX = Duration.ofSeconds(15);

  /**
   * From the death of a node to its own pages that say so, also those that ask every ten seconds.
   */
  private static final Duration SAID_MAX = Duration.ofSeconds(20);

  /** From a node that is ready again to its pages that go on. */
  private static final Duration BACK_MAX = Duration.ofSeconds(15);

  private static final Duration OWNS_MAX = Duration.ofSeconds(30);

  private static final String LOAD = "busy";
  private static final String ORDER = "console-order";
  private static final String WATCHED = "console-watched";
  private static final String LISTED = "console-listed";
  private static final String TASK = "console-task";
  private static final String DELAY = "console-delay";
  private static final int DEFINITIONS = 6;
  private static final int DELAY_SECONDS = 3_600;
  private static final String TITLE = "Check the order";
  private static final String PERSON = "ann";

  private static @Nullable Browser opened;
  private static @Nullable BusyCluster started;

  private final List<ConsoleUser> users = new ArrayList<>();

  @BeforeAll
  static void start(TestPostgres postgres) {
    opened = new Browser();
    var settings =
        Map.of(
            "console.enabled",
            "true",
            "metrics.counts-interval",
            "1s",
            "metrics.counts-busy-max",
            "100");
    started = new BusyCluster(postgres, LOAD, settings);
    var api = cluster().api(0);
    api.publish(Workflows.events(ORDER, 2));
    api.publish(Workflows.events(WATCHED, CHANGES + 1));
    api.publish(Workflows.approval(LISTED));
    api.publish(Workflows.userTask(TASK, TITLE, PERSON));
    api.publish(Workflows.delay(DELAY, DELAY_SECONDS));
    cluster().awaitMore(WARM);
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
    if (opened != null) {
      opened.close();
    }
  }

  private static Browser browser() {
    return Objects.requireNonNull(opened);
  }

  private static BusyCluster cluster() {
    return Objects.requireNonNull(started);
  }

  @AfterEach
  void leave() {
    users.forEach(ConsoleUser::close);
    browser().errors();
  }

  /**
   * @param node at which the first view is opened
   */
  private ConsoleUser user(int node) {
    var user = new ConsoleUser(browser(), cluster().nodes(), node - 1);
    users.add(user);
    return user;
  }

  /** One page for each of these views. */
  private List<ConsoleUser> usersAt(int node, String... paths) {
    var found = new ArrayList<ConsoleUser>();
    for (var path : paths) {
      var user = user(node);
      user.visit(path);
      found.add(user);
    }
    return found;
  }

  @Test
  void each_view_shows_the_work_of_all_nodes_wherever_it_is_opened() {
    var order = cluster().api(0).start(ORDER);
    cluster().api(1).resume(order).orThrow();
    var delayed = cluster().api(0).start(DELAY);
    var user = user(0);
    var views = new ConsoleViews(cluster(), user);

    views.overview(LOAD);
    views.definitions(DEFINITIONS, LOAD);
    views.instances(LOAD, order);
    views.time(delayed, ORDER);
    views.cluster(user(0));
    user.visit("/audit");
    user.usableByAll();

    assertThat(browser().errors()).isEmpty();
    assertThat(cluster().failed()).isEmpty();
  }

  @Test
  void an_instance_that_is_resumed_by_a_link_is_seen_to_move_at_another_node() {
    var id = cluster().api(0).start(ORDER);
    var watcher = user(0);
    watcher.visit("/instances/" + id);
    says(watcher.page().locator(".head"), "Waits for wait1 (Event)");
    var operator = user(1);
    operator.visit("/instances/" + id + "?tab=waits");
    seen(operator.button("Make a link"));
    operator.choose("Make a link");
    var code = operator.page().locator(".secret code");
    says(code, "/workflows/resume/");
    var link = code.textContent();

    var answer = cluster().api(2).resumeByToken(link.substring(link.lastIndexOf('/') + 1));

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    says(watcher.page().locator(".head"), "Waits for wait2 (Event)");
    says(operator.page().locator(".head"), "Waits for wait2 (Event)");
    operator.usableByAll();
    operator.choose("Resume");
    operator.choose("Resume"); // in the dialog
    says(watcher.page().locator(".head .status"), "Completed");
    watcher.usableByAll();
    assertThat(browser().errors()).isEmpty();
  }

  @Test
  void a_task_that_is_claimed_and_completed_at_one_node_is_seen_to_be_so_at_another() {
    var watcher = user(0);
    watcher.visit("/tasks");
    says(watcher.page().locator("main"), "No task is open.");
    cluster().api(2).start(TASK);
    var row = watcher.row("Tasks", TITLE);
    seen(row);
    watcher.usableByAll();

    var person = user(1);
    person.visit("/tasks");
    person.type("You act as", PERSON);
    person.choose(TITLE);
    seen(person.button("Claim"));
    person.choose("Claim");
    seen(person.button("Give back"));
    says(row.locator("td").nth(3), PERSON);
    person.usableByAll();
    person.choose("Complete");
    says(person.page().locator("main"), "The task is completed.");

    says(watcher.page().locator("main"), "No task is open.");
    assertThat(browser().errors()).isEmpty();
  }

  /** From the request that leads to a commit, at one node, to the page of another. */
  @Test
  void what_is_committed_is_shown_soon() {
    var ids =
        IntStream.range(0, NODES).mapToObj(node -> cluster().api(node).start(WATCHED)).toList();
    var revisions =
        IntStream.range(0, NODES)
            .mapToObj(
                node -> numberAt(node, "/instances/" + ids.get(node), ".facts div:last-child dd"))
            .toList();
    cluster().api(0).start(LISTED);
    var listed = numberAt(1, "/instances?definition=" + LISTED, ".head .sub");

    for (int change = 0; change < CHANGES; change++) {
      for (int node = 0; node < NODES; node++) {
        revisions.get(node).begins();
        cluster().api(node + 1).resume(ids.get(node)).orThrow();
      }
      listed.begins();
      cluster().api(change).start(LISTED);
      Eventually.pause(CHANGE_INTERVAL);
    }

    var numbers = new ArrayList<>(revisions);
    numbers.add(listed);
    assertThat(numbers).allMatch(number -> number.awaitAll(ALL_SHOWN_MAX));
    var lags = numbers.stream().flatMapToLong(ShownNumber::lagMillis).toArray();
    Measured.say(
        "console",
        "%d commits on four pages, beside %d starts and resumes a second: shown after %s",
        lags.length,
        cluster().rate(),
        Measured.percentiles(lags));
    assertThat(lags).hasSize((NODES + 1) * CHANGES);
    assertThat(Arrays.stream(lags)).allMatch(lag -> lag >= 0 && lag < LAG_MILLIS_MAX);
    assertThat(browser().errors()).isEmpty();
  }

  private ShownNumber numberAt(int node, String path, String selector) {
    var user = user(node);
    user.visit(path);
    says(user.live(), "Live");
    assertThat(user.page().locator(selector)).hasText(Pattern.compile("[0-9]"));
    return new ShownNumber(user.page(), selector);
  }

  @Test
  void a_node_that_is_killed_is_seen_to_be_gone_and_its_own_pages_wait_for_its_return() {
    var id = cluster().api(0).start(ORDER);
    var killed = cluster().nodes().node(2);
    var watcher = user(0);
    watcher.visit("/cluster");
    count(watcher.rows("Nodes"), NODES);
    assertThat(parts(watcher)).containsOnlyKeys("n1", "n2", "n3");
    var followers = usersAt(2, "", "/instances?definition=" + LOAD, "/instances/" + id, "/tasks");
    followers.forEach(user -> says(user.live(), "Live"));
    var others = usersAt(2, "/definitions");
    assertThat(browser().errors()).isEmpty();

    long since = System.nanoTime();
    killed.kill();

    count(watcher.rows("Nodes"), NODES - 1);
    double gone = Measured.seconds(since);
    awaitParts(watcher, "n1", "n2");
    double moved = Measured.seconds(since);
    says(watcher.page().locator("main"), "parts have just got another owner");
    for (var user : followers) {
      says(user.live(), "Reconnecting");
      says(user.banner(), "The node does not answer");
    }
    for (var user : others) {
      says(user.banner(), "The node does not answer");
    }
    double said = Measured.seconds(since);
    assertThat(moved).as("gone after %.1f s", gone).isLessThan(seconds(GONE_MAX));
    assertThat(said).isLessThan(seconds(SAID_MAX));
    says(watcher.live(), "Live");
    count(watcher.banner(), 0);
    others.getFirst().usableByAll();
    cluster().awaitMore(MORE);

    cluster().api(1).resume(id).orThrow();
    killed.start();
    killed.awaitReady();
    long ready = System.nanoTime();
    for (var user : followers) {
      assertThat(user.live()).hasText("Live", within(BACK_MAX));
    }
    for (var user : users) {
      count(user.banner(), 0);
    }
    double back = Measured.seconds(ready);
    says(figure(followers.getFirst(), "Nodes ready"), "3 / 3");
    grows(followers.get(1).page().locator(".head .sub"));
    says(followers.get(2).page().locator(".head"), "Waits for wait2 (Event)");
    count(watcher.rows("Nodes"), NODES);
    awaitParts(watcher, "n1", "n2", "n3");
    cluster().awaitMore(MORE);
    assertThat(cluster().failed()).isEmpty();
    var itsAddress = ":" + killed.http().base().getPort() + "/";
    assertThat(browser().errors())
        .allMatch(
            error -> error.startsWith("Failed to load resource") && error.contains(itsAddress));
    Measured.say(
        "console",
        "SIGKILL to one of three nodes: gone from the page after %.1f s, its parts after %.1f s;"
            + " its own pages say so after %.1f s, and go on %.1f s after it is ready; %d operations"
            + " without an answer",
        gone,
        moved,
        said,
        back,
        cluster().unknown());
  }

  /** Until a page shows that these nodes, and no others, own all parts. */
  private static void awaitParts(ConsoleUser watcher, String... nodes) {
    var owners =
        Eventually.get(
            OWNS_MAX,
            () -> parts(watcher),
            found -> found.keySet().equals(Set.of(nodes)) && sum(found) == ConsoleViews.PARTS);
    assertThat(owners).containsOnlyKeys(nodes);
    assertThat(sum(owners)).isEqualTo(ConsoleViews.PARTS);
    assertThat(owners.values()).doesNotContain(0L);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }

  private static LocatorAssertions.HasTextOptions within(Duration max) {
    return new LocatorAssertions.HasTextOptions().setTimeout((double) max.toMillis());
  }
}
