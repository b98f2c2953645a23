package skein.openapi;

/**
 * A route with its description.
 *
 * @param method in capital letters; {@code *} is any
 * @param path the whole path, with {@code :name} for a parameter and {@code *} at the end for any
 *     rest
 * @param changing it may change something, and takes an {@code Idempotency-Key}
 */
public record DescribedRoute(String method, String path, boolean changing, Operation operation) {}
