package skein.node.hazelcast;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a node that it sends to the others as it joins, beside its configuration.
 *
 * @param databaseId names the database, the same on all nodes that use it; empty: not known
 * @param activities the types of the activities of your own that it has
 * @param addresses where it finds them, and they find it; null: the configuration says where they
 *     are
 */
public record MemberFacts(
    String databaseId, Set<String> activities, @Nullable NodeAddresses addresses) {
  public MemberFacts(String databaseId, Set<String> activities) {
    this(databaseId, activities, null);
  }
}
