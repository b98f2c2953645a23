package skein.exchange;

import skein.graph.Graph;

/** Paths of activities in a file: the workflow's own id, which they begin with, may differ here. */
final class NodePaths {
  private NodePaths() {}

  /** With the id that the workflow has here, where the path is not known as it stands. */
  static String here(Graph graph, String path) {
    var root = graph.root().nodeId();
    var known = graph.node(path) != null;
    return known || path.indexOf(':') < 0 || root.indexOf(':') < 0
        ? path
        : root.substring(0, root.indexOf(':')) + path.substring(path.indexOf(':'));
  }
}
