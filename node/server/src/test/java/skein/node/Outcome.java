package skein.node;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * What the tables say of an instance.
 *
 * @param revisions of the journal, in order; one each commit
 * @param lines that were written
 * @param resumed how often a bookmark was resumed
 */
record Outcome(String status, List<Long> revisions, long lines, long resumed) {
  private static final String QUERY =
      """
      select i.id, i.status,
             (select array_agg(j.revision order by j.revision)
                from journal j where j.workflow_instance_id = i.id) as revisions,
             (select count(*) from journal_entries e
               where e.workflow_instance_id = i.id
                 and e.activity_type = 'Elsa.WriteLine' and e.event = 'Completed') as lines,
             (select count(*) from journal_entries e
               where e.workflow_instance_id = i.id and e.event = 'Resumed') as resumed
        from workflow_instances i
       where i.id = any($1)
      """;

  /** By id; instances that do not exist are missing. */
  static Map<String, Outcome> of(Sql sql, Collection<String> ids) {
    var found = new LinkedHashMap<String, Outcome>();
    for (var row : sql.rows(QUERY, (Object) ids.toArray(String[]::new))) {
      found.put(
          row.getString("id"),
          new Outcome(
              row.getString("status"),
              List.of(row.getArrayOfLongs("revisions")),
              row.getLong("lines"),
              row.getLong("resumed")));
    }
    return found;
  }

  boolean isCompleted() {
    return status.equals("Completed");
  }

  /** 1, 2, 3 and so on: no commit is missing, none was made twice. */
  boolean isGapless() {
    return revisions.equals(LongStream.rangeClosed(1, revisions.size()).boxed().toList());
  }

  @Override
  public String toString() {
    return "%s at %s, %d lines, resumed %d times".formatted(status, revisions, lines, resumed);
  }
}
