package skein.node.verify;

import java.util.List;
import java.util.stream.Collectors;

/** Where the checks work: the nodes that answered, and what is to be removed in the end. */
record Site(List<NodeView> nodes, Traces traces) {
  int size() {
    return nodes.size();
  }

  /** In turn: after the last node the numbers continue with the first. */
  NodeView node(int number) {
    return nodes.get(Math.floorMod(number, nodes.size()));
  }

  NodeClient client(int number) {
    return node(number).client();
  }

  String names() {
    return nodes.stream().map(NodeView::name).collect(Collectors.joining(", "));
  }
}
