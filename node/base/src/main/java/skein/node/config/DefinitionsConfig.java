package skein.node.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Definitions of workflows: what is kept of them, and what one may hold. */
public record DefinitionsConfig(
    int cacheMax,
    Duration acknowledgeTimeout,
    @Nullable Path fromDirectory,
    int activitiesMax,
    int usesDepthMax,
    int usesMax,
    UnknownActivities unknownActivities) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final int MANY = 1_000_000_000;

  /** How publishing treats an activity that no node knows yet. */
  public enum UnknownActivities {
    WARN,
    REFUSE
  }

  static DefinitionsConfig from(Settings s) {
    return new DefinitionsConfig(
        s.integer("definitions.cache-max", "1000", 1, MANY),
        s.duration("definitions.acknowledge-timeout", "5s", MS),
        s.path("definitions.from-directory"),
        s.integer("definitions.activities-max", "20000", 1, MANY),
        s.integer("definitions.uses-depth-max", "32", 1, 1000),
        s.integer("definitions.uses-max", "1000", 1, MANY),
        s.choice("definitions.unknown-activities", UnknownActivities.REFUSE));
  }
}
