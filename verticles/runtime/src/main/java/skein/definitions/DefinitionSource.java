package skein.definitions;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Where definitions come from beside the API: a folder of files. */
@FunctionalInterface
public interface DefinitionSource {
  /** There is none. */
  DefinitionSource NONE = () -> Future.succeededFuture(new Reloaded(List.of(), Map.of()));

  /**
   * The results for the documents of a source; those that are published as they are belong to
   * neither.
   *
   * @param published ids of definitions
   * @param refused what is wrong with a document, by its name
   */
  record Reloaded(List<String> published, Map<String, List<String>> refused) {
    public Reloaded {
      published = List.copyOf(published);
      refused = Map.copyOf(refused);
    }
  }

  /** Reads it again, and publishes what is not published as it stands there. */
  Future<Reloaded> reload();
}
