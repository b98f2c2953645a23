/**
 * Describes the HTTP API: an {@link skein.openapi.Operation} stands beside each route, and {@link
 * skein.openapi.OpenApi} makes the OpenAPI document of all of them, {@link
 * skein.openapi.ReferencePage} the page for readers. Plain values; knows nothing of what the routes
 * do.
 *
 * <p>Start reading at {@link skein.openapi.Operation}.
 */
@NullMarked
package skein.openapi;

import org.jspecify.annotations.NullMarked;
