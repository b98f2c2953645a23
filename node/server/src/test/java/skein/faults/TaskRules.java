package skein.faults;

import static java.util.stream.Collectors.groupingBy;

import skein.faults.Operation.Kind;

/** U1: of those who claim a user task at once, one has it. None gives it back. */
final class TaskRules {
  private TaskRules() {}

  static void check(Evidence evidence, Anomalies anomalies) {
    evidence.operations().stream()
        .filter(operation -> operation.kind() == Kind.CLAIM && operation.isOk())
        .collect(groupingBy(claim -> claim.target().instance() + " " + claim.target().step()))
        .forEach((task, claims) ->
            anomalies.addIf(claims.size() > 1, "U1 task-claimed-by-several", task, claims));
  }
}
