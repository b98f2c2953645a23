package skein.activities;

import org.jspecify.annotations.Nullable;

/**
 * An execution as its parent sees it.
 *
 * @param execution its number
 * @param tag what the parent gave it
 * @param faulted it will never complete by itself
 */
public record Child(int execution, ActivityNode node, @Nullable String tag, boolean faulted) {}
