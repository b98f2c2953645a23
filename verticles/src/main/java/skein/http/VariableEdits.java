package skein.http;

import io.vertx.core.Future;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;

/** Changes the variables of an instance from outside; the alterations behind it do the work. */
public interface VariableEdits {
  /**
   * Sets these variables, all or none; when it has answered, the change is committed.
   *
   * @param values by variable id; JSON values
   */
  Future<?> set(InstanceId id, Map<String, @Nullable Object> values);
}
