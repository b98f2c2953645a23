package skein.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node looks for in itself when it is asked for its readiness.
 *
 * @param name as readiness says it
 * @param vital whether trouble makes the node unready; else it is told alone
 * @param trouble a sentence, or null when all is well; quick, from any thread
 */
public record SelfCheck(String name, boolean vital, Supplier<@Nullable String> trouble) {}
