package skein.http;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * All pages, tabs and dialogs of the console, and how each is reached, for tests that look at every
 * one of them.
 */
final class ConsoleStops {
  private ConsoleStops() {}

  /**
   * Instances to look at, by their ids.
   *
   * @param waiting for an event, with a second version of its definition to migrate to
   * @param timed waits for an instant
   * @param ended with two bursts, so that its history has a moment before the last one
   */
  record Instances(String waiting, String timed, String faulted, String ended, String parent) {}

  /**
   * What the addresses of the pages name.
   *
   * @param definition of the instance that waits; it has a variable "Stage"
   */
  record Subjects(
      Instances instances, String definition, String task, String schedule, String node) {}

  /**
   * One page, tab or dialog.
   *
   * @param name also that of a file
   * @param path below that of the console
   * @param opening what is done once the page is there
   */
  record Stop(String name, String path, Opening opening) {
    boolean isDialog() {
      return name.contains("dialog");
    }
  }

  /** Opens a dialog, or chooses something on a page. */
  @FunctionalInterface
  interface Opening {
    void open(Page page);

    default Opening then(Opening next) {
      return page -> {
        open(page);
        next.open(page);
      };
    }
  }

  private static final Opening NOTHING = _ -> {};

  /** Goes to the page, waits until it has what it shows, and opens what is to be opened. */
  static void visit(Page page, String console, Stop stop) {
    page.navigate(console + stop.path());
    awaitContent(page);
    stop.opening().open(page);
    awaitContent(page);
  }

  static void awaitContent(Page page) {
    page.locator("main h1").first().waitFor();
    page.waitForFunction("() => !document.querySelector('[aria-busy]')");
  }

  static List<Stop> of(Subjects subjects) {
    var stops = new ArrayList<Stop>();
    stops.add(new Stop("overview", "", NOTHING));
    stops.add(new Stop("dialog-keyboard", "", page -> page.keyboard().press("?")));
    addInstances(stops, subjects);
    addInstance(stops, subjects.instances());
    addDefinitions(stops, subjects.definition());
    addTasks(stops, subjects.task());
    addTime(stops, subjects.schedule());
    addCluster(stops, subjects.node());
    addAccess(stops);
    stops.add(new Stop("audit", "/audit", NOTHING));
    stops.add(new Stop("audit-none", "/audit?actor=not-there", NOTHING));
    stops.add(new Stop("no-such-page", "/elsewhere", NOTHING));
    stops.add(new Stop("no-such-instance", "/instances/not-there", NOTHING));
    return List.copyOf(stops);
  }

  private static void addInstances(List<Stop> stops, Subjects subjects) {
    var of = "/instances?definition=" + encoded(subjects.definition());
    stops.add(new Stop("instances", "/instances", NOTHING));
    stops.add(new Stop("instances-none", "/instances?q=not-there", NOTHING));
    stops.add(new Stop("instances-by-value", of + "&data=Stage%3Dasked", NOTHING));
    stops.add(new Stop("dialog-save-view", of, press("Save this view…")));
    stops.add(new Stop("dialog-bulk-retry", "/instances", press("Retry…")));
    stops.add(new Stop("dialog-bulk-cancel", of, press("Cancel…")));
    stops.add(new Stop("dialog-bulk-migrate", of, press("Migrate…")));
    stops.add(new Stop("dialog-bulk-skip", of, press("Skip…")));
    stops.add(new Stop("dialog-bulk-delete", "/instances?status=Finished", press("Delete…")));
  }

  private static void addInstance(List<Stop> stops, Instances instances) {
    var waiting = "/instances/" + instances.waiting();
    var activity = pressFirst("main .node.waits > g[role=button]:not(.open)");
    stops.add(new Stop("instance", waiting, NOTHING));
    stops.add(new Stop("instance-activity", waiting, activity));
    stops.add(new Stop("dialog-skip", waiting, activity.then(press("Skip it…"))));
    stops.add(new Stop("dialog-run-again", waiting, activity.then(press("Run it again"))));
    stops.add(new Stop("dialog-resume", waiting, press("Resume")));
    stops.add(new Stop("dialog-migrate", waiting, press("Migrate…")));
    stops.add(new Stop("dialog-cancel", waiting, press("Cancel")));
    stops.add(new Stop("dialog-copy", waiting, press("Start a copy…")));
    stops.add(new Stop("dialog-bundle", waiting, press("Support bundle…")));
    stops.add(new Stop("dialog-delete", waiting, press("Delete")));
    for (var tab :
        List.of("timeline", "history", "variables", "waits", "family", "notes", "audit", "json")) {
      stops.add(new Stop("instance-" + tab, waiting + "?tab=" + tab, NOTHING));
    }
    stops.add(
        new Stop(
            "dialog-variable",
            waiting + "?tab=variables",
            pressStarting("main [role=region] button", "Change ")));
    stops.add(new Stop("instance-link", waiting + "?tab=waits", pressFirst("main .row-of button")));
    stops.add(
        new Stop(
            "dialog-postpone",
            "/instances/" + instances.timed() + "?tab=waits",
            press("Postpone…")));
    stops.add(
        new Stop(
            "dialog-fork",
            "/instances/" + instances.ended() + "?tab=history",
            press("Burst before").then(press("Fork from here…"))));
    stops.add(new Stop("instance-faulted", "/instances/" + instances.faulted(), NOTHING));
    stops.add(
        new Stop(
            "instance-incidents", "/instances/" + instances.faulted() + "?tab=incidents", NOTHING));
    stops.add(new Stop("instance-ended", "/instances/" + instances.ended(), NOTHING));
    stops.add(
        new Stop("instance-children", "/instances/" + instances.parent() + "?tab=family", NOTHING));
  }

  private static void addDefinitions(List<Stop> stops, String definition) {
    var one = "/definitions/" + encoded(definition);
    stops.add(new Stop("definitions", "/definitions", NOTHING));
    stops.add(new Stop("definitions-none", "/definitions?q=not-there", NOTHING));
    stops.add(new Stop("definition", one, NOTHING));
    stops.add(new Stop("definition-activity", one, pressFirst("main .node > g[role=button]")));
    for (var tab : List.of("usage", "inputs", "uses", "versions", "compare", "edit")) {
      stops.add(new Stop("definition-" + tab, one + "?tab=" + tab, NOTHING));
    }
    stops.add(new Stop("dialog-start", one, press("Start…")));
    stops.add(new Stop("dialog-retract", one, press("Retract")));
  }

  private static void addTasks(List<Stop> stops, String task) {
    stops.add(new Stop("tasks", "/tasks", NOTHING));
    stops.add(new Stop("tasks-claimed", "/tasks?of=claimed", NOTHING));
    stops.add(new Stop("task", "/tasks/" + encoded(task), NOTHING));
    stops.add(new Stop("dialog-hand-on", "/tasks/" + encoded(task), press("Hand on…")));
  }

  private static void addTime(List<Stop> stops, String schedule) {
    var one = "/time/" + encoded(schedule);
    stops.add(new Stop("time", "/time", NOTHING));
    stops.add(new Stop("schedule", one, NOTHING));
    stops.add(new Stop("dialog-trigger", one, press("Trigger now")));
    stops.add(new Stop("dialog-backfill", one, press("Backfill…")));
  }

  private static void addCluster(List<Stop> stops, String node) {
    stops.add(new Stop("cluster", "/cluster", NOTHING));
    stops.add(new Stop("dialog-pause", "/cluster", press("Pause the cluster…")));
    stops.add(new Stop("dialog-drain", "/cluster", press("Drain")));
    stops.add(new Stop("dialog-log-level", "/cluster", press("Set…")));
    for (var tab : List.of("state", "settings", "log")) {
      stops.add(new Stop("node-" + tab, "/cluster/" + encoded(node) + "?tab=" + tab, NOTHING));
    }
  }

  private static void addAccess(List<Stop> stops) {
    for (var tab : List.of("users", "roles", "keys")) {
      stops.add(new Stop("access-" + tab, "/access?tab=" + tab, NOTHING));
    }
    stops.add(new Stop("dialog-user", "/access?tab=users", press("Add a user…")));
    stops.add(new Stop("dialog-role", "/access?tab=roles", press("Add a role…")));
    stops.add(new Stop("dialog-key", "/access?tab=keys", press("Make an API key…")));
    stops.add(
        new Stop(
            "dialog-delete-user", "/access?tab=users", pressStarting("main button", "Delete ")));
    stops.add(
        new Stop("dialog-revoke-key", "/access?tab=keys", pressStarting("main button", "Revoke ")));
  }

  /** The first of the buttons with this accessible name. */
  private static Opening press(String name) {
    return page ->
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
            .first()
            .click();
  }

  private static Opening pressFirst(String selector) {
    return page -> page.locator(selector).first().click();
  }

  /** The first of these buttons whose accessible name begins so. */
  private static Opening pressStarting(String selector, String start) {
    return page ->
        page.locator(selector)
            .and(
                page.getByRole(
                    AriaRole.BUTTON,
                    new Page.GetByRoleOptions().setName(Pattern.compile("^" + start))))
            .first()
            .click();
  }

  static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
