package skein.node.bench;

/** What can be asked for. */
public enum ScenarioName {
  START,
  RESUME,
  EVENT,
  HOT,
  HTTP
}
