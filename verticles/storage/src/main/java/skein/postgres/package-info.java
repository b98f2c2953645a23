/**
 * Connections to PostgreSQL: URIs, TLS and what failures mean. For the engine's own database and
 * for those that definitions name. May import the PostgreSQL client alone.
 */
@NullMarked
package skein.postgres;

import org.jspecify.annotations.NullMarked;
