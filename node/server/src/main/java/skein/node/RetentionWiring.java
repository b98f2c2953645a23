package skein.node;

import skein.node.config.RetentionConfig;
import skein.retention.RetentionOptions;
import skein.retention.RetentionRules;

/** Retention, from the configuration. */
final class RetentionWiring {
  private RetentionWiring() {}

  static RetentionOptions options(RetentionConfig retention) {
    var sweeps = retention.sweeps();
    return new RetentionOptions(
        retention.enabled(),
        new RetentionRules(retention.period(), retention.statuses(), retention.definitions()),
        retention.auditKeep(),
        retention.alterationsKeep(),
        sweeps.interval(),
        new RetentionOptions.Slice(
            sweeps.sliceRows(), sweeps.pause(), sweeps.statementTimeout(), sweeps.lockTimeout()));
  }
}
