package skein.storage;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;

/** What a batch of transitions is for {@link CommitStatement}: an array for each column. */
final class CommitParameters {
  private final Tuple tuple = Tuple.tuple(new ArrayList<>(64));
  private final List<Transition> batch;
  private final String node;

  private CommitParameters(List<Transition> batch, String node) {
    this.batch = batch;
    this.node = node;
  }

  /**
   * The values of the parameters of the statement with these parts.
   *
   * @param batch at most one transition of an instance, sorted by instance id
   * @param states of the instances, encoded, in the same order
   */
  static Tuple of(
      Set<CommitStatement.Part> parts, List<Transition> batch, Buffer[] states, String node) {
    var parameters = new CommitParameters(batch, node);
    for (var part : CommitStatement.Part.values()) {
      if (parts.contains(part)) {
        parameters.add(part, states);
      }
    }
    return parameters.tuple;
  }

  private void add(CommitStatement.Part part, Buffer[] states) {
    switch (part) {
      case GUARDS -> addGuards();
      case UPDATES -> addUpdates(ofKind(false), states(false, states));
      case INSERTS -> addInserts(ofKind(true), states(true, states));
      case JOURNAL -> addJournal();
      case BOOKMARKS_MADE -> addBookmarksMade();
      case BOOKMARKS_BURNT -> addBookmarksBurnt();
      case TIMERS_MADE -> addTimersMade();
      case TIMERS_DONE -> addTimersDone();
      case AUDIT -> addAudit();
    }
  }

  private List<Transition> ofKind(boolean isNew) {
    return batch.stream().filter(t -> CommitStatement.isNew(t) == isNew).toList();
  }

  private Buffer[] states(boolean isNew, Buffer[] states) {
    var chosen = new ArrayList<Buffer>(states.length);
    for (int i = 0; i < states.length; i++) {
      if (CommitStatement.isNew(batch.get(i)) == isNew) {
        chosen.add(states[i]);
      }
    }
    return chosen.toArray(Buffer[]::new);
  }

  private void addGuards() {
    var guarded = batch.stream().filter(CommitStatement::isGuarded).toList();
    tuple.addValue(ids(guarded));
    tuple.addValue(times(guarded, t -> t.guard().notBefore()));
    tuple.addValue(times(guarded, t -> t.guard().notAfter()));
    tuple.addValue(texts(guarded, t -> t.guard().consumes()));
  }

  private void addUpdates(List<Transition> updates, Buffer[] states) {
    tuple.addValue(ids(updates));
    tuple.addValue(longs(updates, Transition::expectedRevision));
    tuple.addValue(texts(updates, t -> t.next().definition().versionId()));
    tuple.addValue(integers(updates, t -> t.next().definition().version()));
    tuple.addValue(texts(updates, t -> t.next().status().name()));
    tuple.addValue(texts(updates, t -> t.next().labels().correlationId()));
    tuple.addValue(texts(updates, t -> t.next().labels().name()));
    tuple.addValue(integers(updates, t -> t.next().incidents().size()));
    tuple.addValue(times(updates, t -> t.next().timing().updatedAt()));
    tuple.addValue(times(updates, t -> t.next().timing().finishedAt()));
    tuple.addValue(states);
  }

  private void addInserts(List<Transition> inserts, Buffer[] states) {
    tuple.addValue(ids(inserts));
    tuple.addValue(texts(inserts, t -> t.next().definition().definitionId()));
    tuple.addValue(texts(inserts, t -> t.next().definition().versionId()));
    tuple.addValue(integers(inserts, t -> t.next().definition().version()));
    tuple.addValue(texts(inserts, t -> t.next().status().name()));
    tuple.addValue(texts(inserts, t -> t.next().labels().correlationId()));
    tuple.addValue(texts(inserts, t -> t.next().labels().name()));
    tuple.addValue(texts(inserts, t -> valueOf(t.next().labels().parentId())));
    tuple.addValue(integers(inserts, t -> t.next().incidents().size()));
    tuple.addValue(times(inserts, t -> t.next().timing().createdAt()));
    tuple.addValue(times(inserts, t -> t.next().timing().updatedAt()));
    tuple.addValue(times(inserts, t -> t.next().timing().finishedAt()));
    tuple.addValue(states);
    tuple.addValue(texts(inserts, t -> t.guard().published()));
    tuple.addValue(texts(inserts, t -> only(t, Transition.Activation::key)));
    tuple.addValue(texts(inserts, t -> only(t, Transition.Activation::correlationId)));
    tuple.addValue(
        inserts.stream()
            .map(t -> t.guard().published())
            .filter(Objects::nonNull)
            .distinct()
            .toArray(String[]::new));
  }

  private static @Nullable String valueOf(@Nullable InstanceId id) {
    return id == null ? null : id.value();
  }

  private static @Nullable String only(
      Transition transition, Function<Transition.Activation, @Nullable String> part) {
    var activation = transition.guard().activation();
    return activation == null ? null : part.apply(activation);
  }

  private void addJournal() {
    tuple.addValue(ids(batch));
    tuple.addValue(longs(batch, t -> t.next().revision()));
    tuple.addValue(times(batch, t -> t.next().timing().updatedAt()));
    tuple.addValue(batch.stream().map(Transition::commitId).toArray(UUID[]::new));
    tuple.addValue(texts(batch, t -> JournalJson.print(t.journal())));
    tuple.addString(node);
  }

  private void addBookmarksMade() {
    record Made(Bookmark bookmark, @Nullable String correlationId) {}
    var made =
        batch.stream()
            .flatMap(
                t -> t.made().stream().map(b -> new Made(b, t.next().labels().correlationId())))
            .toList();
    tuple.addValue(texts(made, m -> m.bookmark().id().toString()));
    tuple.addValue(texts(made, m -> m.bookmark().id().instanceId().value()));
    tuple.addValue(texts(made, m -> m.bookmark().name()));
    tuple.addValue(texts(made, m -> m.bookmark().hash()));
    tuple.addValue(texts(made, Made::correlationId));
    tuple.addValue(
        texts(
            made,
            m -> {
              var token = m.bookmark().token();
              return token == null ? null : token.hash();
            }));
    tuple.addValue(
        times(
            made,
            m -> {
              var token = m.bookmark().token();
              return token == null ? null : token.expiresAt();
            }));
    tuple.addValue(times(made, m -> m.bookmark().createdAt()));
    tuple.addValue(texts(made, m -> UserTaskRow.subjects(m.bookmark())));
    tuple.addValue(texts(made, m -> UserTaskRow.task(m.bookmark())));
  }

  private void addBookmarksBurnt() {
    var burnt = batch.stream().flatMap(t -> t.burnt().stream()).toList();
    tuple.addValue(texts(burnt, Object::toString));
    tuple.addValue(texts(burnt, id -> id.instanceId().value()));
  }

  private void addTimersMade() {
    record Made(Timer timer, String by) {}
    var made =
        batch.stream()
            .flatMap(t -> t.timersMade().stream().map(m -> new Made(m, t.next().id().value())))
            .toList();
    tuple.addValue(texts(made, m -> m.timer().id()));
    tuple.addValue(times(made, m -> m.timer().dueAt()));
    tuple.addValue(texts(made, m -> m.timer().instanceId().value()));
    tuple.addValue(texts(made, m -> m.timer().kind().name()));
    tuple.addValue(
        texts(made, m -> m.timer().payload() == null ? null : JsonText.print(m.timer().payload())));
    tuple.addValue(texts(made, Made::by));
  }

  private void addTimersDone() {
    record Done(String id, String by) {}
    var done =
        batch.stream()
            .flatMap(t -> t.timersDone().stream().map(id -> new Done(id, t.next().id().value())))
            .toList();
    tuple.addValue(texts(done, Done::id));
    tuple.addValue(texts(done, Done::by));
  }

  private void addAudit() {
    record Made(AuditEntry entry, String by) {}
    var made =
        batch.stream()
            .flatMap(t -> t.audit().stream().map(a -> new Made(a, t.next().id().value())))
            .toList();
    tuple.addValue(texts(made, m -> m.entry().action()));
    tuple.addValue(texts(made, m -> m.entry().outcome()));
    tuple.addValue(texts(made, m -> m.entry().instanceId()));
    tuple.addValue(texts(made, m -> m.entry().bookmarkId()));
    tuple.addValue(texts(made, m -> m.entry().actor()));
    tuple.addValue(texts(made, Made::by));
    tuple.addString(node);
  }

  private static String[] ids(List<Transition> batch) {
    var ids = new String[batch.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = batch.get(i).next().id().value();
    }
    return ids;
  }

  private static Long[] longs(List<Transition> batch, ToLongFunction<Transition> column) {
    var values = new Long[batch.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsLong(batch.get(i));
    }
    return values;
  }

  private static Integer[] integers(List<Transition> batch, ToIntFunction<Transition> column) {
    var values = new Integer[batch.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsInt(batch.get(i));
    }
    return values;
  }

  private static <T> @Nullable String[] texts(List<T> rows, Function<T, @Nullable String> column) {
    var values = new @Nullable String[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return values;
  }

  private static <T> @Nullable OffsetDateTime[] times(
      List<T> rows, Function<T, @Nullable Instant> column) {
    var values = new @Nullable OffsetDateTime[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = Database.timestamp(column.apply(rows.get(i)));
    }
    return values;
  }
}
