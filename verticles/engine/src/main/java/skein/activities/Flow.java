package skein.activities;

import java.util.List;

/** Decides what runs next in one execution of a flowchart. Made for one call. */
interface Flow {
  void completed(Child child, List<String> outcomes);

  /** Whether nothing runs, waits, is faulted or is on its way. */
  boolean over();
}
