package skein.definitions;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;

/** Compiled definitions. Thread-safe. */
public interface Graphs {
  /** Fails with {@code DEFINITION_NOT_FOUND} or {@code DEFINITION_NOT_PUBLISHED}. */
  Future<Graph> published(String definitionId);

  /** A version, published or not; null when it was deleted. */
  Future<@Nullable Graph> version(String versionId);

  /** The version of a definition that has this number; null when there is none. */
  Future<@Nullable Graph> version(String definitionId, int number);

  /** Forgets which versions of these definitions are published. */
  void invalidate(List<String> definitionIds);
}
