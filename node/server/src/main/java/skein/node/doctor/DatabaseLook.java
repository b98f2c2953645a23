package skein.node.doctor;

import skein.node.config.NodeConfig;
import skein.storage.DatabaseProbe;

/** Asks the database. */
public interface DatabaseLook {
  /** Throws what a node that starts would end with. */
  DatabaseProbe.Facts at(NodeConfig config);
}
