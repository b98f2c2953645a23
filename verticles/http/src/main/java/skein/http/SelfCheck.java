package skein.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A check of a node on itself for its readiness.
 *
 * @param name as readiness says it
 * @param vital whether trouble makes the node unready; else it is only reported
 * @param trouble a sentence, or null when all is well; quick, from any thread
 */
public record SelfCheck(String name, boolean vital, Supplier<@Nullable String> trouble) {}
