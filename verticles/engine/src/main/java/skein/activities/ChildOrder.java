package skein.activities;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.Parent;

/**
 * An instance that an activity wants started.
 *
 * @param notice when the asking execution is resumed with the outcome, see {@link #KEY}
 */
public record ChildOrder(
    String definitionId,
    Map<String, @Nullable Object> input,
    @Nullable String correlationId,
    Parent.Notice notice) {
  /** Throws {@link FaultException} for a correlation id that cannot be one. */
  public ChildOrder {
    SearchText.optional("correlationId", correlationId);
  }

  /**
   * Of the input that brings the news: {@code {workflowInstanceId, status, subStatus, output,
   * number, error}}; status and sub-status are Elsa's words, {@code number} is that of the child
   * among all that its parent has started, from 1, {@code error} says why nothing was started.
   */
  public static final String KEY = "child";

  /** In the news. */
  public static final String NUMBER = "number";

  /** In the news. */
  public static final String SUB_STATUS = "subStatus";

  /** The sub-status of a child that has faulted, and may go on. */
  public static final String FAULTED = "Faulted";

  /** Key of an execution's memory: the number of children without a report yet. */
  public static final String AWAITED = "$awaited";
}
