package skein.node.doctor;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import skein.node.config.ConfigException;
import skein.node.config.NodeConfig;

/** Looks at everything that a node needs. */
public final class Doctor {
  private final Supplier<NodeConfig> configuration;
  private final DatabaseLook look;
  private final Clock clock;

  /**
   * @param configuration throws {@link ConfigException} when it cannot be used
   * @param clock by which certificates expire
   */
  public Doctor(Supplier<NodeConfig> configuration, DatabaseLook look, Clock clock) {
    this.configuration = configuration;
    this.look = look;
    this.clock = clock;
  }

  /** Takes as long as the database's connect timeout at most, and somewhat for silent members. */
  public List<Diagnosis> examine() {
    var found = new ArrayList<>(MachineCheck.all());
    NodeConfig config;
    try {
      config = configuration.get();
    } catch (ConfigException e) {
      e.problems().forEach(problem -> found.add(ConfigurationCheck.of(problem)));
      return found;
    }
    found.add(Diagnosis.ok("configuration", "every setting is known and valid"));
    found.addAll(new DatabaseCheck(config, look).all());
    found.addAll(PortsCheck.all(config));
    found.addAll(MembersCheck.all(config));
    found.addAll(new CertificatesCheck(config, clock).all());
    found.addAll(FilesCheck.all(config));
    return found;
  }
}
