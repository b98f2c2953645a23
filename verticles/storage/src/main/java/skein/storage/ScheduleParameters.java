package skein.storage;

import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.codecs.ScheduleJson;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Timer;

/** A batch of changes as parameters of {@link ScheduleStore#WRITE}: an array for each column. */
final class ScheduleParameters {
  private final List<ScheduleWrite> batch;
  private final StoredValues values;
  private final Tuple tuple = Tuple.tuple(new ArrayList<>(29));

  private ScheduleParameters(List<ScheduleWrite> batch, StoredValues values) {
    this.batch = batch;
    this.values = values;
  }

  /** {@code batch}: sorted by id, each once. */
  static Tuple of(List<ScheduleWrite> batch, StoredValues values) {
    var parameters = new ScheduleParameters(batch, values);
    parameters.addRules();
    parameters.addStates();
    parameters.addTimers();
    parameters.text(ScheduleWrite::consumes);
    return parameters.tuple;
  }

  private void addRules() {
    text(w -> w.next().id());
    number(w -> w.next().revision() - 1);
    time(ScheduleWrite::notBefore);
    text(w -> w.ruled() ? w.next().target().definitionId() : null);
    text(w -> w.ruled() ? ScheduleJson.stored(ScheduleJson.rule(w.next().timetable())) : null);
    text(w ->
        w.ruled()
            ? ScheduleJson.stored(ScheduleJson.policies(w.next().timetable().policies()))
            : null);
    text(w -> w.ruled() ? ScheduleJson.stored(ScheduleJson.target(w.next().target())) : null);
  }

  private void addStates() {
    tuple.addValue(batch.stream().map(w -> w.next().state().paused()).toArray(Boolean[]::new));
    text(w -> w.next().state().note());
    time(w -> w.next().state().nextAt());
    time(w -> w.next().state().lastAt());
    text(w -> id(w.next().state().lastInstanceId()));
    text(w -> id(w.next().state().running()));
    text(w -> run(w.next().state().buffered()));
    number(w -> w.next().state().counts().started());
    number(w -> w.next().state().counts().skipped());
    number(w -> w.next().state().counts().missed());
    number(w -> w.next().state().counts().cancelled());
    number(w -> w.next().state().counts().failed());
    time(w -> w.next().updatedAt());
  }

  private void addTimers() {
    record Made(Timer timer, String by) {}
    record Done(String id, String by) {}
    var made = new ArrayList<Made>();
    var done = new ArrayList<Done>();
    for (var write : batch) {
      var by = write.next().id();
      write.made().forEach(timer -> made.add(new Made(timer, by)));
      write.done().forEach(id -> done.add(new Done(id, by)));
    }
    tuple.addValue(texts(made, m -> m.timer().id()));
    tuple.addValue(times(made, m -> m.timer().dueAt()));
    tuple.addValue(texts(made, m -> m.timer().instanceId().value()));
    tuple.addValue(texts(made, m -> m.timer().kind().name()));
    tuple.addValue(texts(made, m -> TimerStore.payload(m.timer(), values)));
    tuple.addValue(texts(made, Made::by));
    tuple.addValue(texts(done, Done::id));
    tuple.addValue(texts(done, Done::by));
  }

  private static @Nullable String id(@Nullable InstanceId id) {
    return id == null ? null : id.value();
  }

  private static @Nullable String run(Schedule.@Nullable Run run) {
    var json = ScheduleJson.run(run);
    return json == null ? null : ScheduleJson.stored(json);
  }

  private void text(Function<ScheduleWrite, @Nullable String> column) {
    tuple.addValue(texts(batch, column));
  }

  private void time(Function<ScheduleWrite, @Nullable Instant> column) {
    tuple.addValue(times(batch, column));
  }

  private void number(Function<ScheduleWrite, Long> column) {
    tuple.addValue(batch.stream().map(column).toArray(Long[]::new));
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
