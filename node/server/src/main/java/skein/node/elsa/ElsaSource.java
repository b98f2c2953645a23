package skein.node.elsa;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.node.dev.CannotStartException;

/**
 * What Elsa has. All methods wait for it, and throw {@link CannotStartException} when it does not
 * answer or is not Elsa. Closing does nothing to Elsa.
 */
public sealed interface ElsaSource extends AutoCloseable permits ElsaApi, ElsaDatabase {
  /**
   * The versions of definitions that are published, the latest, or in use by an instance of {@link
   * #unfinished}; each once.
   */
  List<ElsaDefinition> definitions();

  /** The names of all labels. */
  List<String> labels();

  /** The instances that have not ended, each once; those that are older first. */
  List<ElsaInstance> unfinished();

  /**
   * An instance in the form of Elsa's export, with its log and its records.
   *
   * @throws RefusedException when its state cannot be read
   */
  Map<String, @Nullable Object> file(ElsaInstance instance);

  /**
   * Why Elsa cannot be at rest: it says itself that it executes, or would. Null proves nothing,
   * since each server of Elsa speaks of itself alone, and some cannot say it.
   */
  @Nullable String contradiction();

  @Override
  void close();
}
