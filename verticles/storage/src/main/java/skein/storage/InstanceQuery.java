package skein.storage;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowStatus;

/**
 * A filter of instances; an empty list or null does not restrict.
 *
 * @param named by what they are, or belong to
 * @param times all must hold
 */
public record InstanceQuery(
    Named named,
    List<WorkflowStatus> statuses,
    @Nullable Boolean hasIncidents,
    @Nullable String searchTerm,
    List<TimeFilter> times,
    Window window) {

  /** Takes instances by names; an empty list or null does not restrict. */
  public record Named(
      List<String> definitionIds,
      List<String> ids,
      @Nullable Integer version,
      @Nullable String correlationId,
      @Nullable String name,
      @Nullable String parentId) {}

  /**
   * Which of those that are found.
   *
   * @param skip 0 or more
   * @param take 1 to 1,000
   */
  public record Window(Order orderBy, boolean descending, int skip, int take) {}

  /** Takes instances by one of their times; one that has no such time is never taken. */
  public record TimeFilter(TimeColumn column, TimeOperator operator, Instant at) {
    /** As SQL; {@code %d} is for the number of the parameter. */
    String condition() {
      return column.column + " " + operator.sql + " $%d";
    }
  }

  public enum TimeColumn {
    CreatedAt("created_at"),
    UpdatedAt("updated_at"),
    FinishedAt("finished_at");

    final String column;

    TimeColumn(String column) {
      this.column = column;
    }
  }

  public enum TimeOperator {
    Is("="),
    IsNot("<>"),
    GreaterThan(">"),
    GreaterThanOrEqual(">="),
    LessThan("<"),
    LessThanOrEqual("<=");

    final String sql;

    TimeOperator(String sql) {
      this.sql = sql;
    }
  }

  public enum Order {
    Created("created_at"),
    UpdatedAt("updated_at"),
    Finished("finished_at"),
    Name("name");

    final String column;

    Order(String column) {
      this.column = column;
    }
  }
}
