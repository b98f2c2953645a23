package skein.forms;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** The properties and items of a value that the keywords of a schema have evaluated. */
final class Evaluated {
  private final Set<String> properties = new HashSet<>();
  private final BitSet items = new BitSet();
  private boolean allProperties;
  private boolean allItems;

  void addProperty(String name) {
    properties.add(name);
  }

  void addAllProperties() {
    allProperties = true;
  }

  void addItem(int index) {
    items.set(index);
  }

  void addAllItems() {
    allItems = true;
  }

  boolean hasProperty(String name) {
    return allProperties || properties.contains(name);
  }

  boolean hasItem(int index) {
    return allItems || items.get(index);
  }

  int size() {
    return properties.size() + items.size() / Long.SIZE;
  }

  void addAll(Evaluated other) {
    properties.addAll(other.properties);
    items.or(other.items);
    allProperties |= other.allProperties;
    allItems |= other.allItems;
  }
}
