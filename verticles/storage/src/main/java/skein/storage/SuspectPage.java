package skein.storage;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Some of the rows that contradict others, in the order of their ids.
 *
 * @param next where the next page begins; null: this was the last
 * @param counts of what the page holds, by status or kind
 */
public record SuspectPage(
    List<Suspect> suspects, @Nullable String next, Map<String, Long> counts) {}
