package skein.node;

import skein.node.config.NodeConfig;
import skein.timers.TimersOptions;

/** The settings of timers, as those who read and fire them take them. */
final class TimersWiring {
  private TimersWiring() {}

  static TimersOptions options(NodeConfig config) {
    var timers = config.timers();
    var firing = timers.firing();
    var payloads = firing.payloads();
    return new TimersOptions(
        timers.leaseDuration(),
        new TimersOptions.Reading(timers.pollInterval(), timers.horizon(), timers.batchMax()),
        new TimersOptions.Firing(
            firing.inFlightMax(),
            firing.retryDelay(),
            firing.retryDelayMax(),
            new TimersOptions.Payloads(
                payloads.bytesMax(),
                payloads.batchMax(),
                payloads.retryDelay(),
                payloads.retriesMax())),
        config.scheduler().shards(),
        config.scheduler().misfireAfter());
  }
}
