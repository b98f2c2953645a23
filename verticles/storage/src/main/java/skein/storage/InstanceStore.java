package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.JournalEntry;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Reads instances and their journals. Thread-safe. */
public final class InstanceStore implements InstanceStates {
  private final Database database;
  private final InstanceReads reads;
  private final ReadLimit limit;

  public InstanceStore(Database database) {
    this(database, ReadLimit.OF_HEAP);
  }

  InstanceStore(Database database, ReadLimit limit) {
    this.database = database;
    this.limit = limit;
    this.reads = new InstanceReads(database);
  }

  /** The last committed state; null when there is no such instance. */
  public Future<@Nullable WorkflowInstance> find(InstanceId id) {
    return reads.find(id).map(found -> found == null ? null : found.instance());
  }

  @Override
  public Future<@Nullable NamedState> state(InstanceId id) {
    return reads.find(id);
  }

  /** As {@link #find}, but fails with {@code INSTANCE_NOT_FOUND}. */
  public Future<WorkflowInstance> get(InstanceId id) {
    return find(id)
        .compose(found ->
            found == null
                ? Future.failedFuture(InstanceRefusals.instanceNotFound(id))
                : Future.succeededFuture(found));
  }

  /** The members of an instance that a list shows. */
  public record Summary(
      InstanceId id,
      String definitionId,
      String versionId,
      int version,
      WorkflowStatus status,
      @Nullable String correlationId,
      @Nullable String name,
      @Nullable String parentId,
      int incidentCount,
      Instant createdAt,
      Instant updatedAt,
      @Nullable Instant finishedAt) {}

  /**
   * @param total how many there are in all; at most 10,000 more than were skipped, so there is
   *     always a next page and no page pays for all of them
   */
  public record Page(List<Summary> items, long total) {}

  static final String UNFINISHED_CHILDREN =
      "select id from workflow_instances where parent_id = $1 and finished_at is null"
          + " and ($3::text is null or tenant_id = $3) limit $2";

  private static final String TENANT = "select tenant_id from workflow_instances where id = $1";

  /** The tenant is read first: with it, all that the other statement reads lies together. */
  @Override
  public Future<List<InstanceId>> unfinishedChildren(InstanceId parent, int max) {
    return database
        .run("look at instance " + parent, TENANT, Tuple.of(parent.value()))
        .map(rows -> Tuple.of(parent.value()).addInteger(max).addString(tenant(rows)))
        .compose(parameters -> database.run("look for children", UNFINISHED_CHILDREN, parameters))
        .map(rows -> {
          var ids = new ArrayList<InstanceId>();
          rows.forEach(row -> ids.add(new InstanceId(row.getString(0))));
          return ids;
        });
  }

  /** Null: there is no such instance. */
  private static @Nullable String tenant(Iterable<Row> rows) {
    var row = rows.iterator();
    return row.hasNext() ? row.next().getString(0) : null;
  }

  private static final String IS_CANCELLED =
      "select from workflow_instances where id = $1 and tenant_id = $2 and status = 'Cancelled'";

  @Override
  public Future<Boolean> isCancelled(InstanceId id, String tenant) {
    return database
        .run("look at instance " + id, IS_CANCELLED, Tuple.of(id.value(), tenant))
        .map(rows -> rows.size() > 0);
  }

  /** Reads no more than the page where the order and one of the filters have an index. */
  public Future<Page> list(InstanceQuery query, TenantScope scope) {
    var search = InstanceSearch.of(query, scope);
    return database
        .run("list instances", search.page(), search.pageParameters())
        .compose(rows -> {
          var items = new ArrayList<Summary>();
          rows.forEach(row -> items.add(summary(row)));
          boolean isLast =
              items.size() < query.window().take()
                  && (query.window().skip() == 0 || !items.isEmpty());
          return isLast
              ? Future.succeededFuture(new Page(items, query.window().skip() + items.size()))
              : count(search).map(total -> new Page(items, total));
        });
  }

  private static final String OF_DEFINITION =
      """
      select id, created_at, finished_at is null as is_open from workflow_instances
       where definition_id = $1 and version = coalesce($2, version)
         and ($3::timestamptz is null or (created_at, id) > ($3, $4))
       order by created_at, id limit $5
      """;

  /** Where a list of a definition's instances continues: behind this one. */
  public record Member(InstanceId id, Instant createdAt, boolean isOpen) {}

  /**
   * The instances of a definition, oldest first.
   *
   * @param version null: of all
   * @param after the last of the page before; null: from the first
   */
  public Future<List<Member>> ofDefinition(
      String definitionId, @Nullable Integer version, @Nullable Member after, int max) {
    var parameters =
        Tuple.of(definitionId)
            .addInteger(version)
            .addValue(after == null ? null : Database.timestamp(after.createdAt()))
            .addString(after == null ? null : after.id().value())
            .addInteger(max);
    return database
        .run("list the instances of " + definitionId, OF_DEFINITION, parameters)
        .map(rows -> {
          var members = new ArrayList<Member>();
          rows.forEach(row -> members.add(member(row)));
          return members;
        });
  }

  private static Member member(Row row) {
    return new Member(
        new InstanceId(row.getString("id")),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getBoolean("is_open"));
  }

  private Future<Long> count(InstanceSearch search) {
    return database
        .run("count instances", search.count(), search.countParameters())
        .map(rows -> rows.iterator().next().getLong(0));
  }

  private static Summary summary(Row row) {
    return new Summary(
        new InstanceId(row.getString("id")),
        row.getString("definition_id"),
        row.getString("definition_version_id"),
        row.getInteger("version"),
        WorkflowStatus.valueOf(row.getString("status")),
        row.getString("correlation_id"),
        row.getString("name"),
        row.getString("parent_id"),
        row.getInteger("incident_count"),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getOffsetDateTime("updated_at").toInstant(),
        Database.instant(row.getOffsetDateTime("finished_at")));
  }

  static final String JOURNAL =
      ReadLimit.limited(
          "select revision, entries::text as text from journal where workflow_instance_id = $1",
          "revision",
          "",
          2);

  private static final String TOO_LARGE =
      """
      select workflow_instance_id from journal where workflow_instance_id = any($1)
       group by workflow_instance_id having sum(octet_length(entries::text)) > $2::int and count(*) > 1
       order by workflow_instance_id limit 1
      """;

  /** Fails with {@code TOO_LARGE} when {@link #journal} would do so for one of them. */
  public Future<Void> checkJournals(List<InstanceId> ids) {
    var texts = ids.stream().map(InstanceId::value).toArray(String[]::new);
    return database
        .run(
            "measure journals",
            TOO_LARGE,
            Tuple.tuple().addValue(texts).addInteger(limit.bytesMax()))
        .map(rows -> {
          rows.forEach(row -> entries(new InstanceId(row.getString(0)), null));
          return null;
        });
  }

  private String entries(InstanceId id, @Nullable String text) {
    return limit.within(
        text,
        "The journal of " + id,
        "read it in pages; an export leaves it out with includeWorkflowExecutionLog=false and"
            + " includeActivityExecutionLog=false");
  }

  /**
   * Every journal line of an instance, in order. Fails with {@code TOO_LARGE} when that is more
   * than one request may read.
   */
  public Future<List<JournalEntry>> journal(InstanceId id) {
    return database
        .run("read the journal of " + id, JOURNAL, Tuple.of(id.value(), limit.bytesMax()))
        .map(rows -> {
          var values = database.values().entries(id);
          var entries = new ArrayList<JournalEntry>();
          for (var row : rows) {
            var array = JsonText.parse(entries(id, row.getString(0)), JsonLimits.STORED);
            if (array != null) {
              entries.addAll(JournalJson.parse(array, values));
            }
          }
          return entries;
        });
  }

  static final String SNAPSHOT =
      """
      select i.id, i.revision, i.state_id, i.state, j.revision as made, j.at, j.status, j.reply
        from (select) as one
        left join workflow_instances i on i.id = $1
        left join lateral (
          select revision, at, status, reply from journal
           where workflow_instance_id = $1 and commit_id = $2
           order by revision limit 1
        ) as j on true
      """;

  @Override
  public Future<Snapshot> snapshot(InstanceId id, UUID commandId) {
    return database
        .run("read instance " + id, SNAPSHOT, Tuple.of(id.value(), commandId))
        .map(rows -> {
          var row = rows.iterator().next();
          return new Snapshot(
              row.getString("id") == null ? null : InstanceReads.state(row, database.values()),
              executed(row, id, commandId));
        });
  }

  private @Nullable Executed executed(Row row, InstanceId id, UUID commandId) {
    var made = row.getLong("made");
    if (made == null) {
      return null;
    }
    var status = row.getString("status");
    return new Executed(
        made,
        row.getOffsetDateTime("at").toInstant(),
        status == null ? null : WorkflowStatus.valueOf(status),
        database.values().open(StoredValues.Place.reply(id, commandId), row.getBuffer("reply")));
  }

  /**
   * The schema deletes what is the instance's with it, what a commit wrote included that held the
   * row when this began ({@code delete_what_instances_had}). Timers that carry news or a part of a
   * plan to the instance are due at once and find it gone.
   */
  static final String DELETE = "delete from workflow_instances where id = $1 returning id";

  @Override
  public Future<Boolean> delete(InstanceId id) {
    return database
        .run("delete instance " + id, DELETE, Tuple.of(id.value()))
        .map(rows -> rows.size() > 0);
  }
}
