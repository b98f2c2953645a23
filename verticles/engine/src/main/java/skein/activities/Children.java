package skein.activities;

import java.util.List;

/** The one place where containers learn which of their children they run. */
final class Children {
  private Children() {}

  static List<ActivityNode> of(ActivityNode node, Port port) {
    return node.runnable(port);
  }

  static List<ActivityNode> runnable(List<ActivityNode> children) {
    return children.stream().anyMatch(ActivityNode::detached)
        ? children.stream().filter(child -> !child.detached()).toList()
        : children;
  }
}
