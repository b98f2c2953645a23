/**
 * Tests of what {@code docker} brings for Kubernetes, Helm, Prometheus and Grafana: read as those
 * read it, against the settings and metrics that a node really has.
 */
@NullMarked
package skein.docker;

import org.jspecify.annotations.NullMarked;
