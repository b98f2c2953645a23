package skein.node.metrics;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;

/**
 * The text that Prometheus collects: the engine's figures, and Micrometer's of the JVM and the
 * process. Thread-safe.
 */
public final class Exposition implements AutoCloseable {
  /** Of Prometheus' text format. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();

  public Exposition(NodeMetrics metrics, SampledMetrics sampled) {
    new JvmMemoryMetrics().bindTo(registry);
    collections.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    registry.getPrometheusRegistry().register(new SkeinMetrics(metrics, sampled));
  }

  public byte[] text() {
    return registry.scrape(CONTENT_TYPE).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
