package skein.node.elsa;

import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves what Elsa has into a cluster. It may be repeated: what is there already is left as it is,
 * and what failed is tried again. Used once.
 */
public final class ElsaImport {
  private final ElsaSource source;
  private final Cluster cluster;
  private final Options options;
  private final StateCheck states;

  /**
   * How it is done.
   *
   * @param dryRun nothing is changed
   * @param overwrite definitions that differ get another version
   * @param elsaStopped the caller says that every server of Elsa is stopped or paused
   */
  public record Options(boolean dryRun, boolean overwrite, boolean elsaStopped) {}

  public ElsaImport(ElsaSource source, JsonServer cluster, Options options, Instant now) {
    this.source = source;
    this.cluster = new Cluster(cluster);
    this.options = options;
    this.states = new StateCheck(now);
  }

  /**
   * Does it, and waits for its end.
   *
   * @param tell of each definition, label and instance, when it is known what becomes of it
   * @throws skein.node.dev.CannotStartException when Elsa or the cluster does not answer; what was
   *     told before is done
   */
  public void run(Consumer<Item> tell) {
    var situation = new Situation(elsaRuns(), cluster.isPaused(), options.overwrite());
    var definitions = new DefinitionTransfer(cluster, situation, options.dryRun(), tell);
    definitions.run(source.definitions());
    definitions.tellLabels(source.labels());
    new InstanceTransfer(source, cluster, definitions, situation, states, tell)
        .run(source.unfinished(), options.dryRun());
  }

  /** Only people know of all servers of Elsa; what one of them says can only contradict them. */
  private @Nullable String elsaRuns() {
    if (!options.elsaStopped()) {
      return "stop or pause every server of Elsa, and say --elsa-stopped";
    }
    var contradiction = source.contradiction();
    return contradiction == null
        ? null
        : contradiction + ", in spite of --elsa-stopped: stop or pause every server of Elsa";
  }
}
