package skein.openapi;

/** The subjects of operations, in the order of the reference. */
public enum Tag {
  DEFINITIONS("Definitions", "Save, publish, read, export and delete workflow definitions."),
  STARTS("Starts", "Start instances of published definitions."),
  INSTANCES("Instances", "List, read, resume, cancel, delete, export and import instances."),
  JOURNAL("Journal", "What happened in an instance: journal and activity executions."),
  BOOKMARKS("Bookmarks", "Resume one bookmark: resume tokens and links."),
  EVENTS("Events and tasks", "Publish events, report results of tasks."),
  USER_TASKS("User tasks", "Tasks that people claim and complete."),
  JOBS("Jobs", "Work that programs outside the cluster lease and do, in any language."),
  SCHEDULES("Schedules", "Rules that start instances at points in time."),
  TIMERS("Timers", "Pending timers, and who fires them."),
  ALTERATIONS("Alterations", "Change and retry instances from outside."),
  ENDPOINTS("HTTP endpoints", "Requests to workflows that begin with or wait for a request."),
  DESIGNER("Designers", "What designers ask for: activities, types, features."),
  IDENTITY("Users and roles", "Sign in; users, roles and applications."),
  CLUSTER("Cluster", "Nodes, locks, log levels."),
  MAINTENANCE("Maintenance", "Scanner, retention, audit log."),
  HEALTH("Health", "Probes and metrics."),
  HUB("Hub", "Live updates for Elsa's clients, in SignalR's JSON protocol."),
  CONSOLE("Console", "The console, and the states that it follows."),
  REFERENCE("Reference", "This reference, for people and for tools.");

  private final String title;
  private final String description;

  Tag(String title, String description) {
    this.title = title;
    this.description = description;
  }

  public String title() {
    return title;
  }

  public String description() {
    return description;
  }
}
