package skein.activities;

import java.util.Locale;

/** How an activity in a flowchart of tokens treats its inbound connections. */
enum MergeMode {
  /** Runs unless a token is still at one of the activities that lead to it directly. */
  STREAM,
  /** Runs when each connection that leads forward to it holds a token. */
  MERGE,
  /** Runs when every connection that leads to it holds a token, also those that lead back. */
  CONVERGE,
  /** Runs for each token. */
  CASCADE,
  /** Runs for the first token; what else leads to it is cancelled, or comes too late. */
  RACE;

  /** A join says it by its own mode, everything else by {@code customProperties.mergeMode}. */
  static MergeMode of(ActivityNode node, ActivityContext context) {
    if (node.activity() instanceof FlowJoin) {
      var mode = FlowJoin.Mode.of(context.evaluate(node, FlowJoin.MODE));
      return mode == FlowJoin.Mode.WAIT_ANY ? RACE : MERGE;
    }
    var custom = Json.object(node.raw("customProperties"));
    var name = custom == null ? null : Json.text(custom, "mergeMode");
    return switch (name == null ? "" : name.toLowerCase(Locale.ROOT)) {
      case "merge" -> MERGE;
      case "converge" -> CONVERGE;
      case "cascade" -> CASCADE;
      case "race" -> RACE;
      default -> STREAM;
    };
  }
}
