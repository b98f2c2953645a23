package skein.node.metrics;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import skein.storage.ServerFigures;

/**
 * What is asked for where it is, since nobody needs to count it.
 *
 * @param invalidations definitions that this node was told to drop
 * @param locking as PostgreSQL said it last
 */
public record Rest(
    IntSupplier members,
    LongSupplier invalidations,
    IntSupplier connectionsOpen,
    IntSupplier connectionsMax,
    Supplier<ServerFigures.Locking> locking) {}
