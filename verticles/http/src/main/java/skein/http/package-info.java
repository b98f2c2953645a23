/**
 * The HTTP server: Elsa's REST API under {@code /elsa/api}, workflows that answer requests under
 * {@code /workflows}, resume links, health.
 *
 * <p>A request becomes a {@link skein.http.Call}; a method of a {@code …Routes} class answers it
 * with an {@link skein.http.Answer} or fails; {@link skein.http.Problems} makes the answer for a
 * failure. Nothing is decided here: work goes through {@code skein.ingress} and {@code
 * skein.definitions}, or to a handler of {@link skein.http.HttpHandlers}; reads come from {@code
 * skein.storage}. Files come in through {@link skein.http.Uploads}, within limits, and go out as an
 * {@link skein.http.Answer.Flow} that is written in step with the client. The only package that
 * imports Vert.x Web. It never imports {@code skein.execution} or {@code skein.timers}.
 *
 * <p>Start reading at {@link skein.http.ApiRoutes}, then {@link skein.http.StartRoutes}; {@link
 * skein.http.HttpVerticle} is the server. {@link skein.http.RouteTable} says who may use each
 * route.
 */
@NullMarked
package skein.http;

import org.jspecify.annotations.NullMarked;
