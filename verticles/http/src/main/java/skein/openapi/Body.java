package skein.openapi;

/**
 * The body of a request.
 *
 * @param required false: no body is as good as an empty object
 */
public record Body(String mediaType, Shape shape, boolean required) {}
