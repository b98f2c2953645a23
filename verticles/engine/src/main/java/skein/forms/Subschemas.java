package skein.forms;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the keywords of one schema find the schemas below it, and report its errors. */
interface Subschemas {
  void problem(String place, String what);

  /** Its keywords are read later; so no form is too deep or too long for the stack. */
  Schema schema(@Nullable Object json, String place, Resource from);

  /** Null, and a problem, when nothing in the form is meant. */
  @Nullable Schema referenced(String reference, Schema by);

  /** The schemas with such an anchor, by their resources. */
  Map<Resource, Schema> dynamicAnchors(String name);

  Map<Resource, Schema> recursiveAnchors();

  /** Null, and a problem, when it is refused. */
  @Nullable FormPattern pattern(String text, String place);
}
