package skein.openapi;

import org.jspecify.annotations.Nullable;

/**
 * An answer to a request that was done.
 *
 * @param status 200 to 599, or all of a hundred as {@code 2XX}
 * @param mediaType null: it has no body
 * @param shape of a body that is JSON; null for another
 */
public record Response(
    String status, String description, @Nullable String mediaType, @Nullable Shape shape) {}
