package skein.node.config;

/** How much is logged, most first. */
public enum LogLevel {
  TRACE,
  DEBUG,
  INFO,
  WARN,
  ERROR,
  OFF
}
