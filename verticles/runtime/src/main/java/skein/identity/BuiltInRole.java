package skein.identity;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Roles that every cluster has. */
public enum BuiltInRole {
  /** Sees what runs, and what could. */
  VIEWER(List.of(), reading()),
  /** Also starts, resumes, cancels, repairs, and looks after nodes. */
  OPERATOR(
      List.of(VIEWER),
      Set.of(
          "exec:workflow-definitions",
          "resume:workflow-instances",
          "cancel:workflow-instances",
          "delete:workflow-instances",
          "create:resume-tokens",
          "run:alterations",
          "trigger:event",
          "trigger:timers",
          "replay:bookmark-queue:dead-letters",
          "delete:bookmark-queue:dead-letters",
          "tasks:complete",
          "exec:jobs",
          "write:schedules",
          "read:user-tasks",
          "read:user-tasks:all",
          "write:user-tasks",
          "write:user-tasks:all",
          "read:audit",
          "ManageWorkflowRuntime")),
  /** Makes and publishes definitions, which is to run code on the nodes. */
  DESIGNER(
      List.of(VIEWER),
      Set.of(
          "write:workflow-definitions",
          "publish:workflow-definitions",
          "retract:workflow-definitions",
          "delete:workflow-definitions",
          "exec:workflow-definitions",
          "write:schedules")),
  /** Performs the tasks that are theirs or their groups'. */
  TASK_USER(List.of(), Set.of("read:user-tasks", "write:user-tasks")),
  /** Leases jobs and ends them; for programs. */
  WORKER(List.of(), Set.of("exec:jobs")),
  /** May do everything. */
  ADMIN(List.of(), Set.of(Permissions.EVERYTHING));

  @SuppressWarnings("ImmutableEnumChecker") // a copy, which is never changed
  private final Permissions permissions;

  BuiltInRole(List<BuiltInRole> based, Set<String> more) {
    var all = new HashSet<>(more);
    based.forEach(role -> all.addAll(role.permissions.names()));
    this.permissions = new Permissions(all);
  }

  private static Set<String> reading() {
    return Set.of(
        "read:workflow-definitions",
        "read:workflow-instances",
        "read:activity-execution",
        "read:alterations",
        "read:schedules",
        "read:jobs",
        "read:workflow-runtime",
        "read:bookmark-queue:dead-letters",
        "read:activity-descriptors",
        "read:activity-descriptors-options",
        "read:commit-strategies",
        "read:expression-descriptors",
        "read:incident-strategies",
        "read:log-persistence-strategies",
        "read:output-converters",
        "read:storage-drivers",
        "read:variable-descriptors",
        "read:workflow-activation-strategies",
        "read:workflow-context-providers",
        "read:installed-features",
        "read:resilience",
        "read:javascript-type-definitions");
  }

  /** As it is written: {@code task-user}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Permissions permissions() {
    return permissions;
  }

  /** The role with this name, in any letter case. */
  public static Optional<BuiltInRole> named(String name) {
    return Arrays.stream(values())
        .filter(role -> role.wireName().equalsIgnoreCase(name))
        .findFirst();
  }
}
