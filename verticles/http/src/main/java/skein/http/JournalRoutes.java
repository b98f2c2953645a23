package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Tag;
import skein.storage.InstanceStore;
import skein.storage.JournalStore;
import skein.storage.JournalStore.Filter;

/** Shows what happened in an instance, a page at a time. */
final class JournalRoutes {
  private static final int PAGE = 100;

  /** Elsa's clients name the page in the query, where the body has the filter. */
  private static final Set<String> PAGING = Set.of("page", "pagesize", "skip", "take", "after");

  private final InstanceStore instances;
  private final JournalStore journal;

  JournalRoutes(InstanceStore instances, JournalStore journal) {
    this.instances = instances;
    this.journal = journal;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/workflow-instances/:id/journal",
            Operation.of(Tag.JOURNAL, "getJournal", "Reads the journal of an instance")
                .takesPage()
                .takes(JournalShapes.AFTER)
                .answers(JournalShapes.PAGE)
                .fails(ErrorCode.INSTANCE_NOT_FOUND),
            this::all)
        .post(
            "/workflow-instances/:id/journal",
            Operation.of(Tag.JOURNAL, "searchJournal", "Reads some of the journal of an instance")
                .takesPage()
                .reads(JournalShapes.QUERY)
                .answers(JournalShapes.PAGE)
                .fails(ErrorCode.INSTANCE_NOT_FOUND),
            this::filtered)
        .get(
            "/workflow-instances/:id/journal/:activityId",
            Operation.of(
                    Tag.JOURNAL, "getLastJournalEntry", "Reads the last entry about an activity")
                .answers(JournalShapes.ENTRY)
                .fails(ErrorCode.INSTANCE_NOT_FOUND, ErrorCode.NOT_FOUND),
            this::last);
  }

  private Future<Answer> all(Call call) {
    return read(call.instanceId(), Filter.ALL, call.queryFields());
  }

  private Future<Answer> filtered(Call call) {
    var fields = call.fields();
    var given = Fields.of(fields.object("filter"));
    var filter =
        new Filter(
            given.texts("activityIds"),
            given.texts("activityNodeIds"),
            given.texts("excludedActivityTypes"),
            given.texts("eventNames"));
    var query = call.queryFields();
    return read(call.instanceId(), filter, query.hasAny(PAGING) ? query : fields);
  }

  private Future<Answer> read(InstanceId id, Filter filter, Fields fields) {
    var window = fields.window(PAGE);
    var after = fields.number("after", 0, Integer.MAX_VALUE);
    if (after == null) {
      return page(id, filter, window);
    }
    if (window.skip() > 0) {
      throw BadRequest.of("after and skip, or page, exclude each other: give one of them");
    }
    return after(id, filter, after, window.take());
  }

  /** Does not count: a page costs the same wherever it begins. */
  private Future<Answer> after(InstanceId id, Filter filter, int sequence, int take) {
    return journal
        .after(id, filter, sequence, take)
        .compose(found -> found.isEmpty() ? unlessGone(id, found) : Future.succeededFuture(found))
        .map(found -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("items", entries(id, found));
          json.put("next", found.size() < take ? null : found.getLast().sequence());
          return Answer.ok(json);
        });
  }

  private Future<Answer> page(InstanceId id, Filter filter, Fields.Window window) {
    return journal
        .page(id, filter, window.skip(), window.take())
        .compose(page -> page.total() > 0 ? Future.succeededFuture(page) : unlessGone(id, page))
        .map(page -> Answer.ok(Lists.page(entries(id, page.entries()), page.total())));
  }

  private static List<?> entries(InstanceId id, List<JournalEntry> entries) {
    return entries.stream().map(entry -> JournalView.entry(id, entry)).toList();
  }

  /** An instance that has not run yet has no journal; one that does not exist has none either. */
  private <T> Future<T> unlessGone(InstanceId id, T found) {
    return instances.get(id).map(found);
  }

  private Future<Answer> last(Call call) {
    var id = call.instanceId();
    var activityId = call.path("activityId");
    return journal
        .last(id, activityId)
        .compose(found ->
            found != null
                ? Future.succeededFuture(Answer.ok(JournalView.entry(id, found)))
                : unlessGone(id, activityId).compose(JournalRoutes::nothing));
  }

  private static Future<Answer> nothing(String activityId) {
    return Future.failedFuture(
        new SkeinException(
            ErrorCode.NOT_FOUND, "The journal has no entry about activity " + activityId));
  }
}
