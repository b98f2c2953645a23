package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.model.DerivedIds;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.DeferredPayload;
import skein.storage.DueTimer;
import skein.storage.TimerOwner;
import skein.timers.UpcomingTimers.Ahead;

/** Eight timers wait, two more of those that lie ahead, and three of one instance. */
class UpcomingTimersTest {
  private static final Instant DUE = Instant.parse("2026-01-01T00:00:00Z");

  private final Simulator simulator = new Simulator(1);
  private final SimulatedLoop loop = simulator.newLoop("n1");
  private UpcomingTimers upcoming = new UpcomingTimers(loop, 8, 3);

  private <T extends @Nullable Object> T on(Supplier<T> task) {
    return simulator.seenOn(loop, task);
  }

  /** {@code definition}: behind its tenant and a slash, if it is not the default tenant's. */
  private static DueTimer timer(int due, String instance, @Nullable String definition) {
    var id = new InstanceId(instance);
    var timer =
        new Timer(
            instance + due, DUE.plusSeconds(due), id, Timer.Kind.Resume, Map.of("bookmarkId", "b"));
    return new DueTimer(timer, definition == null ? null : owner(definition));
  }

  private static TimerOwner owner(String definition) {
    int slash = definition.indexOf('/');
    return new TimerOwner(
        slash < 0 ? "" : definition.substring(0, slash), definition.substring(slash + 1));
  }

  private @Nullable String add(int due, String instance, @Nullable String definition) {
    var left = on(() -> upcoming.add(timer(due, instance, definition)));
    return left == null ? null : left.id();
  }

  private Ahead addAhead(int due, String instance, String definition) {
    return on(() -> upcoming.addAhead(timer(due, instance, definition)));
  }

  private List<String> takeAll() {
    var taken = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      var next = on(() -> upcoming.takeDue(DUE.plusSeconds(1_000)));
      if (next != null) {
        taken.add(next.id());
      }
    }
    return taken;
  }

  @Test
  void definitions_take_turns_and_each_has_its_earliest_first() {
    add(3, "a", "A");
    add(1, "b", "A");
    add(2, "c", "A");
    add(9, "d", "B");
    add(8, "e", "B");
    add(7, "f", null);

    assertThat(takeAll()).containsExactly("b1", "e8", "f7", "c2", "d9", "a3");
  }

  @Test
  void what_is_not_due_yet_misses_its_turn() {
    add(5, "a", "A");
    add(1, "b", "B");
    add(2, "c", "B");

    assertThat(on(() -> upcoming.takeDue(DUE.plusSeconds(1))))
        .extracting(Timer::id)
        .isEqualTo("b1");
    assertThat(on(() -> upcoming.takeDue(DUE.plusSeconds(1)))).isNull();
    assertThat(on(upcoming::nextDue)).isEqualTo(DUE.plusSeconds(2));
    assertThat(takeAll()).containsExactly("a5", "c2");
  }

  @Test
  void timers_of_an_instance_stay_with_the_definition_of_its_first() {
    add(1, "a", "A");
    add(2, "a", null);
    add(3, "a", "B");
    add(4, "b", "B");

    assertThat(takeAll()).containsExactly("a1", "b4", "a2", "a3");
  }

  @Test
  void a_timer_that_starts_an_instance_has_its_definition_in_its_payload() {
    var payload = Map.of("definitionId", "A");
    for (var kind : List.of(Timer.Kind.Child, Timer.Kind.Trigger, Timer.Kind.ScheduleStart)) {
      var timer = new Timer("t", DUE, new InstanceId("a"), kind, payload);
      assertThat(on(() -> upcoming.owner(new DueTimer(timer, null)))).isEqualTo(owner("A"));
    }
    var other = new Timer("t", DUE, new InstanceId("a"), Timer.Kind.Resume, payload);
    assertThat(on(() -> upcoming.owner(new DueTimer(other, null)))).isEqualTo(owner(""));
  }

  @Test
  void the_tenant_is_that_of_the_instance_or_of_the_payload() {
    var payload = Map.of("definitionId", "A", "tenant", "acme");
    var start = new Timer("t", DUE, new InstanceId("a"), Timer.Kind.Child, payload);
    var event = new Timer("t", DUE, new InstanceId("a"), Timer.Kind.Event, payload);

    assertThat(on(() -> upcoming.owner(new DueTimer(start, null))))
        .isEqualTo(new TimerOwner(DerivedIds.mark("acme"), "A"));
    assertThat(on(() -> upcoming.owner(new DueTimer(event, null))))
        .isEqualTo(new TimerOwner(DerivedIds.mark("acme"), ""));
    assertThat(on(() -> upcoming.owner(new DueTimer(event, owner("x/B")))))
        .isEqualTo(new TimerOwner(DerivedIds.mark("x"), "B"));
  }

  @Test
  void the_tenant_of_a_start_is_known_before_its_payload_is_read() {
    var id = DerivedIds.of("acme", "event|1");
    var large = Map.of("definitionId", "A", "tenant", "acme", "stimulus", "x".repeat(2_000));
    var start = new Timer("t", DUE, id, Timer.Kind.Trigger, large);
    var deferred = DeferredPayload.of(start);
    assertThat(DeferredPayload.isIn(deferred)).isTrue();
    var small =
        new Timer("s", DUE, new InstanceId("a"), Timer.Kind.Trigger, Map.of("tenant", "acme"));

    var owner = on(() -> upcoming.owner(new DueTimer(deferred, null)));

    assertThat(owner).isEqualTo(new TimerOwner(DerivedIds.mark("acme"), ""));
    assertThat(on(() -> upcoming.owner(new DueTimer(small, null))))
        .as("the same tenant by its name")
        .isEqualTo(owner);
    var ofDefault = new Timer("d", DUE, DerivedIds.of("", "e"), Timer.Kind.Trigger, large);
    assertThat(on(() -> upcoming.owner(new DueTimer(DeferredPayload.of(ofDefault), null))))
        .isEqualTo(owner(""));
    assertThat(on(() -> upcoming.owner(new DueTimer(deferred, owner("B")))))
        .as("of a row of the default tenant")
        .isEqualTo(owner("B"));
  }

  @Test
  void tenants_take_turns_however_many_definitions_one_has() {
    for (int i = 0; i < 6; i++) {
      add(i, "m" + i + "-", "many/D" + i);
    }
    add(10, "a", "one/A");
    add(11, "b", "one/A");

    assertThat(takeAll())
        .containsExactly("m0-0", "a10", "m1-1", "b11", "m2-2", "m3-3", "m4-4", "m5-5");
  }

  @Test
  void a_tenant_with_ever_new_definitions_leaves_room_ahead_for_others() {
    upcoming = new UpcomingTimers(loop, 24, 3);
    for (int i = 0; i < 24; i++) {
      add(i, "m" + i + "-", "many/A");
    }

    assertThat(addAhead(30, "x0", "many/B0")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(31, "x1", "many/B1")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(32, "x2", "many/B2")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(33, "x3", "many/B3")).isEqualTo(Ahead.TENANT_HAS_ENOUGH);
    assertThat(addAhead(34, "y0", "one/C0")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(35, "y1", "one/C1")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(36, "y2", "one/C2")).isEqualTo(Ahead.TENANT_HAS_ENOUGH);
    assertThat(addAhead(37, "z0", "")).as("the default tenant").isEqualTo(Ahead.KEPT);
    assertThat(addAhead(38, "z1", "A")).isEqualTo(Ahead.FULL);
    assertThat(takeAll()).startsWith("m0-0", "y034", "z037", "x030", "y135", "x131");

    assertThat(addAhead(40, "x4", "many/B4")).as("what was taken left room").isEqualTo(Ahead.KEPT);
  }

  @Test
  void without_other_tenants_the_default_one_may_have_all_the_room_ahead() {
    for (int i = 0; i < 8; i++) {
      add(i, "many" + i + "-", "A");
    }

    assertThat(addAhead(10, "b", "B")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(11, "c", "C")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(12, "d", "D")).isEqualTo(Ahead.FULL);
  }

  @Test
  void what_lies_ahead_is_kept_of_definitions_that_have_less_than_their_share() {
    for (int i = 0; i < 8; i++) {
      add(i, "many" + i + "-", "A");
    }

    assertThat(addAhead(10, "x", "A")).isEqualTo(Ahead.DEFINITION_HAS_ENOUGH);
    assertThat(addAhead(11, "b", "B")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(11, "b", "B")).as("it is here").isEqualTo(Ahead.KEPT);
    assertThat(addAhead(12, "c", "B")).isEqualTo(Ahead.DEFINITION_HAS_ENOUGH);
    assertThat(addAhead(13, "d", "C")).isEqualTo(Ahead.KEPT);
    assertThat(addAhead(14, "e", "D")).isEqualTo(Ahead.FULL);
    assertThat(takeAll()).startsWith("many0-0", "b11", "d13", "many1-1").hasSize(10);
    assertThat(on(upcoming::size)).as("until they are forgotten").isEqualTo(10);
  }

  @Test
  void those_that_wait_for_payloads_leave_no_room_for_more_from_ahead() {
    on(() -> {
      upcoming.setAside(9);
      return true;
    });
    assertThat(addAhead(1, "a", "A")).isEqualTo(Ahead.KEPT);

    assertThat(addAhead(2, "b", "B")).isEqualTo(Ahead.FULL);
  }

  @Test
  void an_instance_that_has_enough_gets_no_more_from_ahead() {
    add(1, "a", "A");
    add(2, "a", "A");
    add(3, "a", "A");
    takeAll();

    assertThat(addAhead(4, "a", "A")).isEqualTo(Ahead.INSTANCE_HAS_ENOUGH);
  }

  @Test
  void with_a_timer_that_is_turned_away_go_the_later_ones_of_its_instance() {
    upcoming = new UpcomingTimers(loop, 40, 3);
    for (int i = 1; i < 40; i++) {
      add(i, "many" + i + "-", "A");
    }
    add(50, "b", "B");
    assertThat(addAhead(60, "b", "B")).isEqualTo(Ahead.KEPT);

    assertThat(add(0, "first", "A")).isEqualTo("b50");

    assertThat(takeAll()).hasSize(40).doesNotContain("b50", "b60");
  }

  @Test
  void what_waits_for_its_payload_takes_room() {
    on(() -> {
      upcoming.setAside(7);
      return true;
    });

    assertThat(add(2, "a", "A")).isNull();
    assertThat(add(3, "b", "A")).isEqualTo("b3");
    assertThat(add(1, "c", "A")).isEqualTo("a2");
    on(() -> {
      upcoming.setAside(8);
      return true;
    });
    takeAll();
    assertThat(add(0, "d", "A")).isEqualTo("d0");
  }
}
