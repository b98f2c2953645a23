package skein.node;

import io.vertx.core.Vertx;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.storage.Database;

/** The base of all parts of a node; started before them, stopped after them. */
record Platform(Vertx vertx, Cluster cluster, Locks locks, Database database) {}
