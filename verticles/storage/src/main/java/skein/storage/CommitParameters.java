package skein.storage;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import skein.model.AuditEntry;
import skein.model.InstanceId;
import skein.model.StimulusHash;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/** A batch of transitions as parameters of {@link CommitStatement}: an array for each column. */
final class CommitParameters {
  private final Tuple tuple = Tuple.tuple(new ArrayList<>(64));
  private final List<Chain> batch;
  private final List<Proposal> proposals;
  private final List<Transition> transitions;
  private final String node;
  private final StoredValues values;

  private CommitParameters(List<Chain> batch, String node, StoredValues values) {
    this.values = values;
    this.batch = batch;
    this.proposals = all(batch, Chain::proposals);
    this.transitions = new ArrayList<>(proposals.size());
    for (var proposal : proposals) {
      transitions.add(proposal.transition());
    }
    this.node = node;
  }

  /**
   * The values of the parameters of the statement with these parts.
   *
   * @param batch at most one chain of an instance, sorted by instance id
   */
  static Tuple of(
      Set<CommitStatement.Part> parts, List<Chain> batch, String node, StoredValues values) {
    var parameters = new CommitParameters(batch, node, values);
    for (var part : CommitStatement.Part.values()) {
      if (parts.contains(part)) {
        parameters.add(part);
      }
    }
    return parameters.tuple;
  }

  private void add(CommitStatement.Part part) {
    switch (part) {
      case GUARDS -> addGuards();
      case UPDATES -> addUpdates(ofKind(false));
      case INSERTS -> addInserts(ofKind(true));
      case JOURNAL -> addJournal();
      case BOOKMARKS_MADE -> addBookmarksMade();
      case BOOKMARKS_BURNT -> addBookmarksBurnt();
      case TIMERS_MADE -> addTimersMade();
      case TIMERS_DONE -> addTimersDone();
      case AUDIT -> addAudit();
      case KEYS_HELD -> addKeysHeld();
      case KEYS_ANSWERED -> addKeysAnswered();
    }
  }

  private List<Chain> ofKind(boolean isNew) {
    var chains = new ArrayList<Chain>(batch.size());
    for (var chain : batch) {
      if (chain.isNew() == isNew) {
        chains.add(chain);
      }
    }
    return chains;
  }

  private @Nullable Buffer state(Chain chain) {
    var place = StoredValues.Place.state(chain.id(), chain.last().revision());
    return values.seal(place, chain.state());
  }

  private void addGuards() {
    var guarded = transitions.stream().filter(CommitStatement::isGuarded).toList();
    tuple.addValue(ids(guarded));
    tuple.addValue(times(guarded, t -> t.guard().notBefore()));
    tuple.addValue(times(guarded, t -> t.guard().notAfter()));
    tuple.addValue(texts(guarded, t -> t.guard().consumes()));
  }

  private void addUpdates(List<Chain> updates) {
    tuple.addValue(texts(updates, c -> c.id().value()));
    tuple.addValue(longs(updates, Chain::expectedRevision));
    tuple.addValue(longs(updates, c -> c.last().revision()));
    tuple.addValue(texts(updates, c -> c.last().definition().versionId()));
    tuple.addValue(integers(updates, c -> c.last().definition().version()));
    tuple.addValue(texts(updates, c -> c.last().status().name()));
    tuple.addValue(texts(updates, c -> c.last().labels().correlationId()));
    tuple.addValue(texts(updates, c -> c.last().labels().name()));
    tuple.addValue(integers(updates, c -> c.last().incidents().size()));
    tuple.addValue(times(updates, c -> c.last().timing().updatedAt()));
    tuple.addValue(times(updates, c -> c.last().timing().finishedAt()));
    tuple.addValue(buffers(updates, this::state));
    tuple.addValue(ids(updates, Chain::builtOn));
    tuple.addValue(ids(updates, Chain::stateId));
  }

  private void addInserts(List<Chain> inserts) {
    tuple.addValue(texts(inserts, c -> c.id().value()));
    tuple.addValue(texts(inserts, c -> c.last().definition().definitionId()));
    tuple.addValue(texts(inserts, c -> c.last().definition().versionId()));
    tuple.addValue(integers(inserts, c -> c.last().definition().version()));
    tuple.addValue(texts(inserts, c -> c.last().status().name()));
    tuple.addValue(texts(inserts, c -> c.last().labels().correlationId()));
    tuple.addValue(texts(inserts, c -> c.last().labels().name()));
    tuple.addValue(texts(inserts, c -> valueOf(c.last().labels().parentId())));
    tuple.addValue(integers(inserts, c -> c.last().incidents().size()));
    tuple.addValue(times(inserts, c -> c.last().timing().createdAt()));
    tuple.addValue(times(inserts, c -> c.last().timing().updatedAt()));
    tuple.addValue(times(inserts, c -> c.last().timing().finishedAt()));
    tuple.addValue(buffers(inserts, this::state));
    tuple.addValue(texts(inserts, c -> c.guard().published()));
    tuple.addValue(texts(inserts, c -> only(c, Transition.Activation::key)));
    tuple.addValue(texts(inserts, c -> only(c, Transition.Activation::correlationId)));
    tuple.addValue(ids(inserts, Chain::stateId));
    tuple.addValue(texts(inserts, c -> c.last().definition().tenant()));
    tuple.addValue(
        inserts.stream()
            .map(c -> c.guard().published())
            .filter(Objects::nonNull)
            .distinct()
            .toArray(String[]::new));
  }

  private static @Nullable String valueOf(@Nullable InstanceId id) {
    return id == null ? null : id.value();
  }

  private static @Nullable String only(
      Chain chain, Function<Transition.Activation, @Nullable String> part) {
    var activation = chain.guard().activation();
    return activation == null ? null : part.apply(activation);
  }

  private void addJournal() {
    tuple.addValue(ids(transitions));
    tuple.addValue(longs(transitions, t -> t.next().revision()));
    tuple.addValue(times(transitions, t -> t.next().timing().updatedAt()));
    tuple.addValue(ids(transitions, Transition::commitId));
    tuple.addValue(
        texts(transitions, t -> JournalJson.print(t.journal(), values.entries(t.next().id()))));
    tuple.addValue(ids(proposals, Proposal::stateId));
    tuple.addValue(texts(transitions, t -> t.next().status().name()));
    tuple.addValue(buffers(proposals, this::reply));
    tuple.addString(node);
  }

  private @Nullable Buffer reply(Proposal proposal) {
    var reply = proposal.reply();
    return reply == null
        ? null
        : values.seal(
            StoredValues.Place.reply(proposal.id(), proposal.transition().commitId()), reply);
  }

  private void addBookmarksMade() {
    var made = all(batch, Chain::made);
    tuple.addValue(texts(made, m -> m.bookmark().id().toString()));
    tuple.addValue(texts(made, m -> m.bookmark().id().instanceId().value()));
    tuple.addValue(texts(made, m -> m.bookmark().name()));
    tuple.addValue(texts(made, m -> StimulusHash.of(m.tenant(), m.bookmark().hash())));
    tuple.addValue(texts(made, Chain.Made::correlationId));
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
    tuple.addValue(texts(made, m -> UserTaskRow.task(m.bookmark(), values)));
    tuple.addValue(integers(made, m -> m.bookmark().execution()));
    tuple.addValue(texts(made, m -> m.job() == null ? null : m.job().queue()));
    tuple.addValue(
        texts(made, m -> m.job() == null ? null : m.job().stored(m.bookmark().id(), values)));
    tuple.addValue(texts(made, m -> UserTaskRow.tenant(m.bookmark(), m.tenant())));
  }

  private void addBookmarksBurnt() {
    var burnt = all(batch, Chain::burnt);
    tuple.addValue(texts(burnt, Object::toString));
    tuple.addValue(texts(burnt, id -> id.instanceId().value()));
  }

  private void addTimersMade() {
    record Made(Timer timer, String by) {}
    var made = new ArrayList<Made>();
    for (var chain : batch) {
      var by = chain.id().value();
      chain.timersMade().forEach(timer -> made.add(new Made(timer, by)));
    }
    tuple.addValue(texts(made, m -> m.timer().id()));
    tuple.addValue(times(made, m -> m.timer().dueAt()));
    tuple.addValue(texts(made, m -> m.timer().instanceId().value()));
    tuple.addValue(texts(made, m -> m.timer().kind().name()));
    tuple.addValue(texts(made, m -> TimerStore.payload(m.timer(), values)));
    tuple.addValue(texts(made, Made::by));
  }

  private void addTimersDone() {
    record Done(String id, String by) {}
    var done = new ArrayList<Done>();
    for (var chain : batch) {
      var by = chain.id().value();
      chain.timersDone().forEach(id -> done.add(new Done(id, by)));
    }
    tuple.addValue(texts(done, Done::id));
    tuple.addValue(texts(done, Done::by));
  }

  private void addAudit() {
    record Made(AuditEntry entry, WorkflowInstance by) {}
    var made = new ArrayList<Made>();
    for (var transition : transitions) {
      var by = transition.next();
      transition.audit().forEach(entry -> made.add(new Made(entry, by)));
    }
    tuple.addValue(texts(made, m -> m.entry().action()));
    tuple.addValue(texts(made, m -> m.entry().outcome()));
    tuple.addValue(texts(made, m -> m.entry().instanceId()));
    tuple.addValue(texts(made, m -> m.entry().bookmarkId()));
    tuple.addValue(texts(made, m -> m.entry().actor()));
    tuple.addValue(texts(made, m -> m.by().id().value()));
    tuple.addValue(texts(made, m -> m.by().definition().tenant()));
    tuple.addString(node);
  }

  /** The replies that are kept for keys, and the transitions that bring them. */
  private record Keyed(String key, Transition.Kept kept, Transition by) {}

  /** Replies in the order of the keys, so that two batches do not wait for one another. */
  private List<Keyed> keyed() {
    var keyed = new ArrayList<Keyed>();
    for (var transition : transitions) {
      var kept = transition.kept();
      if (kept != null) {
        keyed.add(new Keyed(kept.key(), kept, transition));
      }
    }
    keyed.sort(Comparator.comparing(Keyed::key));
    return keyed;
  }

  private void addKeysHeld() {
    var keyed = keyed();
    tuple.addValue(texts(keyed, k -> k.by().next().id().value()));
    tuple.addValue(texts(keyed, Keyed::key));
    tuple.addValue(claims(keyed));
  }

  private void addKeysAnswered() {
    var keyed = keyed();
    tuple.addValue(texts(keyed, Keyed::key));
    tuple.addValue(claims(keyed));
    tuple.addValue(buffers(keyed, this::keptReply));
    tuple.addValue(keyed.stream().map(k -> k.kept().complete()).toArray(Boolean[]::new));
    tuple.addValue(texts(keyed, k -> k.by().next().id().value()));
  }

  private @Nullable Buffer keptReply(Keyed keyed) {
    var place = StoredValues.Place.reply(keyed.key());
    return values.seal(place, Buffer.buffer(keyed.kept().reply()));
  }

  private static @Nullable UUID[] claims(List<Keyed> keyed) {
    return ids(keyed, k -> k.by().commitId());
  }

  /** The values that all of them have, in order. */
  private static <T, R> List<R> all(List<T> from, Function<T, List<R>> part) {
    if (from.size() == 1) {
      return part.apply(from.getFirst());
    }
    var all = new ArrayList<R>(from.size());
    for (var each : from) {
      all.addAll(part.apply(each));
    }
    return all;
  }

  private static <T> @Nullable Buffer[] buffers(
      List<T> rows, Function<T, @Nullable Buffer> column) {
    var values = new @Nullable Buffer[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return values;
  }

  private static String[] ids(List<Transition> batch) {
    var ids = new String[batch.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = batch.get(i).next().id().value();
    }
    return ids;
  }

  private static <T> @Nullable UUID[] ids(List<T> rows, Function<T, @Nullable UUID> column) {
    var values = new @Nullable UUID[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return values;
  }

  private static <T> Long[] longs(List<T> rows, ToLongFunction<T> column) {
    var values = new Long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsLong(rows.get(i));
    }
    return values;
  }

  private static <T> Integer[] integers(List<T> rows, ToIntFunction<T> column) {
    var values = new Integer[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsInt(rows.get(i));
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
