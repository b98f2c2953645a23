package skein.http;

/**
 * A definition with a wait, a decision and a variable, for tests of what is shown of many
 * instances.
 */
final class OrderWorkflow {
  static final String ID = "order";

  /**
   * Sets "Stage", waits for "Paid", and then to "reviewed" where Amount is above 10, else to
   * "sent".
   */
  static final String JSON =
      """
      {"definitionId": "order", "name": "Order",
       "inputs": [{"name": "Amount", "type": "Int64"}],
       "variables": [{"id": "stage", "name": "Stage", "typeName": "String", "value": "new"}],
       "root": {"type": "Elsa.Flowchart", "id": "flow", "activities": [%s, %s, %s, %s,
         {"type": "Elsa.FlowDecision", "id": "large", "condition":
           {"typeName": "Boolean", "expression": {"type": "JavaScript", "value": "getInput('Amount') > 10"}}}],
        "connections": [%s, %s, %s, %s]}}
      """
          .formatted(
              set("ask", "asked"),
              set("review", "reviewed"),
              set("send", "sent"),
              """
              {"type": "Elsa.Event", "id": "paid",
               "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Paid"}}}\
              """,
              connection("ask", "Done", "paid"),
              connection("paid", "Done", "large"),
              connection("large", "True", "review"),
              connection("large", "False", "send"));

  private OrderWorkflow() {}

  private static String set(String id, String value) {
    return """
    {"type": "Elsa.SetVariable", "id": "%s", "variable": {"id": "stage", "name": "Stage"},
     "value": {"typeName": "String", "expression": {"type": "Literal", "value": "%s"}}}\
    """
        .formatted(id, value);
  }

  private static String connection(String from, String port, String to) {
    return """
    {"source": {"activity": "%s", "port": "%s"}, "target": {"activity": "%s"}}\
    """
        .formatted(from, port, to);
  }
}
